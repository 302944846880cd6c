import path from 'node:path'
import type { CompileResult, Content, ExpectedModule, Modules } from '@embed-skills/compiler'
import { compile, emitModules, expectedModules } from '@embed-skills/compiler'
import type { ResolvedOptions } from './options.ts'
import { packFiles } from './pack-files.ts'

/** One set of skills, compiled when it is first needed and again when something changed. */
export class SkillSet {
  readonly options: ResolvedOptions
  root: string = process.cwd()
  #current: Promise<Compilation> | undefined
  #last: Compilation | undefined

  constructor(options: ResolvedOptions) {
    this.options = options
  }

  /** The set as it was when it was last compiled. */
  compile(): Promise<Compilation> {
    this.#current ??= this.#compile()
    return this.#current
  }

  /** Makes the next `compile` read everything again. */
  invalidate(): void {
    this.#current = undefined
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
    const { sources, rules } = this.options
    const result = await compile(sources, { root: this.root, ...(rules && { rules }) })
    this.#last = new Compilation(result, this.options, this.root)
    return this.#last
  }
}

/** What one compilation gave, and its modules. */
export class Compilation {
  readonly result: CompileResult
  readonly #options: ResolvedOptions
  readonly #root: string
  readonly #modules = new Map<Content, Modules>()

  constructor(result: CompileResult, options: ResolvedOptions, root: string) {
    this.result = result
    this.#options = options
    this.#root = root
  }

  get hasErrors(): boolean {
    return this.result.diagnostics.some(({ severity }) => severity === 'error')
  }

  /** What the modules bring into a bundle, by id. */
  expected(content: Content): ReadonlyMap<string, () => ExpectedModule> {
    const { id, encoding } = this.#options
    return expectedModules(this.result.skills, { id, content, encoding })
  }

  modules(content: Content): Modules {
    const { id, encoding } = this.#options
    const options = { id, content, encoding, asset: packFiles(this.#root) }
    const known = this.#modules.get(content) ?? emitModules(this.result.skills, options)
    this.#modules.set(content, known)
    return known
  }
}
