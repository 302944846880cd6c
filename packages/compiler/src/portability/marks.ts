import type { ScalarFact } from '../frontmatter/json.ts'
import type { Position } from '../frontmatter/text.ts'
import { positionAt } from '../frontmatter/text.ts'
import type { AddView, Refusal } from './compare.ts'

const OTHERS = ['PyYAML', 'Go']

/** Characters that YAML 1.1 does not allow in a document. */
// eslint-disable-next-line no-control-regex -- those are what is looked for
const UNPRINTABLE = /[\0-\x08\v\f\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/u

/** What single characters do in PyYAML and Go's yaml.v3, both of which are children of libyaml. */
export function* marksIn(yaml: string, scalars: readonly ScalarFact[], add: AddView): Generator<Refusal> {
  const at = (offset: number): Position => {
    const { line, column } = positionAt(yaml, offset)
    return { line: line + 1, column }
  }
  const odd = UNPRINTABLE.exec(yaml)
  if (odd !== null) {
    const code = odd[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
    yield { readers: OTHERS, reason: `the character U+${code} is not allowed`, at: at(odd.index) }
  }
  const tab = firstBareTab(yaml, scalars)
  if (tab !== undefined) {
    // libyaml reads past a tab behind a value, and PyYAML past none.
    const separates = /[:-][\t ]*$/.test(yaml.slice(0, tab))
    yield { readers: separates ? OTHERS : ['PyYAML'], reason: 'a tab cannot stand there', at: at(tab) }
  }
  for (const scalar of scalars) {
    const text = yaml.slice(scalar.start, scalar.end)
    for (const reader of OTHERS) {
      // Line breaks in YAML 1.1, and plain characters in 1.2.
      const breaks = scalar.style === 'plain' || scalar.style === 'block' ? /[\u0085\u2028\u2029]/ : /\u0085/
      if (breaks.test(text)) add(scalar, reader, 'a line break in it')
      if (scalar.style === 'double' && /\\u[dD][89a-fA-F]/.test(text)) {
        add(scalar, reader, reader === 'Go' ? 'an error' : 'two characters that are none')
      }
    }
  }
}

/** The first tab that is neither content nor comment. */
function firstBareTab(yaml: string, scalars: readonly ScalarFact[]): number | undefined {
  for (const { index } of yaml.matchAll(/\t/g)) {
    const isContent = scalars.some(
      ({ style, start, end }) => style !== 'plain' && start <= index && index < end,
    )
    const before = yaml.slice(yaml.lastIndexOf('\n', index) + 1, index)
    if (!isContent && !/(?:^|\s)#/.test(before)) return index
  }
  return undefined
}
