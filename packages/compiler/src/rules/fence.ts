import type { FenceFault } from '../frontmatter/fence.ts'
import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

const TEXTS: Record<FenceFault, readonly [message: string, help: string]> = {
  none: [
    'SKILL.md has no frontmatter',
    'Begin the file with a line `---`, then `name:` and `description:`, then another line `---`.',
  ],
  late: [
    'Something stands before the frontmatter',
    'Make `---` the very first line: no blank line, comment or code fence may come before it.',
  ],
  opener: [
    'The first line must be `---` and nothing else',
    'Remove what follows the three hyphens, blanks included.',
  ],
  'carriage-return': [
    'The lines end with a lone carriage return',
    'Save the file with LF (or CRLF) line endings.',
  ],
  unclosed: ['The frontmatter is not closed', 'Put a line `---` after the last field.'],
  dots: ['`...` does not close the frontmatter', 'Write `---` instead.'],
}

/** The same fences as the official SDK's: hosts re-parse the file, and refuse what they cannot split. */
export const fence: Rule = {
  id: 'fence',
  severity: 'error',
  description: '`SKILL.md` begins with frontmatter between two lines of `---`.',
  why: 'Hosts split the file again by themselves, and refuse what they cannot split. Some readers take a file without a fence for one without metadata, silently.',
  bad: { files: { 'skills/refunds/SKILL.md': '# Refunds\n\nFollow the steps.\n' } },
  good: { files: { 'skills/refunds/SKILL.md': skillMd('refunds') } },
  skill({ manifest }, report) {
    if (manifest?.fence === undefined) return
    const [message, help] = TEXTS[manifest.fence.fault]
    report({ message, help, at: manifest.fence.at })
  },
}
