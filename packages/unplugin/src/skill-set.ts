import { setTimeout } from 'node:timers/promises'
import type { CompileOptions, Compiler, Content, SourceInput } from '@embed-skills/compiler'
import { createCompiler } from '@embed-skills/compiler'
import { Compilation } from './compilation.ts'
import { createProgress } from './progress.ts'

/** Editors remove and rename to save a file: milliseconds without a change until it is read again. */
const SETTLE = 20

export interface SkillSetOptions extends Pick<CompileOptions, 'rules'> {
  readonly id: string
  readonly sources: readonly SourceInput[]
  readonly content: Content | 'auto'
  /** Absolute. */
  readonly root: string
  /** No progress on a terminal. */
  readonly quiet: boolean
}

/** One set of skills, compiled when it is first needed and again when something changed. */
export class SkillSet {
  readonly options: SkillSetOptions
  readonly #compiler: Compiler
  #progress = createProgress()
  #current: Promise<Compilation> | undefined
  #queue: Promise<unknown> = Promise.resolve()
  /** The current compilation waits for its turn, and has read nothing yet. */
  #isWaiting = false
  #last: Compilation | undefined
  /** What changed since the last compilation; undefined if that is not known. */
  #changed: Set<string> | undefined
  #changedAt = 0

  /** @throws {TypeError} for sources and rules that do not exist. */
  constructor(options: SkillSetOptions) {
    const { sources, root, rules, quiet } = options
    this.options = options
    this.#compiler = createCompiler(sources, {
      root,
      ...(rules && { rules }),
      ...(!quiet && { onProgress: (read, found) => this.#progress.update(read, found) }),
    })
  }

  /** The set as it is now: the same object as before if nothing of it changed, and never one that is outdated. */
  async compile(): Promise<Compilation> {
    for (;;) {
      const running = this.#started()
      const compilation = await running
      if (running === this.#current) return compilation
    }
  }

  #started(): Promise<Compilation> {
    if (this.#current) return this.#current
    this.#isWaiting = true
    const compile = (): Promise<Compilation> => this.#compile()
    this.#current = this.#queue.then(compile, compile)
    this.#queue = this.#current
    return this.#current
  }

  /**
   * Makes the next `compile` look at these files and folders, absolute; at all of them if none are given. A branch
   * that is checked out changes a thousand at once: one compilation runs at a time, and all changes that come
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
    // Of a set that is being compiled for the first time nothing is known yet.
    return this.#last?.concerns(file) ?? this.#current !== undefined
  }

  async #compile(): Promise<Compilation> {
    const { id, root } = this.options
    while (this.#last && performance.now() - this.#changedAt < SETTLE) await setTimeout(SETTLE)
    const changed = this.#changed && [...this.#changed]
    this.#changed = new Set()
    this.#isWaiting = false
    this.#progress = createProgress()
    const result = await this.#compiler.compile(changed).finally(() => this.#progress.end())
    if (this.#last?.isSame(result)) this.#last.watch = result.watch
    else this.#last = new Compilation(result, { id, root })
    return this.#last
  }
}
