import { hash } from 'node:crypto'
import path from 'node:path'
import type {
  CompiledSkill,
  CompileResult,
  Content,
  Diagnostic,
  Encoding,
  Modules,
  WatchTargets,
} from '@embed-skills/compiler'
import { emitModules } from '@embed-skills/compiler'
import type { ExpectedModule } from '@embed-skills/compiler/proof'
import { packFiles } from './pack-files.ts'

/** What one compilation gave, and its modules. */
export class Compilation {
  readonly id: string
  readonly root: string
  readonly skills: readonly CompiledSkill[]
  readonly diagnostics: readonly Diagnostic[]
  watch: WatchTargets
  readonly #encoding: Encoding
  readonly #modules = new Map<Content, Modules>()
  readonly #code = new Map<string, string>()

  constructor(
    { skills, diagnostics, watch }: CompileResult,
    { id, root, encoding }: { id: string; root: string; encoding: Encoding },
  ) {
    this.id = id
    this.root = root
    this.skills = skills
    this.diagnostics = diagnostics
    this.watch = watch
    this.#encoding = encoding
  }

  get hasErrors(): boolean {
    return this.diagnostics.some(({ severity }) => severity === 'error')
  }

  /** The size of all distinct contents. */
  get bytes(): number {
    const sizes = new Map(this.skills.flatMap(({ files }) => files.map(({ digest, size }) => [digest, size])))
    return [...sizes.values()].reduce((sum, size) => sum + size, 0)
  }

  /** The code of a module; undefined if there is none of that id. */
  code(moduleId: string, content: Content): string | undefined {
    const key = `${content} ${moduleId}`
    const options = { id: this.id, content, encoding: this.#encoding, asset: packFiles(this.root) }
    const modules = this.#modules.get(content) ?? emitModules(this.skills, options)
    this.#modules.set(content, modules)
    const code = this.#code.get(key) ?? modules.get(moduleId)?.()
    if (code !== undefined) this.#code.set(key, code)
    return code
  }

  /** What the modules bring into a bundle, by id. */
  async expected(content: Content): Promise<ReadonlyMap<string, () => ExpectedModule>> {
    // Brings a parser, which nothing but a finished build needs.
    const { expectedModules } = await import('@embed-skills/compiler/proof')
    return expectedModules(this.skills, { id: this.id, content, encoding: this.#encoding })
  }

  /** What changes when the code of a module does. */
  version(moduleId: string, content: Content): string {
    return hash('sha256', this.code(moduleId, content) ?? '').slice(0, 12)
  }

  /** Whether `result` holds nothing that is new. */
  isSame({ skills, diagnostics }: CompileResult): boolean {
    return (
      skills.length === this.skills.length &&
      skills.every((skill, index) => isSameSkill(skill, this.skills[index]!)) &&
      JSON.stringify(diagnostics) === JSON.stringify(this.diagnostics)
    )
  }

  /** Whether a change of this file or folder, absolute, can change the set. */
  concerns(file: string): boolean {
    const { files, directories, missing } = this.watch
    const isBelow = (folder: string): boolean => {
      const relative = path.relative(folder, file)
      return relative === '' || !(relative.startsWith('..') || path.isAbsolute(relative))
    }
    return files.includes(path.normalize(file)) || [...directories, ...missing].some(isBelow)
  }
}

function isSameSkill(a: CompiledSkill, b: CompiledSkill): boolean {
  if (a === b) return true
  // Everything else that a skill says follows from the files.
  const says = ({ uri, files, emptyDirectories }: CompiledSkill): string =>
    JSON.stringify([uri, files.map((file) => [file.uri, file.mimeType, file.digest]), emptyDirectories])
  return says(a) === says(b)
}
