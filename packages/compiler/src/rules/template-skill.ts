import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

/** A skill with a template in it has no bytes until it is rendered, so that it is not listed by itself. */
export const templateSkill: Rule = {
  id: 'template-skill',
  severity: 'warning',
  description: 'A skill that is only served when it is rendered says so by its `SKILL.md`.',
  why: 'A skill with a template in it has no bytes until it is rendered, so the set does not list it: only a route of the app serves it. By the name `SKILL.md.eta` everybody sees that; a template that was copied in by chance would take the whole skill off the list.',
  bad: {
    files: {
      'skills/refunds/SKILL.md': skillMd('refunds'),
      'skills/refunds/mail.md.eta': 'Dear <%= it.name %>,\n',
    },
  },
  good: {
    files: {
      'skills/refunds/SKILL.md.eta': skillMd('refunds'),
      'skills/refunds/mail.md.eta': 'Dear <%= it.name %>,\n',
      'skills/returns/SKILL.md': skillMd('returns'),
    },
  },
  skill({ files, templated, location }, report) {
    const first = files.find((file) => file.template !== undefined)
    if (first === undefined || templated.includes('SKILL.md')) return
    report({
      message: `\`${location}\` holds a template, so that it is served by a route that renders it and not by itself`,
      help: `Rename SKILL.md as well if that is meant; else leave the file out with \`ignore\`, or set \`templates: false\`.`,
      file: location,
    })
  },
}
