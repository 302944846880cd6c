import { setTimeout } from 'node:timers/promises'
import type { Compiler, Content, Encoding } from '@embed-skills/compiler'
import { createCompiler, withLock } from '@embed-skills/compiler'
import { Compilation } from './compilation.ts'
import { createProgress } from './progress.ts'
import type { Project } from './project.ts'

/** Editors remove and rename to save a file: milliseconds without a change until it is read again. */
const SETTLE = 20

export interface SkillSetOptions {
  readonly id: string
  /** What to compile. It is asked for each time, since a configuration file may change. */
  readonly project: () => Promise<Project>
  readonly content: Content | 'auto'
  readonly encoding: Encoding
  /** Absolute. */
  readonly root: string
  /** No progress on a terminal. */
  readonly quiet: boolean
}

/** One set of skills, compiled when it is first needed and again when something changed. */
export class SkillSet {
  readonly options: SkillSetOptions
  #compiler:
    | {
        readonly made: string
        readonly templates: Project['options']['templates']
        readonly compiler: Compiler
      }
    | undefined
  #progress = createProgress()
  #current: Promise<Compilation> | undefined
  /** The current compilation waits for the one before it, and has read nothing yet. */
  #isWaiting = false
  #queue: Promise<unknown> = Promise.resolve()
  #last: Compilation | undefined
  /** What changed since the last compilation; undefined if that is not known. */
  #changed: Set<string> | undefined
  #changedAt = 0

  constructor(options: SkillSetOptions) {
    this.options = options
  }

  /**
   * The set as of the last `invalidate`: the same object if nothing of it changed. It fails with a TypeError for
   * sources and rules that do not exist.
   */
  compile(): Promise<Compilation> {
    if (!this.#current) {
      const compile = (): Promise<Compilation> => this.#compile()
      this.#isWaiting = true
      this.#current = this.#queue.then(compile, compile)
      this.#queue = this.#current
    }
    return this.#current
  }

  /**
   * Makes the next `compile` look at these files and folders, absolute; at all of them if none are given. A branch
   * that is checked out changes a thousand files at once: one compilation runs at a time, and all changes that come
   * meanwhile share the next one.
   */
  invalidate(changed?: readonly string[]): void {
    if (changed) for (const file of changed) this.#changed?.add(file)
    else this.#changed = undefined
    this.#changedAt = performance.now()
    if (!this.#isWaiting) this.#current = undefined
  }

  /** Whether a change of this file or folder, absolute, can change the set. */
  concerns(file: string): boolean {
    // Of a set that was not compiled yet, or could not be, nothing is known.
    return this.#last?.concerns(file) ?? true
  }

  async #compile(): Promise<Compilation> {
    const { id, root, encoding } = this.options
    while (this.#last && performance.now() - this.#changedAt < SETTLE) await setTimeout(SETTLE)
    this.#isWaiting = false
    const project = await this.options.project()
    const compiler = this.#compilerOf(project)
    const changed = this.#changed && [...this.#changed]
    this.#changed = new Set()
    this.#progress = createProgress()
    const compiled = await compiler.compile(changed).finally(() => this.#progress.end())
    const result = await withLock(compiled, { ...project, root })
    if (this.#last?.isSame(result)) this.#last.watch = result.watch
    else this.#last = new Compilation(result, { id, root, encoding })
    return this.#last
  }

  /** The compiler that was there before, unless the configuration says something else by now. */
  #compilerOf({ sources, options }: Project): Compiler {
    const { templates, ...rest } = options
    const made = JSON.stringify([sources, rest])
    // Engines are code: only the same object is known to do the same.
    if (this.#compiler?.made === made && this.#compiler.templates === templates)
      return this.#compiler.compiler
    const { root, quiet } = this.options
    const compiler = createCompiler(sources, {
      ...options,
      root,
      ...(!quiet && { onProgress: (read, found) => this.#progress.update(read, found) }),
    })
    this.#compiler = { made, templates, compiler }
    this.#changed = undefined
    return compiler
  }
}
