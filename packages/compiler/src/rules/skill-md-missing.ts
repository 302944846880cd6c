import type { SkillDraft } from '../read/skill.ts'
import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

/** A folder that a glob claims as a skill must hold a `SKILL.md` (Agent Skills; the case counts). */
export const skillMdMissing: Rule = {
  id: 'skill-md-missing',
  severity: 'error',
  description: 'A folder that a glob matches holds a file named exactly `SKILL.md`.',
  why: 'A skill is a folder with a file named exactly `SKILL.md`. What a glob claims to be one and is none would silently be missing from the set.',
  bad: { files: { 'skills/refunds/skill.md': skillMd('refunds') } },
  good: { files: { 'skills/refunds/SKILL.md': skillMd('refunds') } },
  skill(skill, report) {
    if (skill.manifest !== undefined) return
    // Said by another rule already: it is there, and could not be read.
    if (skill.leftOut.some((entry) => entry.reason === 'unreadable' && isOwn(skill, entry.file))) return
    report({
      message: `\`${skill.location}\` has no ${skill.mainFile}`,
      help: helpFor(skill),
      file: skill.location,
    })
  },
}

function isOwn(skill: SkillDraft, file: string): boolean {
  return file === skill.location || file === `${skill.location}/${skill.mainFile}`
}

function helpFor(skill: SkillDraft): string {
  const { mainFile } = skill
  const wrongCase = skill.top.find(
    (name) => name !== mainFile && name.toLowerCase() === mainFile.toLowerCase(),
  )
  if (wrongCase !== undefined)
    return `Rename \`${wrongCase}\` to \`${mainFile}\`: the case of its letters counts.`
  if (skill.leftOut.some((entry) => entry.file === `${skill.location}/${mainFile}`)) {
    return 'Put a regular file there: what bears that name is a symlink or a special file.'
  }
  const isRoot = skill.location === '.'
  const ignore = isRoot ? 'name another folder' : `leave the folder out with \`!${skill.location}\``
  if (skill.top.includes(mainFile)) return 'Put a regular file there: what bears that name is a folder.'
  const [first] = skill.nested
  if (first !== undefined) {
    const below = `There is one in \`${first}\` below: write`
    // A single folder was named, or the root's own: what is around it is not to be searched.
    if (isRoot || skill.base === '.')
      return `${below} \`${isRoot ? '' : `${skill.location}/`}**\` to find skills at any depth.`
    return `${below} \`${skill.base}/**\` to find skills at any depth, or ${ignore}.`
  }
  return `Write one, or ${ignore}.`
}
