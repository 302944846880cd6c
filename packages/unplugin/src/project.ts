import type { SkillsConfig, SourceInput } from '@embed-skills/compiler'
import { loadConfig, mergeConfig, sourcesOf } from '@embed-skills/compiler'
import type { ResolvedOptions } from './options.ts'

/** What to compile, and how. */
export interface Project extends Pick<SkillsConfig, 'rules' | 'strict' | 'lock'> {
  readonly sources: readonly SourceInput[]
  /** The configuration file, absolute, if there is one. */
  readonly file: string | undefined
}

/**
 * What the plugin's options and the configuration file say together. There are no sources if neither names any.
 *
 * @throws {TypeError} if the file is no configuration.
 */
export async function resolveProject(
  { configFile, config }: Pick<ResolvedOptions, 'configFile' | 'config'>,
  root: string,
): Promise<Project> {
  const loaded = configFile === false ? undefined : await loadConfig(root, configFile)
  const merged = mergeConfig(loaded?.config ?? {}, config)
  const { rules, strict, lock } = merged
  return {
    sources: sourcesOf(merged),
    file: loaded?.file,
    ...(rules && { rules }),
    ...(strict !== undefined && { strict }),
    ...(lock !== undefined && { lock }),
  }
}

/** @throws {TypeError} if nobody says where skills are. */
export function withSources(project: Project): Project {
  if (project.sources.length > 0) return project
  throw new TypeError(
    "embed-skills: say where skills are: embedSkills('skills/*'), or `from` in embed-skills.config.ts",
  )
}
