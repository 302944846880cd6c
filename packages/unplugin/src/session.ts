import { existsSync } from 'node:fs'
import path from 'node:path'
import type { ConfiguredOptions, SourceInput, WatchTargets } from '@embed-skills/compiler'
import type { ExpectedModule } from '@embed-skills/compiler/proof'
import type { Compilation } from './compilation.ts'
import type { Target } from './content.ts'
import { chooseContent } from './content.ts'
import type { ContentChoice } from './content.ts'
import { fileOf, idFilter, moduleId, SINGLE_ID, SINGLE_REQUEST, singleId, singleSkill } from './ids.ts'
import { labelOf, MACRO_ID, macroSet } from './macro/ids.ts'
import type { Log } from './messages.ts'
import { bySkill, clientLog, errorLog, toLog } from './messages.ts'
import type { EmbedSkillsOptions, ResolvedOptions } from './options.ts'
import { resolveOptions } from './options.ts'
import type { Project } from './project.ts'
import { resolveProject, withSources } from './project.ts'
import { SkillSet } from './skill-set.ts'
import { summaryOf } from './summary.ts'

/** A module, and what is to be watched because of it. */
export interface Loaded {
  readonly code: string
  /** What the code depends on; undefined for contents, whose index depends on the same. */
  readonly watch?: WatchTargets
  /** What is wrong with the skills. `code` is a set without skills then. */
  readonly error?: Log
  /** Says that there is no such module, though nothing is wrong. */
  readonly unknown?: Log
}

/** Stands where a set has errors, for bundlers that go on after one. */
const STUB = 'export default { format: 1, skills: {}, load: () => ({}) }\n'

const PACK_ELSEWHERE: Log = {
  message:
    "content: 'pack' is for Cloudflare Workers: no other bundle can import bytes. Set content to 'inline' or 'chunks', or leave it out.",
}

/** What a plugin knows between its hooks, whatever the bundler. */
export class Session {
  readonly options: ResolvedOptions
  /** What requests for our modules look like, and what their resolved ids do. */
  readonly requests: RegExp[]
  readonly ids: RegExp[]
  /** No progress on a terminal. */
  quiet = false
  #root: string
  #project: Promise<Project> | undefined
  readonly #sets = new Map<string, SkillSet>()
  readonly #said = new Map<string, WeakSet<Compilation>>()
  readonly #warnedOfClient = new Set<string>()
  #summaries: Promise<string>[] = []

  /** @throws {TypeError} for options of another shape. */
  constructor(options?: EmbedSkillsOptions) {
    this.options = resolveOptions(options)
    this.#root = this.options.root ?? process.cwd()
    this.requests = [idFilter(this.options.id), SINGLE_ID, SINGLE_REQUEST, MACRO_ID]
    this.ids = this.requests
  }

  get root(): string {
    return this.#root
  }

  /** The bundler's own root, which holds unless the options name another. */
  set root(root: string) {
    this.#root = this.options.root ?? path.resolve(root)
    this.#project = undefined
  }

  /**
   * The id of the module that is asked for, with the queries that came with it; undefined if it is none of ours,
   * or if only the bundler can say which file is meant.
   */
  resolve(request: string, importer: string | undefined): string | undefined {
    if ([this.requests[0]!, SINGLE_ID, MACRO_ID].some((filter) => filter.test(request))) return request
    if (!SINGLE_REQUEST.test(request)) return undefined
    if (/^\.{1,2}[/\\]/.test(request))
      return importer === undefined
        ? undefined
        : this.single(fileOf(path.resolve(path.dirname(fileOf(importer)), request)))
    const file = fileOf(request)
    if (!path.isAbsolute(file)) return undefined
    // A leading slash is the root to Vite and its kin.
    return this.single(existsSync(file) ? file : path.join(this.root, file))
  }

  /** The id of the skill whose `SKILL.md` is `file`, absolute. */
  single(file: string): string {
    return singleId({ folder: path.dirname(file), mainFile: path.basename(file) }, this.root)
  }

