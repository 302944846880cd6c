import type { SyntaxFault } from '../frontmatter/parse.ts'
import { quoteLine, quoteOnly } from '../frontmatter/quote.ts'
import type { Quoted } from '../frontmatter/quote.ts'
import type { Fix } from '../types.ts'
import { frontmatter } from './rule.ts'
import type { Finding, Rule } from './rule.ts'

export const yamlSyntax: Rule = {
  id: 'yaml-syntax',
  severity: 'error',
  description: 'The frontmatter is valid YAML.',
  why: 'Frontmatter that is no YAML has no name and no description, for any host. It is never repaired silently, since hosts read the same bytes again. `check --fix` puts the quotes in where they are all that is missing.',
  bad: {
    files: {
      'skills/refunds/SKILL.md': frontmatter('name: refunds', 'description: Use when: a customer asks'),
    },
  },
  good: {
    files: {
      'skills/refunds/SKILL.md': frontmatter('name: refunds', 'description: "Use when: a customer asks"'),
    },
  },
  skill({ manifest }, report) {
    if (manifest === undefined) return
    const { syntax, yaml = '' } = manifest
    const duplicates = syntax.filter((fault) => fault.code === 'DUPLICATE_KEY')
    // One slip makes the parser stumble over all that follows: only its first complaint says something.
    const first = syntax.find((fault) => fault.code !== 'DUPLICATE_KEY')
    for (const fault of duplicates) {
      report({ message: 'A key stands here twice', help: 'Keep one of the two.', at: fault.at })
    }
    if (first !== undefined) report(describe(first, yaml))
  },
}

function describe(fault: SyntaxFault, yaml: string): Finding {
  const { at } = fault
  if (fault.code === 'TAB_AS_INDENT') {
    return { message: 'YAML is not indented with tabs', help: 'Indent with blanks.', at }
  }
  // The parser may notice only where the next line begins.
  const line = fault.code === 'BAD_INDENT' && at.column === 1 ? at.line - 1 : at.line
  const quoted = quoteLine(yaml, line - 1)
  if (quoted !== undefined) {
    const place = quoted.because === 'other' ? at : { line, column: quoted.column }
    const fix = fixOf(quoted, line)
    return { message: reason(quoted, fault), help: `Quote the value: ${quoted.line}`, at: place, fix }
  }
  // A Markdown heading is a comment to YAML, so that it stumbles only over the text below.
  const heading = /^[\t ]*\n#{1,6} \S/m.exec(yaml)
  if (heading !== null && yaml.slice(0, heading.index).split('\n').length + 1 < at.line) {
    return {
      message: 'This is no YAML',
      help: 'Close the frontmatter: put a line `---` after its last field.',
      at,
    }
  }
  if (fault.code === 'BLOCK_AS_IMPLICIT_KEY') {
    return { message: 'A value without quotes cannot hold `: `', help: 'Put the value in quotes.', at }
  }
  return { message: sentence(fault.message), help: 'Mend the YAML here; when in doubt, quote the value.', at }
}

/** Only where quotes are all that can have been meant: no second pair of them, and no comment behind the value. */
function fixOf({ value, column }: Quoted, line: number): Fix | undefined {
  const to = quoteOnly(value)
  return to === undefined || /^["']|\s#/.test(value) ? undefined : { line, column, from: value, to }
}

function reason({ key, value, because }: Quoted, fault: SyntaxFault): string {
  if (because === 'colon')
    return `The value of \`${key}\` holds \`: \`, which makes YAML read another key there`
  if (because === 'start')
    return `The value of \`${key}\` begins with \`${value[0]}\`, which means something else in YAML`
  return sentence(fault.message)
}

function sentence(message: string): string {
  return message.replace(/ at line \d+, column \d+:?[^]*$/, '')
}
