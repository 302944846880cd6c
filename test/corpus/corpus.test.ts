import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { compile } from '@embed-skills/compiler'
import type { CompiledSkill } from '@embed-skills/compiler'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { expect, test } from 'vitest'
import { connect } from '../support/client.ts'
import { importSkills } from '../support/modules.ts'
import { kinds, listen } from '../support/servers.ts'
import { temporaryFolder } from '../support/tree.ts'

/*
 * Real skills are not ours to keep in the repository: this runs where an archive of them is at hand, in
 * `EMBED_SKILLS_CORPUS` or beside the repository.
 */
const beside = path.join(import.meta.dirname, '../../../shared/corpus/real-skills.tar.gz')
const archive = process.env['EMBED_SKILLS_CORPUS'] ?? beside
const isThere = existsSync(archive)
if (!isThere) console.log(`Skipped: there is no archive of real skills at ${archive}`)

let skills: Promise<readonly CompiledSkill[]> | undefined

/** All skills without an error, each at the path where the archive has it. */
async function realSkills(): Promise<readonly CompiledSkill[]> {
  const root = temporaryFolder()
  execFileSync('tar', ['xzf', archive, '-C', root])
  makePrefixes(root)
  return (await compile('**', { root })).skills
}

/** Folders above skills are named after repositories, as no prefix may be. */
function makePrefixes(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const found = path.join(folder, entry.name)
    if (!entry.isDirectory() || existsSync(path.join(found, 'SKILL.md'))) continue
    const renamed = path.join(folder, entry.name.replace(/^\W+/, '').replaceAll('+', '-'))
    if (renamed !== found) renameSync(found, renamed)
    makePrefixes(renamed)
  }
}

test.skipIf(!isThere).each(['inline', 'chunks'] as const)(
  'real skills are served as they are on disk, and verified by a client: %s',
  async (content) => {
    skills ??= realSkills()
    const real = await skills
    expect(real.length).toBeGreaterThan(50)
    const { listener } = kinds[0]!
    await using server = await listen(listener(await importSkills(real, content)))
    await using connection = await connect(server.url, 'modern')
    const reader = new SkillsClient(connection.client)
    const listed = await reader.list()
    expect(listed.skills.map(({ uri }) => uri)).toEqual(real.map(({ uri }) => uri))

    const different: string[] = []
    let verified = 0
    const waiting = real.flatMap((skill, index) =>
      skill.files.map((file) => ({ file, entry: listed.skills[index]! })),
    )
    const work = async (): Promise<void> => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const served = await reader.read(next.entry, next.file.uri)
        if (!served.verified || !Buffer.from(served.bytes).equals(next.file.bytes))
          different.push(next.file.uri)
        verified++
      }
    }
    await Promise.all(Array.from({ length: 8 }, work))
    expect(different).toEqual([])
    console.log(`${content}: ${real.length} real skills, ${verified} files verified`)
  },
)
