import type { SubsetFault } from '../frontmatter/json.ts'
import { quoteLine } from '../frontmatter/quote.ts'
import { frontmatter } from './rule.ts'
import type { Rule } from './rule.ts'

const TEXTS: Record<SubsetFault['kind'], readonly [message: string, help: string]> = {
  anchor: ['Anchors (`&`) are refused by some hosts', 'Write the value out where it is used.'],
  alias: ['Aliases (`*`) are refused by some hosts', 'Write the value out.'],
  tag: [
    'Tags (`!`) are refused by some hosts',
    'Leave the tag out, and quote the value if it is meant as text.',
  ],
  merge: ['A merge key (`<<`) is a key to some hosts and an instruction to others', 'Write the fields out.'],
  'key-layout': [
    'A key over several lines, or with a blank between it and its colon, is refused by some hosts',
    'Write `key: value`, the colon right after the key.',
  ],
  'explicit-key': [
    'Explicit keys (`?`) are refused by some hosts',
    'Write `key: value`, a key that begins with `?` in quotes.',
  ],
  'multiline-quotes': [
    'A quoted value that goes on over several lines is refused by some hosts',
    'Put it on one line, or write `>-` and the text on indented lines below.',
  ],
  'unclosed-quotes': [
    'The quoted value is not closed: a quote after a backslash is part of the text',
    'Put one more `"` at its end, or write the text in single quotes.',
  ],
  'multiline-flow': [
    'A `[…]` or `{…}` that goes on over several lines is refused by some hosts',
    'Put it on one line, or write one `- item` or `key: value` a line.',
  ],
  'indentation-indicator': [
    'A block value with a digit in its header is refused by some hosts',
    'Write `|` or `>` alone, with the first line of the text indented least.',
  ],
  'flow-entry': [
    'An entry of a `[…]` or `{…}` that is no plain `key: value` or value is refused by some hosts',
    'Write each entry of `{…}` as `key: value`, and quote a text that holds `: `.',
  ],
  depth: ['Values nested over 32 levels deep are refused by some hosts', 'Make it flatter.'],
  'top-level-flow': ['Frontmatter in braces is refused by some hosts', 'Write one `key: value` a line.'],
  marker: ['A document marker inside the frontmatter is refused by some hosts', 'Remove the line.'],
  bom: ['A byte order mark inside the frontmatter is refused by some hosts', 'Remove it.'],
  'carriage-return': [
    'A lone carriage return is a line break to some hosts and none to others',
    'Save the file with LF (or CRLF) line endings.',
  ],
  tab: ['A tab as indentation is refused by some hosts', 'Indent with blanks.'],
}

/** Written in characters that a text may begin with, so that quotes are the likelier fix. */
const OFTEN_TEXT = new Set<SubsetFault['kind']>(['anchor', 'alias', 'tag', 'flow-entry'])

/**
 * Valid YAML that the official SDK's built-in reader refuses, on servers and in clients: such a skill is not
 * listed, or dropped when a host verifies it.
 */
export const yamlSubset: Rule = {
  id: 'yaml-subset',
  severity: 'error',
  description: 'The frontmatter keeps to the YAML that the official MCP client reads.',
  why: "Valid YAML that the official SDK's built-in reader refuses, on servers and in clients: such a skill is not listed, or dropped when a host verifies it. Anchors and aliases are among it, so that no document can grow without bounds.",
  bad: {
    files: {
      'skills/refunds/SKILL.md': frontmatter(
        'name: refunds',
        'description: "Handles refunds',
        '  and credit notes."',
      ),
    },
  },
  good: {
    files: {
      'skills/refunds/SKILL.md': frontmatter(
        'name: refunds',
        'description: >-',
        '  Handles refunds',
        '  and credit notes.',
      ),
    },
  },
  strict: true,
  skill({ manifest, portability }, report, already) {
    const faults = manifest?.subset ?? []
    // Asked itself, in case that a version of it refuses more than is known here.
    if (portability.official !== undefined && faults.length + already === 0) {
      report({
        message: `The official SDK refuses the skill: ${portability.official}`,
        help: 'Write it in a simpler way: one `key: value` a line, the value in quotes.',
        at: { line: 1, column: 1 },
      })
    }
    for (const { kind, at } of faults) {
      const [message, help] = TEXTS[kind]
      const quoted = OFTEN_TEXT.has(kind) ? quoteLine(manifest?.yaml ?? '', at.line - 1) : undefined
      report({ message, help: quoted === undefined ? help : `${help} If it is text: ${quoted.line}`, at })
    }
  },
}
