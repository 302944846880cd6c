import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { loadConfig, lockFile, readLock } from '@embed-skills/compiler'
import type { SkillsLock } from '@embed-skills/compiler'
import { compareBundleWithLock, inspectBundle } from '@embed-skills/compiler/proof'
import type { BundleFile, BundleProblem } from '@embed-skills/compiler/proof'
import type { Arguments, Io } from '../command.ts'
import { UsageError } from '../command.ts'
import { count } from '../count.ts'
import { usage } from '../project.ts'

/** `embed-skills verify <files>`: 0 if entries, contents and lock agree, 1 if not. */
export async function verifyBundle({ positionals, values }: Arguments, io: Io): Promise<number> {
  if (!positionals.length)
    throw new UsageError(
      'Name a server: its URL, or after -- the command that starts it. Or name a bundle: embed-skills verify dist',
    )
  if (values['header'] !== undefined)
    throw new UsageError('--header is for servers alone, and no server is named')
  const files = (await Promise.all(positionals.map((name) => bundleFiles(name, io.cwd)))).flat()
  if (!files.length)
    throw new UsageError(`There is no .js, .mjs, .cjs or .bin file in ${positionals.join(', ')}`)
  const lock = await lockOf(values, io)
  const inspection = inspectBundle(files)
  const ignoreUnlocked = values['ignore-unlocked'] === true
  const compared = lock && compareBundleWithLock(lock.lock, inspection.entries, { ignoreUnlocked })
  const { skills, files: distinct } = inspection
  const problems = [...inspection.problems, ...(compared?.problems ?? [])]
  const absent = compared?.absent ?? []
  if (values['format'] === 'json') {
    const { entries } = inspection
    const report = { skills: entries, problems, lock: lock ? lock.name : null, absent }
    io.out(JSON.stringify(report, null, 2))
  } else {
    for (const problem of problems) io.err(describe(problem))
    if (!skills) io.err('There are no compiled skills in these files.')
    else if (absent.length > 0) io.err(`Locked, and not in these files: ${absent.join(', ')}`)
    if (!problems.length && skills) {
      const how = lock ? `as their entries and ${lock.name} say` : 'as their entries say'
      io.out(`${count(skills, 'skill')}, ${count(distinct, 'distinct file')}: all ${how}`)
    }
  }
  return problems.length || !skills ? 1 : 0
}

function describe({ skill, file, message }: BundleProblem): string {
  const about = file === undefined ? skill : `${skill.slice(0, -'SKILL.md'.length)}${file}`
  return `${about}: ${message}`
}

/** The lock that is asked for, or the project's own if it has one. */
async function lockOf(
  values: Arguments['values'],
  { cwd }: Io,
): Promise<{ readonly lock: SkillsLock; readonly name: string } | undefined> {
  if (values['no-lock']) return undefined
  const given = values['lock'] as string | undefined
  const configured = given === undefined ? (await usage(() => loadConfig(cwd)))?.config.lock : given
  const file = lockFile(cwd, configured ?? true)
  if (given === undefined && !existsSync(file)) return undefined
  return { lock: await usage(() => readLock(file)), name: path.relative(cwd, file) }
}

const BUNDLED = /\.(?:[cm]?js|bin)$/

/** The file, or everything in the folder that can hold skills. */
async function bundleFiles(name: string, cwd: string): Promise<BundleFile[]> {
  const target = path.resolve(cwd, name)
  const found = await stat(target).catch(() => undefined)
  if (!found) {
    const isAddress = /:\d+|\/\//.test(name)
    throw new UsageError(
      `There is no ${name}${isAddress ? '. The URL of a server begins with https:// or http://' : ''}`,
    )
  }
  if (!found.isDirectory() && !BUNDLED.test(name))
    throw new UsageError(`${name} is no bundle: name what a bundler, or tsc, made of it`)
  if (!found.isDirectory()) return [{ name, bytes: await readFile(target) }]
  const below = await readdir(target, { recursive: true })
  const wanted = below.filter((file) => BUNDLED.test(file) && !file.includes('node_modules')).sort()
  return Promise.all(
    wanted.map(async (file) => ({
      name: path.join(name, file),
      bytes: await readFile(path.join(target, file)),
    })),
  )
}
