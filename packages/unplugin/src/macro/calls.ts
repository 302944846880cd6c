import type { CallExpression, ImportDeclaration, Node } from '@oxc-project/types'
import { parseSync } from 'oxc-parser'
import { isReferenceIdentifier, ScopeTracker, walk } from 'oxc-walker'
import { MacroError } from './error.ts'

/** The module that the macro is imported from. */
export const MACRO_MODULE = '@embed-skills/runtime/macro'
const NAME = 'embedSkills'

type Specifier = ImportDeclaration['specifiers'][number]

/** What of a file has to do with the macro. */
export interface Found {
  readonly imports: readonly {
    readonly declaration: ImportDeclaration
    /** Those that bring the macro in. */
    readonly specifiers: readonly Specifier[]
  }[]
  readonly calls: readonly CallExpression[]
}

/**
 * The calls of the macro, known by what their names are bound to: aliases and namespaces are seen, and
 * a variable of the same name is not.
 *
 * @returns `undefined` for code that does not import the macro, or that cannot be parsed.
 * @throws MacroError where the macro is used otherwise than by calling it.
 */
export function findCalls(code: string, file: string): Found | undefined {
  const program = parse(code, file)
  if (!program) return undefined
  const imports = program.body
    .filter((node) => node.type === 'ImportDeclaration' && node.source.value === MACRO_MODULE)
    .map((node) => node as ImportDeclaration)
    .filter(({ importKind }) => importKind !== 'type')
    .map((declaration) => ({ declaration, specifiers: declaration.specifiers.filter(bringsMacro) }))
    .filter(({ specifiers }) => specifiers.length)
  if (!imports.length) return undefined
  const specifiers = new Set<Node>(imports.flatMap(({ specifiers }) => specifiers))

  const scopeTracker = new ScopeTracker({ preserveExitedScopes: true })
  walk(program, { scopeTracker })
  scopeTracker.freeze()
  const calls: CallExpression[] = []
  const path: Node[] = []
  walk(program, {
    scopeTracker,
    enter(node, parent) {
      path.push(node)
      if (node.type !== 'Identifier' || !parent || !isReferenceIdentifier(node, parent)) return
      const declaration = scopeTracker.getDeclaration(node.name)
      const specifier = declaration?.type === 'Import' ? declaration.node : undefined
      if (!specifier || !specifiers.has(specifier) || isType(path)) return
      const isNamespace = specifier.type === 'ImportNamespaceSpecifier'
      const call = callOf(path, isNamespace)
      if (call) calls.push(call)
      else if (call === undefined)
        throw new MacroError(
          `\`${node.name}\` can only be called, since the call is compiled away. Call it here: ${isNamespace ? `${node.name}.` : ''}${NAME}('./skills/*')`,
          node.start,
        )
    },
    leave() {
      path.pop()
    },
  })
  return { imports, calls }
}

function parse(code: string, file: string): ReturnType<typeof parseSync>['program'] | undefined {
  const [, ending = ''] = /\.([cm]?[jt]sx?)$/.exec(file) ?? []
  // What is no TypeScript file may be one that a plugin has compiled, or will.
  const langs =
    ending === 'tsx'
      ? (['tsx'] as const)
      : ending.includes('ts')
        ? (['ts'] as const)
        : (['jsx', 'ts'] as const)
  for (const lang of langs) {
    const { program, errors } = parseSync('code', code, { lang, sourceType: 'module' })
    if (!errors.length) return program
  }
  return undefined
}

function bringsMacro(specifier: Specifier): boolean {
  if (specifier.type === 'ImportNamespaceSpecifier') return true
  if (specifier.type !== 'ImportSpecifier' || specifier.importKind === 'type') return false
  const { imported } = specifier
  return (imported.type === 'Identifier' ? imported.name : imported.value) === NAME
}

const WRAPPERS = new Set([
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSInstantiationExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
])

/**
 * The call whose callee the last node of `path` is; `null` for another member of a namespace.
 */
function callOf(path: readonly Node[], isNamespace: boolean): CallExpression | null | undefined {
  let at = path.length - 1
  const climb = (): void => {
    while (WRAPPERS.has(path[at - 1]?.type ?? '')) at--
  }
  climb()
  if (isNamespace) {
    const member = path[at - 1]
    if (member?.type !== 'MemberExpression' || member.object !== path[at]) return undefined
    const { property } = member
    const name =
      property.type === 'Literal'
        ? property.value
        : !member.computed && 'name' in property
          ? property.name
          : undefined
    if (name === undefined) return undefined
    if (name !== NAME) return null
    at--
    climb()
  }
  const call = path[at - 1]
  return call?.type === 'CallExpression' && call.callee === path[at] ? call : undefined
}

/** Whether the name stands in a type: `typeof embedSkills`. Types are gone before anything runs. */
function isType(path: readonly Node[]): boolean {
  return path.some(({ type }) => type === 'TSTypeQuery')
}
