/**
 * What a client would receive, for tests and development.
 *
 * @example
 * import { contents } from '@embed-skills/runtime/testing'
 *
 * const files = await contents(refunds)
 * expect(files['SKILL.md']).toContain('Ada')
 *
 * @module
 */
export { checkStable, UnstableSkillError } from './testing/check-stable.ts'
export { contents } from './testing/contents.ts'
