import { formatDiagnostic, summarize } from '@embed-skills/compiler'
import type { Format } from './format.ts'

/** For people: each diagnostic with the lines around its place, and a count. */
const pretty: Format = ({ skills, diagnostics }, { root, colour }) => {
  const blocks = diagnostics.map((diagnostic) => `${formatDiagnostic(diagnostic, { root, colour })}\n`)
  const files = skills.reduce((count, skill) => count + skill.files.length, 0)
  const summary = [`${skills.length} skills, ${files} files`, summarize(diagnostics)]
  return [...blocks, summary.filter(Boolean).join(': ')].join('\n')
}
export default pretty
