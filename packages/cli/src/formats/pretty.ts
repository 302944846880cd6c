import { readFileSync } from 'node:fs'
import { formatDiagnostic, summarize } from '@embed-skills/compiler'
import { count } from '../count.ts'
import type { Format } from './format.ts'

/** For people: each diagnostic with the lines around its place, and a count. */
const pretty: Format = ({ skills, diagnostics }, { root, colour }) => {
  const read = createReader()
  const blocks = diagnostics.map((diagnostic) => `${formatDiagnostic(diagnostic, { root, colour, read })}\n`)
  const files = skills.reduce((count, skill) => count + skill.files.length, 0)
  const summary = [`${count(skills.length, 'skill')}, ${count(files, 'file')}`, summarize(diagnostics)]
  return [...blocks, summary.filter(Boolean).join(': ')].join('\n')
}
export default pretty

/** Reads each file once, however many diagnostics are about it. */
function createReader(): (file: string) => string | undefined {
  const texts = new Map<string, string | undefined>()
  return (file) => {
    if (!texts.has(file)) texts.set(file, textOf(file))
    return texts.get(file)
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
