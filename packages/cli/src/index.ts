/**
 * Types and help for `embed-skills.config.ts`.
 *
 * @example
 * import { defineConfig } from 'embed-skills'
 *
 * export default defineConfig({ from: 'skills/*', rules: { 'broken-link': 'error' } })
 *
 * @module
 */
import type { SkillsConfig } from '@embed-skills/compiler'

export type { Severity, SkillsConfig, SourceInput, SourceOptions } from '@embed-skills/compiler'

/** Gives the configuration back, with completion and checks in an editor. Loads nothing else. */
export function defineConfig(config: SkillsConfig): SkillsConfig {
  return config
}
