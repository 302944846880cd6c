import type { SourceMap } from 'magic-string'
import { MagicString } from 'magic-string'
import { fileOf } from '../ids.ts'
import { rootGlob, sourcesOf } from './argument.ts'
import type { Found } from './calls.ts'
import { findCalls, MACRO_MODULE } from './calls.ts'
import { macroId } from './ids.ts'

/** Code whose calls of the macro have become imports. */
export interface Transformed {
  readonly code: string
  readonly map: SourceMap
  /** The ids of the sets that it imports. */
  readonly sets: readonly string[]
  /** Globs from the root, each the only source of its call: `embed-skills.d.ts` can type those. */
  readonly globs: readonly string[]
}

/**
 * Compiles the calls of `embedSkills` from `@embed-skills/runtime/macro` in a file away.
 *
 * @param id The file's path, absolute, with any query.
 * @returns `undefined` for code without such calls.
 * @throws MacroError for a call that cannot be compiled.
 */
export function transformMacro(
  code: string,
  id: string,
  { root }: { readonly root: string },
): Transformed | undefined {
  // Most files are done with here.
  if (!code.includes('embedSkills') || !code.includes(MACRO_MODULE)) return undefined
  const file = fileOf(id)
  const found = findCalls(code, file)
  if (!found) return undefined

  const text = new MagicString(code)
  const names = new Map<string, string>()
  const globs = new Set<string>()
  const free = freeNames(code)
  for (const call of found.calls) {
    const set = macroId(sourcesOf(call, { root, file }))
    const name = names.get(set) ?? free()
    names.set(set, name)
    text.overwrite(call.start, call.end, name)
    const glob = rootGlob(call)
    if (glob !== undefined) globs.add(glob)
  }
  replaceImports(text, code, found, names)
  return {
    code: text.toString(),
    map: text.generateMap({ source: file, includeContent: true, hires: 'boundary' }),
    sets: [...names.keys()],
    globs: [...globs],
  }
}

/** The imports of the sets stand where the macro's stood: no directive comes to stand behind them. */
function replaceImports(
  text: MagicString,
  code: string,
  { imports }: Found,
  names: ReadonlyMap<string, string>,
): void {
  const sets = [...names].map(([set, name]) => `import ${name} from ${JSON.stringify(set)};`).join(' ')
  for (const [index, { declaration, specifiers }] of imports.entries()) {
    const kept = declaration.specifiers.filter((specifier) => !specifiers.includes(specifier))
    const rest = kept.map(({ start, end }) => code.slice(start, end)).join(', ')
    const source = code.slice(declaration.source.start, declaration.source.end)
    const written = [index === 0 ? sets : '', kept.length ? `import { ${rest} } from ${source};` : '']
    text.overwrite(declaration.start, declaration.end, written.filter(Boolean).join(' ') || ';')
  }
}

function freeNames(code: string): () => string {
  let next = 0
  return () => {
    while (code.includes(`__embedSkills${next}`)) next++
    return `__embedSkills${next++}`
  }
}
