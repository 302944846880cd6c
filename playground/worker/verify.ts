import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { SkillsClient } from '@modelcontextprotocol/client/ext/skills'

/** The folders that `vite.config.ts` compiles, and where their skills are served. */
const SOURCES = [
  { folder: 'skills', prefix: '' },
  { folder: 'billing', prefix: 'acme/billing/' },
]

export interface SkillReport {
  /** The skill path: `acme/billing/refunds`. */
  readonly path: string
  readonly files: number
  readonly bytes: number
  /** One line for every file that is not served exactly as it is on disk. */
  readonly differences: readonly string[]
}

/** Reads every file of every listed skill, and compares it with the disk below `root`, byte by byte. */
export async function verify(client: SkillsClient, root: string): Promise<SkillReport[]> {
  const expected = await filesOnDisk(root)
  const reports: SkillReport[] = []
  for (const { uri } of (await client.list()).skills) {
    const skillPath = uri.slice('skill://'.length, -'/SKILL.md'.length)
    reports.push(await verifySkill(client, skillPath, expected.get(skillPath) ?? new Map()))
    expected.delete(skillPath)
  }
  for (const skillPath of expected.keys())
    reports.push({ path: skillPath, files: 0, bytes: 0, differences: [`${skillPath} is not listed`] })
  return reports
}

async function verifySkill(
  client: SkillsClient,
  skillPath: string,
  onDisk: Map<string, string>,
): Promise<SkillReport> {
  const root = `skill://${skillPath}`
  const { skill } = await client.get(`${root}/SKILL.md`)
  const differences: string[] = []
  let bytes = 0
  for (const { uri } of skill.resources as { uri: string }[]) {
    const file = decodeURIComponent(uri.slice(root.length + 1))
    const source = onDisk.get(file)
    onDisk.delete(file)
    try {
      const served = await client.read(skill, uri)
      bytes += served.bytes.length
      if (!served.verified) differences.push(`${uri} has no digest`)
      else if (source === undefined) differences.push(`${uri} is not on disk`)
      else if (!(await readFile(source)).equals(served.bytes))
        differences.push(`${uri} differs from ${source}`)
    } catch (error) {
      differences.push((error as Error).message)
    }
  }
  for (const source of onDisk.values()) differences.push(`${source} is not served`)
  return { path: skillPath, files: skill.resources.length, bytes, differences }
}

/** Every file that must be served: by the skill path, the path below the skill and the file itself. */
async function filesOnDisk(root: string): Promise<Map<string, Map<string, string>>> {
  const skills = new Map<string, Map<string, string>>()
  for (const { folder, prefix } of SOURCES) {
    const base = path.join(root, folder)
    const entries = await readdir(base, { recursive: true, withFileTypes: true })
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(base, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    for (const main of files.filter((file) => path.posix.basename(file) === 'SKILL.md')) {
      const skill = path.posix.dirname(main)
      const held = files.filter((file) => file.startsWith(`${skill}/`))
      const below = held.map((file) => [file.slice(skill.length + 1), path.join(base, file)] as const)
      skills.set(prefix + skill, new Map(below))
    }
  }
  return skills
}
