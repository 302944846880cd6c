import path from 'node:path'
import type { Diagnostic } from '@embed-skills/compiler'
import type { Format } from './format.ts'

const LEVELS = { error: 'error', warning: 'warning', info: 'notice' } as const

/** Workflow commands, which GitHub shows at the lines of a pull request. */
const github: Format = ({ diagnostics }, { root }) =>
  diagnostics.map((diagnostic) => annotation(diagnostic, root)).join('\n')
export default github

function annotation({ rule, severity, message, help, file, line, column }: Diagnostic, root: string): string {
  const fields = {
    file: pathInRepository(root, file),
    ...(line !== undefined && { line, col: column ?? 1 }),
    title: `embed-skills: ${rule}`,
  }
  const properties = Object.entries(fields).map(([key, value]) => `${key}=${property(String(value))}`)
  return `::${LEVELS[severity]} ${properties.join(',')}::${data(`${message}\n${help}`)}`
}

/** Annotations start from the repository, wherever the command runs. */
function pathInRepository(root: string, file: string): string {
  const workspace = process.env['GITHUB_WORKSPACE']
  return workspace ? path.relative(workspace, path.join(root, file)).split(path.sep).join('/') : file
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
