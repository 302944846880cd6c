/**
 * Answers for Agent Skills from compiled modules: no dependency, no Node API, no I/O of its own.
 *
 * @example
 * import skills from 'virtual:skills'
 * import { getSkill, readFile } from '@embed-skills/runtime'
 *
 * const refunds = getSkill(skills, 'refunds')
 * const mail = await readFile(skills, 'refunds', 'templates/mail.md')
 *
 * @module
 */
export type { CatalogOptions, Logger, Params, SkillCatalog, Skills } from './catalog.ts'
export type { CompiledSkills, Contents } from './compiled.ts'
export type { Json, JsonObject } from './json.ts'
export type { LockedSkills, SkillsLock } from './lock.ts'
export type { Registered, ServedPath, SetTypes, SkillTypes, TemplatePath } from './register.ts'
export type { AuthInfo, CallerContext, MaybePromise, Page, RequestContext, SkillSource } from './source.ts'
export type {
  CacheHints,
  Frontmatter,
  GetSkillResult,
  ListResourcesResult,
  ListSkillsResult,
  ReadResourceResult,
  Resource,
  ResourceContents,
  Skill,
  SkillResource,
} from './wire.ts'
export type { BytesContents, SkillFileContents, SkillOf, TextContents } from './lookup.ts'
export type { HandleContext } from './handle.ts'
export type { Feature, FeatureOptions, Method, MethodTable } from './methods.ts'
export { createCatalog } from './catalog.ts'
export { ProtocolError } from './errors.ts'
export { capabilitiesOf, handle } from './handle.ts'
export { instructions } from './instructions.ts'
export { joinSkills } from './join.ts'
export { getSkill, readFile } from './lookup.ts'
export { skillUri } from './skill-uri.ts'
