/**
 * Skills that are no folders: written in code, or rendered for a path with params.
 *
 * @example
 * import { defineSkill } from '@embed-skills/runtime/define'
 * import { serveSkills } from '@embed-skills/runtime/fetch'
 *
 * const git = defineSkill('git-workflow', { description: "Follow this team's Git conventions" }, {
 *   'SKILL.md': '# Git workflow\n\nBranch from `main`.\n',
 * })
 * export default serveSkills(git, { name: 'acme', version: '1.0.0' })
 *
 * @module
 */
export type { FileContent, FileOptions } from './define/blueprint.ts'
export type { FileBytes } from './encoding/bytes.ts'
export type { DefinedSkill, DefineOptions } from './define/skill.ts'
export { defineSkill } from './define/skill.ts'
export type { RouteHandler, RouteOptions, RouteParams } from './define/route.ts'
export { skillRoute } from './define/route.ts'
export type { DataOf, TemplateData } from './define/template.ts'
export { renderSkill } from './define/template.ts'
