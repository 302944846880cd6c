import type { LeftOut } from '../read/skill.ts'
import type { Omission } from '../read/walk.ts'
import type { Severity } from '../types.ts'
import type { Rule } from './rule.ts'

/** The shape that all rules about entries without a place in a skill have in common. */
export function leftOutRule(rule: {
  id: Omission
  severity: Severity
  description: string
  message: (entry: LeftOut, name: string) => string
  help: string
}): Rule {
  const { id, severity, description, message, help } = rule
  return {
    id,
    severity,
    description,
    skill(skill, report) {
      for (const entry of skill.leftOut) {
        if (entry.reason !== id) continue
        const name = entry.file.slice(entry.file.lastIndexOf('/') + 1)
        report({ message: message(entry, name), help, file: entry.file })
      }
    },
  }
}
