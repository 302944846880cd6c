import { renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { expect } from 'vitest'
import { connect } from '../support/client.ts'
import { skillMd, writeTree } from '../support/tree.ts'

/** Every file that a server serves, by URI. */
export type Served = Readonly<Record<string, string>>

/** What a fresh project holds, by path below it. */
export const FILES: Readonly<Record<string, string>> = {
  'skills/first/SKILL.md': skillMd('first'),
  'skills/first/notes.md': 'Notes',
  'skills/second/SKILL.md': skillMd('second'),
}

/** Everything that the official client reads and verifies. */
export async function readAll(url: string): Promise<Served> {
  await using connection = await connect(url, 'legacy')
  const reader = new SkillsClient(connection.client)
  const { skills } = await reader.list()
  const served: Record<string, string> = {}
  for (const skill of skills)
    for (const { uri } of skill.resources as { uri: string }[]) {
      const file = await reader.read(skill, uri)
      served[uri] = Buffer.from(file.bytes).toString()
    }
  return served
}

const uris = (files: Readonly<Record<string, string>>): Served =>
  Object.fromEntries(
    Object.entries(files).map(([file, text]) => [file.replace('skills/', 'skill://'), text] as const),
  )

/** Edits a project as people do, one thing after the other; each has to be served without a restart. */
export const EDITS: readonly (readonly [
  what: string,
  edit: (root: string) => void,
  files: Readonly<Record<string, string>>,
])[] = edits()

function edits(): typeof EDITS {
  let files = { ...FILES }
  const list: [string, (root: string) => void, Readonly<Record<string, string>>][] = []
  const step = (
    what: string,
    edit: (root: string) => void,
    change: (files: Record<string, string>) => Record<string, string>,
  ): void => {
    files = change({ ...files }) as typeof files
    list.push([what, edit, { ...files }])
  }
  const write = (what: string, file: string, text: string): void =>
    step(
      what,
      (root) => writeTree({ [file]: text }, root),
      (files) => ({ ...files, [file]: text }),
    )
  const remove = (what: string, target: string): void =>
    step(
      what,
      (root) => rmSync(path.join(root, target), { recursive: true }),
      (files) =>
        Object.fromEntries(Object.entries(files).filter(([file]) => !`${file}/`.startsWith(`${target}/`))),
    )

  write('a changed file', 'skills/first/notes.md', 'Other notes')
  write('a changed SKILL.md', 'skills/first/SKILL.md', skillMd('first', 'license: MIT\n'))
  write('an added file', 'skills/first/more.md', 'More')
  write('a file in an added folder', 'skills/first/deep/er/file.md', 'Deep')
  write('an added skill', 'skills/third/SKILL.md', skillMd('third'))
  write('a file added to that skill', 'skills/third/x.md', 'X')
  step(
    'a renamed file',
    (root) => renameSync(path.join(root, 'skills/first/more.md'), path.join(root, 'skills/first/renamed.md')),
    ({ 'skills/first/more.md': text, ...files }) => ({ ...files, 'skills/first/renamed.md': text! }),
  )
  step(
    'a renamed skill',
    (root) => {
      renameSync(path.join(root, 'skills/second'), path.join(root, 'skills/fourth'))
      writeTree({ 'skills/fourth/SKILL.md': skillMd('fourth') }, root)
    },
    ({ 'skills/second/SKILL.md': _, ...files }) => ({
      ...files,
      'skills/fourth/SKILL.md': skillMd('fourth'),
    }),
  )
  remove('a removed file', 'skills/first/renamed.md')
  remove('a removed folder', 'skills/first/deep')
  remove('a removed skill', 'skills/third')
  write('a skill that is back', 'skills/third/SKILL.md', skillMd('third'))
  return list
}

/** After a moment: chokidar, which Vite watches with, drops what happens within 50 ms of the change before. */
export async function asPeopleDo(edit: (root: string) => void, root: string): Promise<void> {
  await setTimeout(150)
  edit(root)
}

export function expected(files: Readonly<Record<string, string>>): Served {
  return uris(files)
}

/** A skill that no host would take, and where it says so. */
export const BROKEN = {
  file: 'skills/first/SKILL.md',
  text: '---\nname: other\ndescription: Does it.\n---\n',
  line: 2,
  column: 7,
  rule: 'name-mismatch',
}

/** The place and the code frame in what a person sees. */
export function expectPlace(error: unknown, root: string): void {
  expect(error).toMatchObject({
    message: expect.stringContaining(`\`name\` is \`other\`, but the folder is \`first\` [${BROKEN.rule}]`),
    plugin: 'embed-skills',
    loc: { file: path.join(root, BROKEN.file), line: BROKEN.line, column: BROKEN.column - 1 },
    frame: expect.stringMatching(/> 2 \| name: other\n.*\^/),
  })
}
