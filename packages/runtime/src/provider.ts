/**
 * Skills that are looked up when they are asked for, and listings of one's own.
 *
 * @example
 * import { provider } from '@embed-skills/runtime/provider'
 *
 * export const reports = provider({
 *   list: ({ after, limit }) => database.reports(after, limit),
 *   get: (uri) => database.report(uri),
 *   read: (uri) => database.file(uri),
 *   readDirectory: (uri) => database.children(uri),
 * })
 *
 * @module
 */
export type { ListedSkills, ListSkillsOptions } from './provider/list-skills.ts'
export type {
  PageRequest,
  ProvidedChild,
  ProvidedFile,
  ProvidedPage,
  ProvidedResource,
  ProvidedSkill,
  ProviderOptions,
  SkillProvider,
} from './provider/types.ts'
export { listSkills } from './provider/list-skills.ts'
export { provider } from './provider/provider.ts'
