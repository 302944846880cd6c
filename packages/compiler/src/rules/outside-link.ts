import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

/** Looks at all skills, since what lies outside of one may be another. */
export const outsideLink: Rule = {
  id: 'outside-link',
  severity: 'warning',
  description: 'A link out of the skill leads to something that is served.',
  why: 'A client resolves links against the URI of the file, and the first segment of a skill path is an authority, above which nothing can lead: in `skill://refunds/SKILL.md`, `../billing/SKILL.md` is `skill://refunds/billing/SKILL.md`. With a `prefix` it is the sibling that is meant: `skill://acme/billing/SKILL.md`.',
  bad: {
    files: {
      'skills/refunds/SKILL.md': skillMd('refunds', { body: 'See [billing](../billing/SKILL.md).\n' }),
      'skills/billing/SKILL.md': skillMd('billing'),
    },
  },
  good: {
    files: {
      'skills/refunds/SKILL.md': skillMd('refunds', { body: 'See [billing](../billing/SKILL.md).\n' }),
      'skills/billing/SKILL.md': skillMd('billing'),
    },
    sources: { from: 'skills/*', prefix: 'acme' },
  },
  set(skills, report) {
    const outside = skills.flatMap((skill) => skill.outside.map((link) => ({ skill, link })))
    if (outside.length === 0) return
    const served = new Set(skills.flatMap(({ files }) => files.map((file) => file.uri)))
    const onDisk = new Set(
      skills.flatMap(({ files, location }) => files.map(({ path }) => `${location}/${path}`)),
    )
    for (const { skill, link } of outside) {
      if (served.has(link.uri)) continue
      // An inner skill is part of the one around it, which may well hold what its links lead to.
      const isSibling = onDisk.has(link.onDisk)
      report(skill, {
        message: `\`${link.target}\` leads out of the skill, to \`${link.uri}\`, where nothing is served`,
        help: isSibling
          ? 'Give the source a `prefix`, so that skills are siblings in their URIs too, or name the other skill.'
          : 'Put a copy of the file into the skill, or name in words what is meant.',
        file: link.file,
        at: link.at,
      })
    }
  },
}
