import { quote } from '../frontmatter/quote.ts'
import { skillMd } from './rule.ts'
import type { Finding, Rule } from './rule.ts'

/** Passed on as it is: hosts read all three forms, but the text alone is in the Agent Skills rules. */
export const allowedTools: Rule = {
  id: 'allowed-tools',
  severity: 'info',
  description: '`allowed-tools`, if given, is a text with blanks between the tools.',
  why: 'Hosts take lists and commas as well, but the Agent Skills form is one text: `Read Bash(git:*)`. It is passed on as it is written, and a host ignores it unless its user approves.',
  bad: {
    files: { 'skills/refunds/SKILL.md': skillMd('refunds', { fields: 'allowed-tools: [Read, Grep]\n' }) },
  },
  good: {
    files: { 'skills/refunds/SKILL.md': skillMd('refunds', { fields: 'allowed-tools: Read Grep\n' }) },
  },
  skill({ manifest }, report) {
    const value = manifest?.frontmatter?.['allowed-tools']
    if (value === undefined) return
    const say = (message: string, help: string): void =>
      report({ message, help, at: manifest?.locate(['allowed-tools'], 'value') } satisfies Finding)
    if (typeof value === 'string') {
      if (/,(?![^(]*\))/.test(value)) {
        say('`allowed-tools` has commas between its tools', `Leave them out: allowed-tools: ${spaced(value)}`)
      }
    } else if (Array.isArray(value) && value.every((tool) => typeof tool === 'string')) {
      say('`allowed-tools` is a list', `Write it as one text: allowed-tools: ${spaced(value.join(','))}`)
    } else {
      say('`allowed-tools` is not a string', 'Write the names of the tools in one text.')
    }
  },
}

/** With blanks in the place of commas that are in no parentheses. */
function spaced(tools: string): string {
  const text = tools.replaceAll(/\s*,\s*(?![^(]*\))/g, ' ').trim()
  return /^[A-Za-z][\w ()*-]*$/.test(text) ? text : quote(text)
}
