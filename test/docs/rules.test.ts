import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { rules } from '../../packages/compiler/src/rules/index.ts'

const page = path.join(import.meta.dirname, '../../docs/rules.md')
const HEADING = '## All rules\n'

/** The rest of the page, after its heading. `vitest run test/docs/rules -u` writes it. */
function table(): string {
  const rows = rules.map(({ id, severity, fixed, description }) => [
    `\`${id}\``,
    fixed ? `${severity}, always` : severity,
    description,
  ])
  const head = ['id', 'severity', 'what it asks for']
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length)))
  const line = (cells: string[], fill = ' '): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!, fill)).join(' | ')} |\n`
  return [line(head), line(['', '', ''], '-'), ...rows.map((row) => line(row))].join('')
}

test('docs/rules.md has every rule, as the compiler has it', async () => {
  const [prose] = (await readFile(page, 'utf8')).split(HEADING)
  await expect(`${prose}${HEADING}\n${table()}`).toMatchFileSnapshot(page)
})
