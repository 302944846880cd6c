import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'
import { linksOf } from './skill-links.ts'

export const leftOutLink: Rule = {
  id: 'left-out-link',
  severity: 'warning',
  description: 'No link leads to a file that is left out of the skill.',
  why: 'The file is there on the disk, so that the link works for its author; but it is not served, because of its name or because it is a symlink.',
  bad: {
    files: {
      'skills/refunds/SKILL.md': skillMd('refunds', { body: 'Copy the [settings](.settings.json).\n' }),
      'skills/refunds/.settings.json': '{}',
    },
    rules: { 'dot-name': 'off' },
  },
  good: {
    files: {
      'skills/refunds/SKILL.md': skillMd('refunds', { body: 'Copy the [settings](.settings.json).\n' }),
      'skills/refunds/.settings.json': '{}',
    },
    sources: { from: 'skills/*', include: ['**/.settings.json'] },
  },
  skill(skill, report) {
    for (const { link, to, file, leads, at } of linksOf(skill)) {
      if (leads !== 'left out') continue
      report({
        message: `\`${link.target}\` leads to \`${to}\`, which is left out`,
        help: 'Rename the file, take it in with `include`, or put a copy in the place of a symlink.',
        file: `${skill.location}/${file.path}`,
        at,
      })
    }
  },
}
