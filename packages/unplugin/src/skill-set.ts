import path from 'node:path'
import type { CompileResult, Content, Modules } from '@embed-skills/compiler'
import { compile, emitModules } from '@embed-skills/compiler'
import type { ResolvedOptions } from './options.ts'

/** One set of skills, compiled when it is first needed and again when something changed. */
export class SkillSet {
  readonly options: ResolvedOptions
  root: string = process.cwd()
  #current: Promise<Compilation> | undefined
  /** The current compilation waits for the one before it, and has read nothing yet. */
  #isWaiting = false
  #last: Compilation | undefined

  constructor(options: ResolvedOptions) {
    this.options = options
  }

  /** The set as it was when it was last compiled. */
  compile(): Promise<Compilation> {
    this.#current ??= this.#compile()
    return this.#current
  }

  /**
   * Makes the next `compile` read everything again. A branch that is checked out changes a thousand files at once:
   * one compilation runs at a time, and all changes that come meanwhile share the next one.
   */
  invalidate(): void {
    if (this.#current === undefined || this.#isWaiting) return
    const before = this.#current
    this.#isWaiting = true
    this.#current = before
      .catch(() => {})
      .then(() => {
        this.#isWaiting = false
        return this.#compile()
      })
    // Whoever asks for it is told.
    this.#current.catch(() => {})
  }

  /** Whether a change of this file or folder, absolute, can change the set. */
  concerns(file: string): boolean {
    const { files = [], directories = [] } = this.#last?.result.watch ?? {}
    const isBelow = (folder: string): boolean => {
      const relative = path.relative(folder, file)
      return relative === '' || !(relative.startsWith('..') || path.isAbsolute(relative))
    }
    return files.includes(path.normalize(file)) || directories.some(isBelow)
  }

  async #compile(): Promise<Compilation> {
    const { sources, rules, templates, id } = this.options
    const result = await compile(sources, {
      root: this.root,
      ...(rules && { rules }),
      ...(templates !== undefined && { templates }),
    })
    this.#last = new Compilation(result, id)
    return this.#last
  }
}

/** What one compilation gave, and its modules. */
export class Compilation {
  readonly result: CompileResult
  readonly #id: string
  readonly #modules = new Map<Content, Modules>()

  constructor(result: CompileResult, id: string) {
    this.result = result
    this.#id = id
  }

  get hasErrors(): boolean {
    return this.result.diagnostics.some(({ severity }) => severity === 'error')
  }

  modules(content: Content): Modules {
    const known =
      this.#modules.get(content) ??
      emitModules(this.result.skills, { templates: this.result.templates, id: this.#id, content })
    this.#modules.set(content, known)
    return known
  }
}
