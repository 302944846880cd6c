import type { FoundPattern } from './discover/discover.ts'
import { compare } from './read/order.ts'
import { relativeTo } from './read/skill.ts'
import type { Inspected } from './inspect/facts.ts'
import type { SkillDraft } from './read/skill.ts'
import { rules } from './rules/index.ts'
import type { Finding } from './rules/rule.ts'
import type { ResolvedOptions } from './options.ts'
import type { Diagnostic, Severity } from './types.ts'
import { visible } from './visible.ts'

export interface Checked {
  readonly diagnostics: readonly Diagnostic[]
  /** Skills with an error. */
  readonly refused: ReadonlySet<SkillDraft>
}

/**
 * Gives what was found of each skill its severity, and runs the rules about more than one skill; those that are
 * off are left out.
 */
export function check(
  found: readonly FoundPattern[],
  skills: readonly Inspected[],
  { root, severities }: Pick<ResolvedOptions, 'root' | 'severities'>,
): Checked {
  const diagnostics = new Map<string, Diagnostic>()
  const refused = new Set<SkillDraft>()

  const add = (rule: string, severity: Severity, finding: Finding, skill?: SkillDraft): void => {
    if (severity === 'error' && skill !== undefined) refused.add(skill)
    const diagnostic = toDiagnostic(rule, severity, finding, skill)
    // Skills that nest share files: what is wrong with one is said once, of the innermost.
    const key = [rule, diagnostic.file, diagnostic.line, diagnostic.column, diagnostic.message].join('\n')
    const said = diagnostics.get(key)
    if (said === undefined || (said.skill ?? '').length < (diagnostic.skill ?? '').length) {
      diagnostics.set(key, diagnostic)
    }
  }

  const context = { relative: (file: string) => relativeTo(root, file) }
  for (const rule of rules) {
    const severity = severities.get(rule.id) ?? rule.severity
    if (severity === 'off') continue
    if (rule.pattern !== undefined) {
      for (const pattern of found)
        rule.pattern(pattern, (finding) => add(rule.id, severity, finding), context)
    }
    rule.set?.(skills, (skill, finding) => add(rule.id, severity, finding, skill))
  }
  for (const skill of skills) {
    for (const [rule, finding] of skill.found) {
      const severity = severities.get(rule) ?? 'off'
      if (severity !== 'off') add(rule, severity, finding, skill)
    }
  }
  return { diagnostics: [...diagnostics.values()].sort(byPlace), refused }
}

function toDiagnostic(rule: string, severity: Severity, finding: Finding, skill?: SkillDraft): Diagnostic {
  const { message, help, at, fix } = finding
  const file = finding.file ?? (skill === undefined ? 'SKILL.md' : mainFileOf(skill))
  return {
    rule,
    severity,
    message: visible(message),
    help: visible(help),
    file,
    ...(at !== undefined && { line: at.line, column: at.column }),
    ...(skill !== undefined && { skill: skill.path }),
    ...(fix !== undefined && { fix }),
  }
}

/** Where the skill's `SKILL.md` is, or would be, on disk. */
function mainFileOf({ location, mainFile }: SkillDraft): string {
  return location === '.' ? mainFile : `${location}/${mainFile}`
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  return (
    compare(a.file, b.file) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0) ||
    compare(a.rule, b.rule) ||
    compare(a.message, b.message)
  )
}
