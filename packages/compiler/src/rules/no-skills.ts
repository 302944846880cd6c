import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

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
    const base = relative(found.base)
    const { origin } = found.source
    const help = /^(['"]).*\1$/.test(found.pattern)
      ? `The quotes are part of the glob: leave them out. cmd.exe on Windows keeps single quotes, and takes double ones.`
      : BACKSLASHES.test(found.pattern)
        ? `Write \`/\` between folders: \`${found.pattern.replaceAll('\\', '/')}\`.`
        : !found.baseExists
          ? origin !== undefined && 'package' in origin
            ? `Install \`${origin.package}\`, or name with \`from\` the folders in it that are skills.`
            : `There is no folder \`${base}\`. Mend the path, or set \`base\` to the folder that it starts from.`
          : /(?:^|\/)SKILL\.md$/.test(found.pattern)
            ? `A glob names the folders of skills: leave out \`/SKILL.md\`.`
            : found.deep
              ? `No folder below \`${base}\` holds a file named \`SKILL.md\`.`
              : `\`${base}\` holds no such folder. Write \`\\\` before each \`( ) [ ] { } * ? !\` of a name.`
    report({ message: `\`${found.pattern}\` matches no skill folder`, help, file: base })
  },
}
