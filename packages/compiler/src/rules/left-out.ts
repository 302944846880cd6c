import type { LeftOut, SkillDraft } from '../read/skill.ts'
import type { Omission } from '../read/walk.ts'
import type { Finding, Rule } from './rule.ts'

type LeftOutRule = Omit<Rule, 'id'> & {
  id: Omission
  message: (entry: LeftOut, name: string) => string
  help: string | ((entry: LeftOut, name: string) => string)
}

/** The shape that all rules about entries without a place in a skill have in common. */
export function leftOutRule({ message, help, ...rule }: LeftOutRule): Rule {
  return {
    ...rule,
    skill(skill: SkillDraft, report: (finding: Finding) => void) {
      for (const entry of skill.leftOut) {
        if (entry.reason !== rule.id) continue
        const name = entry.file.slice(entry.file.lastIndexOf('/') + 1)
        report({
          message: message(entry, name),
          help: typeof help === 'string' ? help : help(entry, name),
          file: entry.file,
        })
      }
    },
  }
}
