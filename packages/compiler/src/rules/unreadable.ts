import { leftOutRule } from './left-out.ts'
import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

const CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'it vanished meanwhile',
  EMFILE: 'too many open files',
}

const explain = (failure = ''): string => `It cannot be read: ${CAUSES[failure] ?? failure}`
const HELP = 'Make it readable, remove it, or name it in `ignore`.'

const inside = leftOutRule({
  id: 'unreadable',
  severity: 'error',
  description: 'Everything that a glob leads to can be read.',
  why: 'What cannot be read cannot be served, and a skill without some of its files is another skill.',
  bad: {
    files: {
      'skills/refunds/SKILL.md': skillMd('refunds'),
      'skills/refunds/policy.md': { special: 'unreadable' },
    },
  },
  good: {
    files: { 'skills/refunds/SKILL.md': skillMd('refunds'), 'skills/refunds/policy.md': 'Thirty days.\n' },
  },
  message: ({ failure }) => explain(failure),
  help: HELP,
})

export const unreadable: Rule = {
  ...inside,
  pattern(found, report, { relative }) {
    for (const { folder, failure } of found.unreadable) {
      report({ message: explain(failure), help: HELP, file: relative(folder) })
    }
  },
}
