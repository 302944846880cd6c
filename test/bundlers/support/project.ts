import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { CompiledSkill } from '@embed-skills/compiler'
import { writeHostileTree } from '../../support/hostile-tree.ts'

export interface Project {
  readonly root: string
  readonly globs: readonly string[]
  /** The module that imports the skills and writes down all that it has of them. */
  readonly entry: string
}

/** What a set says of itself: each skill's rows, and each content with its slot. */
export type Dump = Record<string, { rows: unknown[]; contents: Record<string, string> }>

/** Writes every skill of every import, in JSON of ASCII alone, to standard output. */
const ENTRY = `
import all from 'virtual:skills'
import one from 'virtual:skills/contents'
import single from './skills/names/SKILL.md?skill'

async function dump({ skills, load }) {
  const entries = []
  for (const [uri, json] of Object.entries(skills)) {
    const [frontmatter, ...rows] = JSON.parse(json)
    const contents = {}
    for (const [path, , , , group, slot] of rows)
      if (slot !== undefined) contents['/' + path] = slot[0] + (await (await load(group))[slot])
    entries.push([uri, { rows: [frontmatter, ...rows.map((row) => row.slice(0, 4))], contents }])
  }
  return Object.fromEntries(entries)
}

// Farm knows no await at the top of a module.
async function main() {
  const dumps = { all: await dump(all), one: await dump(one), single: await dump(single) }
  const escape = (char) => '\\\\u' + char.charCodeAt(0).toString(16).padStart(4, '0')
  console.log(JSON.stringify(dumps).replace(/[^ -~]/g, escape))
}
main()
`

/** A folder whose own name is hard to take, with hostile skills in it. */
export async function writeProject(): Promise<Project> {
  const root = path.join(
    await realpath(await mkdtemp(path.join(tmpdir(), 'embed-skills-bundlers-'))),
    'pro (x) [y] é',
  )
  const globs = await writeHostileTree(root)
  await mkdir(root, { recursive: true })
  const entry = path.join(root, 'entry.js')
  await writeFile(entry, ENTRY)
  await writeFile(path.join(root, '../package.json'), '{ "type": "module" }')
  return { root, globs, entry }
}

/** What the bundle must say: the frontmatter, the rows and every byte, from what the compiler gave. */
export function expectedDump(
  skills: readonly CompiledSkill[],
  uriOf = (skill: CompiledSkill) => skill.uri,
): Dump {
  return Object.fromEntries(
    skills.map((skill) => {
      const root = skill.uri.slice(0, -'SKILL.md'.length)
      const rows = skill.files.map(({ uri, mimeType, size, digest }) => [
        uri.slice(root.length),
        mimeType,
        size,
        digest.slice('sha256:'.length),
      ])
      const empty = skill.emptyDirectories.map((folder) => [encodeURI(folder), 'inode/directory'])
      const contents = Object.fromEntries(
        skill.files.map(({ uri, kind, bytes }) => [
          `/${uri.slice(root.length)}`,
          kind === 'text'
            ? `t${new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)}`
            : `b${Buffer.from(bytes).toString('base64')}`,
        ]),
      )
      return [uriOf(skill), { rows: [skill.frontmatter, ...rows, ...empty], contents }]
    }),
  )
}

export function digestOf(value: string): string {
  return createHash('sha256').update(value).digest('hex')
}