  /** The module that a resolved id, or the path of a `SKILL.md?skill`, stands for, and its set. */
  find(id: string): { id: string; set: SkillSet; isContents: boolean } {
    const isFile = SINGLE_REQUEST.test(id) && !this.requests.slice(0, 2).some((filter) => filter.test(id))
    const wanted = isFile ? this.single(fileOf(id)) : moduleId(id)
    return { id: wanted, set: this.#setOf(wanted), isContents: wanted.includes('/~/') }
  }

  async load(id: string, target: Target): Promise<Loaded> {
    const { id: wanted, set, isContents } = this.find(id)
    const compilation = await set.compile()
    const { content } = this.#choose(set, compilation, target)
    const { watch, diagnostics, skills, templates } = compilation
    const isElsewhere = target.runtime !== undefined && target.runtime !== 'workerd'
    if (content === 'pack' && isElsewhere) return { code: STUB, watch, unknown: PACK_ELSEWHERE }
    const error = errorLog(diagnostics, this.root, target.messageOnly)
    const code = error ? undefined : compilation.code(wanted, content)
    if (code !== undefined) return { code, ...(!isContents && { watch }) }
    // The index says what is wrong. Contents are asked for in vain only by what is being replaced.
    if (isContents) return { code: STUB }
    const known = [
      set.options.id,
      ...[...skills, ...templates].map(({ path }) => `${set.options.id}/${path}`),
    ]
    const unknown = { message: `There is no module ${wanted}. There are: ${known.join(', ')}` }
    return { code: STUB, watch, ...(error ? { error } : { unknown }) }
  }

  /** Whether there is such a module, now that things may have changed. Of a set with errors the index remains. */
  async has(id: string): Promise<boolean> {
    const { id: wanted, set, isContents } = this.find(id)
    const compilation = await set.compile()
    return compilation.hasErrors ? !isContents : compilation.code(wanted, 'chunks') !== undefined
  }

  /**
   * Warnings that were not given yet, of the set that `id` belongs to or of all that were asked for. What sums up
   * their compilation is ready when the build ends.
   */
  async warnings(target: Target, id?: string): Promise<Log[]> {
    const warnings: Log[] = []
    for (const set of id === undefined ? this.sets : [this.find(id).set]) {
      const compilation = await set.compile()
      warnings.push(...this.#news(compilation, this.#choose(set, compilation, target), target))
    }
    return warnings
  }

  /** What the sets that were asked for depend on. */
  async watchTargets(): Promise<WatchTargets> {
    const all = (await Promise.all(this.sets.map((set) => set.compile()))).map(({ watch }) => watch)
    return {
      files: all.flatMap(({ files }) => files),
      directories: all.flatMap(({ directories }) => directories),
      missing: all.flatMap(({ missing }) => missing),
    }
  }

  /** What is wrong with the sets that were asked for. */
  async errors(): Promise<Log[]> {
    const compilations = await Promise.all(this.sets.map((set) => set.compile()))
    return compilations.flatMap(({ diagnostics }) => errorLog(diagnostics, this.root) ?? [])
  }

  /** What changes when a module does. */
  async version(id: string, target: Target): Promise<string> {
    const { id: wanted, set } = this.find(id)
    const compilation = await set.compile()
    return compilation.version(wanted, this.#choose(set, compilation, target).content)
  }

  /** Lines that sum up what was compiled since the last call. */
  summaries(): Promise<string[]> {
    const summaries = this.#summaries
    this.#summaries = []
    return Promise.all(summaries)
  }

  /** The sets that were asked for so far. */
  get sets(): readonly SkillSet[] {
    return [...this.#sets.values()]
  }

  /** The set that the options and the configuration file name, asked for or not; undefined if neither names one. */
  async main(): Promise<SkillSet | undefined> {
    const { sources } = await this.#resolved()
    return sources.length > 0 ? this.#setOf(this.options.id) : undefined
  }

  /** What the options and the configuration file say of every compilation: rules, and engines of templates. */
  async compileOptions(): Promise<ConfiguredOptions> {
    return (await this.#resolved()).options
  }

  /** What the modules of all sets that were asked for bring into a bundle for `target`, by id. */
  async expected(target: Target): Promise<ReadonlyMap<string, () => ExpectedModule>> {
    const modules = new Map<string, () => ExpectedModule>()
    for (const set of this.sets) {
      const compilation = await set.compile()
      const { content } = this.#choose(set, compilation, target)
      for (const [id, module] of await compilation.expected(content)) modules.set(id, module)
    }
    return modules
  }

  /** Whether a change of this file or folder, absolute, can change a set that was asked for. */
  concerns(file: string): boolean {
    return this.sets.some((set) => set.concerns(file))
  }

  /** Files and folders changed, absolute; all of them may have if none are given. */
  invalidate(changed?: readonly string[]): void {
    this.#project = undefined
    for (const set of this.sets) {
      const concerning = changed?.filter((file) => set.concerns(file))
      if (concerning === undefined || concerning.length > 0) set.invalidate(concerning)
    }
  }

  #choose({ options }: SkillSet, compilation: Compilation, target: Target): ContentChoice {
    if (options.content !== 'auto' && !target.dev)
      return { content: options.content, reason: 'as configured' }
    const { bytes, templates } = compilation
    return chooseContent({ target, bytes, hasTemplates: templates.length > 0 })
  }

  /** What the options and the configuration file say, as of the last `invalidate`. */
  #resolved(): Promise<Project> {
    this.#project ??= resolveProject(this.options, this.root)
    return this.#project
  }

  #setOf(id: string): SkillSet {
    const { content, encoding } = this.options
    const shared = { content, encoding, root: this.root, quiet: this.quiet }
    // The lock is one of the whole set.
    const of = (sources: readonly SourceInput[]) => async (): Promise<Project> => {
      const { lock: _, ...project } = await this.#resolved()
      return { ...project, sources }
    }
    if (MACRO_ID.test(id)) {
      const { id: own, sources } = macroSet(id)
      return this.#keep({ ...shared, id: own, project: of(sources) })
    }
    if (SINGLE_ID.test(id)) {
      const { id: own, folder, mainFile } = singleSkill(id, this.root)
      return this.#keep({ ...shared, id: own, project: of([{ from: '.', base: folder, mainFile }]) })
    }
    const project = async (): Promise<Project> => withSources(await this.#resolved())
    return this.#keep({ ...shared, id: this.options.id, project })
  }

  #keep(options: ConstructorParameters<typeof SkillSet>[0]): SkillSet {
    const set = this.#sets.get(options.id) ?? new SkillSet(options)
    this.#sets.set(options.id, set)
    return set
  }

  /** Warnings that were not said of this compilation yet. Its summary is kept for when the build ends. */
  #news(compilation: Compilation, choice: ContentChoice, target: Target): Log[] {
    const { id, diagnostics, hasErrors } = compilation
    const isNew = (what: string): boolean => {
      const said = this.#said.get(what) ?? new WeakSet()
      this.#said.set(what, said)
      return !said.has(compilation) && said.add(compilation) !== undefined
    }
    const news = isNew('warnings')
      ? bySkill(diagnostics, 'warning').map((group) => toLog(group, this.root))
      : []
    // One skill alone needs no summary.
    if (!hasErrors && !SINGLE_ID.test(id) && isNew(`summary ${choice.content}`))
      this.#summaries.push(summaryOf(compilation, choice, !target.dev))
    if (target.runtime === 'browser' && !this.#warnedOfClient.has(id)) news.unshift(clientLog(labelOf(id)))
    if (target.runtime === 'browser') this.#warnedOfClient.add(id)
    return news
  }
}
