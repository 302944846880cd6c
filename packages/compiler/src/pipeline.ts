import { check } from './check.ts'
import { discover } from './discover/discover.ts'
import type { FoundPattern } from './discover/discover.ts'
import { ignoredPaths } from './discover/ignored.ts'
import { createMemory, keepParts } from './memory.ts'
import type { Discovered, Memory } from './memory.ts'
import type { ResolvedOptions, ResolvedSource } from './options.ts'
import { createReadContent } from './read/content.ts'
import type { Disk } from './read/disk.ts'
import { compare } from './read/order.ts'
import { readSkill } from './read/skill.ts'
import type { SkillDraft, SkillReader } from './read/skill.ts'
import { createWalk } from './read/walk.ts'
import type { CompiledSkill, CompileOptions, CompileResult } from './types.ts'
import { watchTargets } from './watch.ts'

interface Progress {
  read: number
  found: number
  readonly report: CompileOptions['onProgress']
}

/** `compile` with everything resolved, from a given disk. */
export async function compileFrom(
  disk: Disk,
  options: ResolvedOptions,
  memory: Memory = createMemory(),
): Promise<CompileResult> {
  const walk = createWalk(disk, memory.walked)
  const progress = { read: 0, found: 0, report: options.onProgress }
  const reader = { root: options.root, walk, content: createReadContent(disk), progress }
  const read = await Promise.all(options.sources.map((source) => readSource(source, disk, reader, memory)))
  const found = read.flatMap((source) => source.found)
  const drafts = mergeTwins(read.flatMap((source) => source.drafts).sort(byPlace))
  const { diagnostics, refused } = check(found, drafts, options)
  const skills = drafts.flatMap((draft) => (refused.has(draft) ? [] : (toSkill(draft) ?? [])))
  memory.watch ??= watchTargets(found, disk)
  return { skills: skills.sort((a, b) => compare(a.uri, b.uri)), diagnostics, watch: memory.watch }
}

async function readSource(
  source: ResolvedSource,
  disk: Disk,
  reader: SkillReader & { readonly progress: Progress },
  memory: Memory,
): Promise<{ found: readonly FoundPattern[]; drafts: SkillDraft[] }> {
  const before = memory.discovered.get(source)
  const { found, ignored, mainFiles } =
    before !== undefined && !memory.isRelisted
      ? before
      : keepParts(before, await discoverIn(source, disk, reader))
  memory.discovered.set(source, { found, ignored, mainFiles })
  const { progress } = reader
  progress.found += found.reduce((count, { folders }) => count + folders.length, 0)
  const drafts = found.flatMap(({ folders }) =>
    folders.map(async (folder) => {
      const key = `${folder.folder}\n${folder.path}`
      const tree = await reader.walk(folder.folder)
      const held = memory.drafts.get(key)
      if (held?.tree === tree && held.ignored === ignored && held.mainFiles === mainFiles) return held.draft
      const draft = await readSkill(folder, ignored, mainFiles, reader)
      progress.report?.(++progress.read, progress.found)
      memory.drafts.set(key, { tree, ignored, mainFiles, draft })
      return draft
    }),
  )
  return { found, drafts: await Promise.all(drafts) }
}

async function discoverIn(source: ResolvedSource, disk: Disk, reader: SkillReader): Promise<Discovered> {
  const found = await discover(source, disk)
  const folders = found.flatMap((pattern) => pattern.folders)
  await Promise.all(folders.map(({ folder }) => reader.walk(folder)))
  const walked = folders.map(({ folder }) => folder)
  return {
    found,
    ignored: await ignoredPaths(source, walked, disk),
    mainFiles: new Map(
      source.mainFile === 'SKILL.md' ? [] : folders.map(({ folder, mainFile }) => [folder, mainFile]),
    ),
  }
}

/** A fixed order that does not depend on that of the sources. */
function byPlace(a: SkillDraft, b: SkillDraft): number {
  return compare(a.path, b.path) || compare(a.location, b.location)
}

/** Sources may overlap, and repositories hold copies: the same path with the same contents is one skill. */
function mergeTwins(drafts: readonly SkillDraft[]): SkillDraft[] {
  const seen = new Set<string>()
  return drafts.filter((draft, index) => {
    // They are in order of their paths.
    if (![drafts[index - 1], drafts[index + 1]].some((other) => other?.path === draft.path)) return true
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
  const skill = known.get(draft) ?? { path, uri, frontmatter, files, emptyDirectories, folder }
  known.set(draft, skill)
  return skill
}

/** One skill a draft, so that whoever compares results sees what stayed the same. */
const known = new WeakMap<SkillDraft, CompiledSkill>()
