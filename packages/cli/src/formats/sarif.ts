import type { Diagnostic } from '@embed-skills/compiler'
import { explainRule, rulesTable } from '@embed-skills/compiler'
import type { Log, Result } from 'sarif'
import { version } from '../version.ts'
import type { Format } from './format.ts'

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const

/** SARIF 2.1.0, for code scanning. */
const sarif: Format = ({ diagnostics }) => {
  const table = rulesTable()
  const order = table.map(({ id }) => id)
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'embed-skills',
            version: version(),
            rules: table.map(({ id, severity, description }) => ({
              id,
              shortDescription: { text: description.replaceAll('`', '') },
              help: { text: description.replaceAll('`', ''), markdown: explainRule(id)! },
              defaultConfiguration: { level: LEVELS[severity] },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: diagnostics.map((diagnostic) => resultOf(diagnostic, order)),
      },
    ],
  }
  return JSON.stringify(log, null, 2)
}
export default sarif

function resultOf(
  { rule, severity, message, help, file, line, column }: Diagnostic,
  order: string[],
): Result {
  return {
    ruleId: rule,
    ruleIndex: order.indexOf(rule),
    level: LEVELS[severity],
    message: { text: `${message}. ${help}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: encodeURI(file).replaceAll(/[#?]/g, encodeURIComponent) },
          ...(line !== undefined && { region: { startLine: line, startColumn: column ?? 1 } }),
        },
      },
    ],
  }
}
