import path from 'node:path'
import { emitFiles, leftovers } from '@embed-skills/compiler'
import type { CompiledSkill, CompileResult, Output } from '@embed-skills/compiler'
import type { Io } from '../command.ts'
import type { BuildOptions } from './options.ts'
import { countSkills } from '../count.ts'
import { holdTemplates } from '../project.ts'

/** What is to be written, and how its content was chosen. */
export function outputOf(
  { skills, templates }: CompileResult,
  { out, content, encoding }: BuildOptions,
  { cwd }: Io,
): { output: Output; choice: string } {
  const isSmall = totalBytes([...skills, ...templates]) < 1024 ** 2
  const chosen = content ?? (isSmall ? 'inline' : 'chunks')
  const reason = content ? '' : isSmall ? ': below 1 MiB' : ': from 1 MiB on'
  const file = path.basename(out)
  return {
    output: {
      folder: path.resolve(cwd, path.dirname(out)),
      files: emitFiles(skills, { file, content: chosen, encoding, templates }),
      leftovers: leftovers(file),
    },
    choice: chosen + reason,
  }
}

/** A build in one line. */
export function sizes({ skills, templates }: CompileResult): string {
  const bytes = totalBytes([...skills, ...templates])
  const sum = [...countSkills({ skills, templates }), `${Math.ceil(bytes / 1000)} kB`].join(' · ')
  return templates.length > 0 ? `${sum} │ ${holdTemplates(templates)}, for renderSkill` : sum
}

/** Equal files are counted once in bytes, as they are written once. */
function totalBytes(skills: readonly CompiledSkill[]): number {
  const distinct = new Map(skills.flatMap(({ files }) => files.map(({ digest, size }) => [digest, size])))
  return [...distinct.values()].reduce((sum, size) => sum + size, 0)
}
