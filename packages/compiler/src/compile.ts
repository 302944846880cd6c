import fs from 'node:fs'
import { check } from './check.ts'
import { discover } from './discover/discover.ts'
import type { FoundPattern } from './discover/discover.ts'
import { select } from './discover/select.ts'
import type { Inspected } from './inspect/facts.ts'
import { createInspect } from './inspect/inspect.ts'
import { createMemory, forget, keepParts } from './memory.ts'
import type { Discovered, Memory } from './memory.ts'
import { resolveOptions } from './options.ts'
import type { ResolvedOptions, ResolvedSource } from './options.ts'
import { createReadContent } from './read/content.ts'
import { createDisk } from './read/disk.ts'
import type { Disk } from './read/disk.ts'
import { walkHidden } from './read/hidden.ts'
import { compare } from './read/order.ts'
import { readSkill } from './read/skill.ts'
import type { SkillDraft, SkillReader } from './read/skill.ts'
import { createWalk } from './read/walk.ts'
import type { CheckedSkill, CompiledSkill, CompileOptions, CompileResult, SourceInput } from './types.ts'
import { hasTemplates } from './template/engine.ts'
import { watchTargets } from './watch/targets.ts'

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

/** Compiles the same sources again and again, and reads each time only what has changed. */
export interface Compiler {
  /**
   * `compile`, as of now. One call at a time.
   *
   * @param changed Files and folders, absolute, that may have changed since the last call. Without them the
   *   times of all files are compared.
   */
  compile(changed?: readonly string[]): Promise<CompileResult>
}

/**
 * A compiler for watch modes. Skills that did not change are the same objects in the next result.
 *
 * @throws {TypeError} on wrong arguments, as `compile`.
 * @example
 * const compiler = createCompiler('skills/*')
 * await compiler.compile()
 * await compiler.compile([path.resolve('skills/refunds/SKILL.md')])
 */
export function createCompiler(
  sources: SourceInput | readonly SourceInput[],
  options: CompileOptions = {},
): Compiler {
  const resolved = resolveOptions(sources, options)
  const disk = createDisk(fs, true)
  const memory = createMemory()
  return {
    async compile(changed) {
      forget(memory, await disk.refresh(changed))
      return compileFrom(disk, resolved, memory)
    },
  }
}

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
  const { root, engines } = options
  const reader = { root, engines, walk, content: createReadContent(disk), progress }
  const read = await Promise.all(options.sources.map((source) => readSource(source, disk, reader, memory)))
  const found = read.flatMap((source) => source.found)
  const inspect = createInspect(options.cache)
  const drafts = read.flatMap((source) => source.drafts).sort(byPlace)
  const inspected = mergeTwins(await Promise.all(drafts.map(inspect)))
  const { diagnostics, refused } = check(found, inspected, options)
  const compiled = inspected
    .flatMap((draft) => (refused.has(draft) ? [] : (toSkill(draft) ?? [])))
    .sort((a, b) => compare(a.uri, b.uri))
  memory.watch ??= watchTargets(found, disk)
  return {
    skills: compiled.filter((skill) => !hasTemplates(skill)),
    templates: compiled.filter(hasTemplates),
    checked: inspected.map(toChecked),
    diagnostics,
    watch: memory.watch,
  }
}

async function readSource(
  source: ResolvedSource,
  disk: Disk,
  reader: SkillReader & { readonly progress: Progress },
  memory: Memory,
): Promise<{ found: readonly FoundPattern[]; drafts: SkillDraft[] }> {
  const before = memory.discovered.get(source)
  const discovered =
    before !== undefined && !memory.isRelisted
      ? before
      : keepParts(before, await discoverIn(source, disk, reader))
  memory.discovered.set(source, discovered)
  const { found, selection, mainFiles } = discovered
  const { progress } = reader
  progress.found += found.reduce((count, { folders }) => count + folders.length, 0)
  const drafts = found.flatMap(({ folders }) =>
    folders.map(async (folder) => {
      const key = `${folder.folder}\n${folder.path}`
      const tree = await reader.walk(folder.folder)
      const held = memory.drafts.get(key)
      const isSame = held?.tree === tree && held.selection === selection && held.mainFiles === mainFiles
      if (isSame) return held.draft
      const draft = await readSkill(folder, discovered, reader)
      progress.report?.(++progress.read, progress.found)
      memory.drafts.set(key, { tree, selection, mainFiles, draft })
      return draft
    }),
  )
  return { found, drafts: await Promise.all(drafts) }
}

async function discoverIn(source: ResolvedSource, disk: Disk, reader: SkillReader): Promise<Discovered> {
  const found = await discover(source, disk, reader.engines)
  const folders = found.flatMap((pattern) => pattern.folders)
  const tops = folders.map(({ folder }) => folder)
  const walked = await Promise.all(tops.map(reader.walk))
  const hidden = await walkHidden(walked, source.include, reader.walk)
  return {
    found,
    selection: await select(source, tops, disk),
    hidden,
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
function mergeTwins(drafts: readonly Inspected[]): Inspected[] {
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
function toSkill(draft: Inspected): CompiledSkill | undefined {
  const { path, uri, files, emptyDirectories, folder, frontmatter } = draft
  if (uri === undefined || frontmatter === undefined) return undefined
  const skill = known.get(draft) ?? { path, uri, frontmatter, files, emptyDirectories, folder }
  known.set(draft, skill)
  return skill
}

/** One skill a draft, so that whoever compares results sees what stayed the same. */
const known = new WeakMap<SkillDraft, CompiledSkill>()

function toChecked({ path, uri, files }: SkillDraft): CheckedSkill {
  return { path, uri, files: files.length, bytes: files.reduce((sum, file) => sum + file.size, 0) }
}
