import type { Format } from './format.ts'

/** For programs. Skills with errors are among the skills. */
const json: Format = ({ checked, diagnostics }) =>
  JSON.stringify(
    {
      skills: checked.map(({ path, uri, files, bytes }) => ({ path, uri: uri ?? null, files, bytes })),
      diagnostics: diagnostics.map(({ rule, severity, message, file, line, column, help }) => ({
        rule,
        severity,
        message,
        file,
        line: line ?? null,
        column: column ?? null,
        help,
      })),
    },
    null,
    2,
  )
export default json
