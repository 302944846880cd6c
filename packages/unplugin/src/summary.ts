import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Compilation } from './compilation.ts'
import type { ContentChoice } from './content.ts'
import { labelOf } from './macro/ids.ts'

/** To compress more than this takes longer than it is worth. */
const MOST = 64 * 1024 * 1024

/**
 * What was compiled, in one line: `12 skills · 48 files · 212 kB │ gzip 61 kB │ inline: …`.
 *
 * @param gzips Whether to say how large the contents are when compressed. It happens in another thread.
 */
export async function summaryOf(
  compilation: Compilation,
  { content, reason }: ContentChoice,
  gzips: boolean,
): Promise<string> {
  const { id, templates, bytes } = compilation
  const skills = [...compilation.skills, ...templates]
  const contents = new Map(skills.flatMap(({ files }) => files.map((file) => [file.digest, file.bytes])))
  const files = new Set(skills.flatMap((skill) => skill.files.map(({ uri }) => uri))).size
  const compressed =
    gzips && bytes <= MOST ? (await promisify(gzip)(Buffer.concat([...contents.values()]))).length : undefined
  const rendered = templates.length > 0 ? ` (${templates.length} of templates)` : ''
  const sizes = `${count(skills.length, 'skill')}${rendered} · ${count(files, 'file')} · ${kilobytes(bytes)}`
  const parts = [sizes, compressed !== undefined && `gzip ${kilobytes(compressed)}`, `${content}: ${reason}`]
  const name = id === 'virtual:skills' ? '' : `${labelOf(id)} `
  return name + parts.filter(Boolean).join(' │ ')
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function kilobytes(bytes: number): string {
  const kB = bytes / 1000
  return `${kB < 10 ? kB.toFixed(1) : Math.round(kB)} kB`
}
