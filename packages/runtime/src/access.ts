/**
 * Who may have which skills, and cursors that nobody can make up.
 *
 * @example
 * import { authorize, requiredScopes } from '@embed-skills/runtime/access'
 *
 * const skills = joinSkills(publicSkills, requiredScopes(adminSkills, ['skills:admin']))
 *
 * @module
 */
export type { AuthorizeOptions, Rule } from './access/authorize.ts'
export type { CursorOptions } from './access/cursors.ts'
export { authorize } from './access/authorize.ts'
export { encryptedCursors, signedCursors } from './access/cursors.ts'
export { allowSkills, requiredScopes } from './access/rules.ts'
