import { editDistance } from '../nearest.ts'
import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'
import { linksOf } from './skill-links.ts'

export const brokenLink: Rule = {
  id: 'broken-link',
  severity: 'warning',
  description: 'Every relative link in Markdown leads to a file or folder of the skill.',
  why: 'A model that follows the link asks the server for a file that is not there. Links in code and in HTML comments do not count, nor do those with a placeholder such as `{name}`.',
  bad: {
    files: {
      'skills/refunds/SKILL.md': skillMd('refunds', { body: 'Read the [policy](polcy.md).\n' }),
      'skills/refunds/policy.md': 'Thirty days.\n',
    },
  },
  good: {
    files: {
      'skills/refunds/SKILL.md': skillMd('refunds', { body: 'Read the [policy](policy.md).\n' }),
      'skills/refunds/policy.md': 'Thirty days.\n',
    },
  },
  skill(skill, report) {
    for (const { link, to, file, leads, at } of linksOf(skill)) {
      if (leads !== 'nowhere') continue
      const near = nearTo(
        to,
        skill.files.map(({ path }) => path),
      )
      report({
        message: `\`${link.target}\` leads to nothing: the skill has no \`${to}\``,
        help: near === undefined ? 'Mend the link, or add the file.' : `Is \`${near}\` meant?`,
        file: `${skill.location}/${file.path}`,
        at,
      })
    }
  },
}

/** The file of the same name elsewhere or in another case, or one that is a slip away. */
function nearTo(wanted: string, paths: readonly string[]): string | undefined {
  const name = (path: string): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const isManifest = name(wanted) === 'skill.md'
  const same = isManifest ? undefined : paths.find((path) => name(path) === name(wanted))
  if (same !== undefined) return same
  // A slip of the pen changes a letter or two, hardly the first one of a name.
  return paths.find(
    (path) =>
      Math.abs(path.length - wanted.length) < 3 &&
      name(path)[0] === name(wanted)[0] &&
      editDistance(path, wanted) < 3,
  )
}
