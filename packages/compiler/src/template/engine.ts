import type { CompiledSkill } from '../types.ts'

/** Compiles the templates of one suffix. What it gives runs where nothing is evaluated: in a Worker, say. */
export interface TemplateEngine {
  /**
   * The source of a JavaScript function, `(data) => text` or a promise of it. It becomes part of a module,
   * so it may use what the language has, and imports nothing.
   *
   * @param file The template's file, absolute, for messages.
   * @throws Error where the template is wrong; with `line` and `column`, from 1, where they are known.
   */
  compile(source: string, file: string): string | Promise<string>
  /** Whether there are tags in a text. Frontmatter may hold none. */
  hasTags(text: string): boolean
}

/** Whether a skill is served when it is rendered alone. */
export function hasTemplates({ files }: Pick<CompiledSkill, 'files'>): boolean {
  return files.some(({ template }) => template !== undefined)
}

/** Engines by the suffix of their files: `{ '.eta': engine }`. */
export type TemplateEngines = Readonly<Record<string, TemplateEngine | false>>

/** Engines by suffix, with the ones that are loaded when they are first needed. */
export type ResolvedEngines = ReadonlyMap<string, () => Promise<TemplateEngine>>

/**
 * The engines of a compilation: Eta for `.eta` unless another is given, and none if `false` is.
 *
 * @throws {TypeError} for a suffix or an engine that is none.
 */
export function resolveEngines(given: TemplateEngines | false = {}): ResolvedEngines {
  if (given === false) return new Map()
  const engines = new Map<string, () => Promise<TemplateEngine>>([
    // Few have templates, and who has none should not wait for their compiler.
    ['.eta', async () => (await import('./eta.ts')).eta],
  ])
  for (const [suffix, engine] of Object.entries(given)) {
    if (!/^\.[\w-]+$/.test(suffix))
      throw new TypeError(`The suffix of templates ${JSON.stringify(suffix)} must look like \`.eta\``)
    if (engine === false) engines.delete(suffix)
    else if (typeof engine?.compile === 'function' && typeof engine.hasTags === 'function')
      engines.set(suffix, async () => engine)
    else throw new TypeError(`The template engine of \`${suffix}\` needs \`compile\` and \`hasTags\``)
  }
  return engines
}

/** The suffix of a template, if the name has one and something before it. */
export function suffixOf(name: string, engines: ResolvedEngines): string | undefined {
  for (const suffix of engines.keys()) if (name.endsWith(suffix) && name.length > suffix.length) return suffix
  return undefined
}

/** Whether a folder with these names has a file of this name, or a template of it. */
export function hasMainFile(names: readonly string[], mainFile: string, engines: ResolvedEngines): boolean {
  return names.some((name) => isMainFile(name, mainFile, engines))
}

/** Whether it is this name, or that of a template of it. */
export function isMainFile(name: string, mainFile: string, engines: ResolvedEngines): boolean {
  return name === mainFile || (name.startsWith(`${mainFile}.`) && engines.has(name.slice(mainFile.length)))
}
