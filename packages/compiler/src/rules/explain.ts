import type { Severity } from '../types.ts'
import { rules } from './index.ts'
import { rulePage } from './page.ts'

export interface RuleSummary {
  readonly id: string
  /** Unless `rules` says another. */
  readonly severity: Severity
  /** What it asks for, in one sentence of Markdown. */
  readonly description: string
}

/** Every rule, by id. */
export function rulesTable(): RuleSummary[] {
  return rules
    .map(({ id, severity, description }) => ({ id, severity, description }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

export function ruleIds(): string[] {
  return rulesTable().map(({ id }) => id)
}

/** The page of a rule in Markdown; undefined if there is no such rule. */
export function explainRule(id: string): string | undefined {
  const rule = rules.find((candidate) => candidate.id === id)
  return rule && rulePage(rule)
}
