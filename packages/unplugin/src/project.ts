import type { SkillsConfig, SourceInput } from '@embed-skills/compiler'
import { loadConfig, mergeConfig, sourcesOf } from '@embed-skills/compiler'
import type { ResolvedOptions } from './options.ts'

/** What to compile, from the plugin's options and the configuration file. */
export interface Project extends Pick<SkillsConfig, 'rules' | 'strict' | 'lock'> {
  readonly sources: readonly SourceInput[]
  /** The configuration file, absolute, if there is one. */
  readonly file: string | undefined
}

/** @throws {TypeError} if neither says where skills are, or the file is no configuration. */
export async function resolveProject(
  { configFile, config }: ResolvedOptions,
  root: string,
): Promise<Project> {
  const loaded = configFile === false ? undefined : await loadConfig(root, configFile)
  const merged = mergeConfig(loaded?.config ?? {}, config)
  const sources = sourcesOf(merged)
  if (sources.length === 0)
    throw new TypeError(
      "embed-skills: say where skills are: embedSkills('skills/*'), or `from` in embed-skills.config.ts",
    )
  const { rules, strict, lock } = merged
  return {
    sources,
    file: loaded?.file,
    ...(rules && { rules }),
    ...(strict !== undefined && { strict }),
    ...(lock !== undefined && { lock }),
  }
}
