import type { ConfiguredOptions, SkillsConfig, SourceInput } from '@embed-skills/compiler'
import { compileOptionsOf, loadConfig, mergeConfig, sourcesOf } from '@embed-skills/compiler'
import type { ResolvedOptions } from './options.ts'

/** What to compile, and how. */
export interface Project extends Pick<SkillsConfig, 'lock'> {
  readonly sources: readonly SourceInput[]
  readonly options: ConfiguredOptions
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
  return {
    sources: sourcesOf(merged),
    options: compileOptionsOf(merged),
    file: loaded?.file,
    ...(merged.lock !== undefined && { lock: merged.lock }),
  }
}

/** @throws {TypeError} if nobody says where skills are. */
export function withSources(project: Project): Project {
  if (project.sources.length > 0) return project
  throw new TypeError(
    "embed-skills: say where skills are: embedSkills('skills/*'), or `from` in embed-skills.config.ts",
  )
}
