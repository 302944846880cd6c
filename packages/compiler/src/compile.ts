import { check } from './check.ts'
import { discover } from './discover/discover.ts'
import type { FoundPattern } from './discover/discover.ts'
import { ignoredPaths } from './discover/ignored.ts'
import { resolveOptions } from './options.ts'
import type { ResolvedOptions, ResolvedSource } from './options.ts'
import { createReadContent } from './read/content.ts'
import { createDisk } from './read/disk.ts'
import type { Disk } from './read/disk.ts'
import { compare } from './read/order.ts'
import { readSkill } from './read/skill.ts'
import type { SkillDraft, SkillReader } from './read/skill.ts'
import { createWalk } from './read/walk.ts'
import type { CompiledSkill, CompileOptions, CompileResult, SourceInput } from './types.ts'
import { watchTargets } from './watch.ts'

/**
 * Reads, checks and hashes the skills of `sources`. Problems with them are diagnostics, all reported together;
 * a skill with an error is not among the skills. In an array, a string that begins with `!` is a glob of what
 * to leave out of the other strings.
 *
 * @throws {TypeError} on wrong arguments, among them rule ids that do not exist.
 * @example
 * import { compile, formatDiagnostic } from '@embed-skills/compiler'
 *
 * const root = process.cwd()
 * const { skills, diagnostics } = await compile('skills/*', { root })
 * for (const diagnostic of diagnostics) console.error(formatDiagnostic(diagnostic, { root }))
 */
export async function compile(
  sources: SourceInput | readonly SourceInput[],
  options: CompileOptions = {},
): Promise<CompileResult> {
  return compileFrom(createDisk(), resolveOptions(sources, options))
}

/** `compile` with everything resolved, from a given disk. */
export async function compileFrom(disk: Disk, options: ResolvedOptions): Promise<CompileResult> {
  const { root, engines } = options
  const reader = { root, engines, walk: createWalk(disk), content: createReadContent(disk) }
  const read = await Promise.all(options.sources.map((source) => readSource(source, disk, reader)))
  const found = read.flatMap((source) => source.found)
  const drafts = mergeTwins(read.flatMap((source) => source.drafts).sort(byPlace))
  const { diagnostics, refused } = check(found, drafts, options)
  const compiled = drafts
    .flatMap((draft) => (refused.has(draft) ? [] : (toSkill(draft) ?? [])))
    .sort((a, b) => compare(a.uri, b.uri))
  return {
    skills: compiled.filter((skill) => !hasTemplates(skill)),
    templates: compiled.filter(hasTemplates),
    diagnostics,
    watch: await watchTargets(found, disk),
  }
}

async function readSource(
  source: ResolvedSource,
  disk: Disk,
  reader: SkillReader,
): Promise<{ found: FoundPattern[]; drafts: SkillDraft[] }> {
  const found = await discover(source, disk, reader.engines)
  const folders = found.flatMap((pattern) => pattern.folders)
  await Promise.all(folders.map(({ folder }) => reader.walk(folder)))
  const walked = folders.map(({ folder }) => folder)
  const ignored = await ignoredPaths(source, walked, disk)
  return { found, drafts: await Promise.all(folders.map((folder) => readSkill(folder, ignored, reader))) }
}

function hasTemplates({ files }: CompiledSkill): boolean {
  return files.some((file) => file.template !== undefined)
}

/** A fixed order that does not depend on that of the sources. */
function byPlace(a: SkillDraft, b: SkillDraft): number {
  return compare(a.path, b.path) || compare(a.location, b.location)
}

/** Sources may overlap, and repositories hold copies: the same path with the same contents is one skill. */
function mergeTwins(drafts: readonly SkillDraft[]): SkillDraft[] {
  const seen = new Set<string>()
  return drafts.filter((draft) => {
    const held = draft.files.map((file) => `${file.uri} ${file.digest}`)
    // A copy with a fault of its own is no twin, so that its fault is reported in its own place.
    const own = toSkill(draft) === undefined || draft.leftOut.length > 0 ? [draft.location] : []
    const twin = [draft.path, ...own, ...held, ...draft.emptyDirectories].join('\n')
    return !seen.has(twin) && seen.add(twin)
  })
}

/** The draft as a skill; undefined if something is missing that no severity can make up for. */
function toSkill(draft: SkillDraft): CompiledSkill | undefined {
  const { path, uri, files, emptyDirectories, folder } = draft
  const frontmatter = draft.manifest?.frontmatter
  if (uri === undefined || frontmatter === undefined) return undefined
  return { path, uri, frontmatter, files, emptyDirectories, folder }
}
