import type { FoundPattern } from '../discover/discover.ts'
import { skillMd } from './rule.ts'
import type { Context, Rule } from './rule.ts'

/** Those of a path on Windows: ahead of a letter or of a last `*`. Others keep a character from being a wildcard. */
const BACKSLASHES = /\\[\w.]|\\\*+$/

/** A glob that finds nothing is a typing error far more often than an empty folder. */
export const noSkills: Rule = {
  id: 'no-skills',
  severity: 'error',
  description: 'Every source matches at least one skill folder.',
  why: 'A glob that finds nothing is a typing error far more often than an empty folder, and the set would be published without its skills.',
  bad: { files: { 'skills/refunds/SKILL.md': skillMd('refunds') }, sources: 'skils/*' },
  good: { files: { 'skills/refunds/SKILL.md': skillMd('refunds') }, sources: 'skills/*' },
  pattern(found, report, { relative }) {
    if (found.matched) return
    const { pattern, only } = found
    const name = pattern === '.' && only !== undefined ? relative(only) : pattern
    report({
      message: `\`${name}\` matches no skill folder`,
      help: helpFor(found, relative),
      file: relative(found.base),
    })
  },
}

function helpFor({ pattern, source, ...found }: FoundPattern, relative: Context['relative']): string {
  const base = relative(found.base)
  const { origin } = source
  if (found.unreadable.some(({ folder }) => folder === found.base)) return `\`${base}\` cannot be read.`
  if (/^(['"]).*\1$/.test(pattern))
    return 'The quotes are part of the glob: leave them out. cmd.exe on Windows keeps single quotes, and takes double ones.'
  if (BACKSLASHES.test(pattern)) return `Write \`/\` between folders: \`${pattern.replaceAll('\\', '/')}\`.`
  if (!found.baseExists)
    return origin !== undefined && 'package' in origin
      ? `Install \`${origin.package}\`, or name with \`from\` the folders in it that are skills.`
      : `There is no folder \`${base}\`. Mend the path, or set \`base\` to the folder that it starts from.`
  if (/(?:^|\/)SKILL\.md$/.test(pattern)) return 'A glob names the folders of skills: leave out `/SKILL.md`.'
  if (found.deep) return `No folder below \`${base}\` holds a file named \`SKILL.md\`.`
  if (found.onlyIsFile)
    return `This is a file. Name the folders of skills; if a shell made files of a glob, put the glob in quotes.`
  if (found.only !== undefined) return `There is no folder \`${relative(found.only)}\`. Mend the path.`
  return `\`${base}\` holds no such folder. Write \`\\\` before each \`( ) [ ] { } * ? !\` of a name.`
}
