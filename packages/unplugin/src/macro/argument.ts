import path from 'node:path'
import type { SourceInput, SourceOptions } from '@embed-skills/compiler'
import { createCompiler } from '@embed-skills/compiler'
import type { CallExpression, Node } from '@oxc-project/types'
import { belowRoot } from '../below-root.ts'
import { MacroError } from './error.ts'

/** Where a call is: what its globs are relative to. */
export interface Place {
  /** Absolute. */
  readonly root: string
  /** Absolute. */
  readonly file: string
}

/**
 * The sources that a call names, with bases relative to the root.
 *
 * @throws MacroError for an argument that is not written out, or that no source is.
 */
export function sourcesOf(call: CallExpression, place: Place): readonly SourceInput[] {
  const [argument, more] = call.arguments
  if (!argument) throw new MacroError("Say where skills are: embedSkills('./skills/*')", call.start)
  if (more) throw new MacroError('embedSkills takes one argument: an array for several sources', more.start)
  const nodes = argument.type === 'ArrayExpression' ? argument.elements : [argument]
  const sources = nodes.map((node) => {
    if (!node) throw new MacroError('An element of the array is missing', argument.start)
    return { node, value: literal(node) }
  })
  const left: { base: string; glob: string }[] = []
  const taken: SourceOptions[] = []
  const others: SourceInput[] = []
  for (const { node, value } of sources) {
    if (typeof value === 'string' && value.startsWith('!')) left.push(located(value.slice(1), node, place))
    else if (typeof value === 'string') {
      const { base, glob } = located(value, node, place)
      taken.push({ from: glob, base })
    } else if (isObject(value) && value['from'] !== undefined) taken.push(...fromObject(value, node, place))
    else if (isObject(value)) others.push(value as unknown as SourceInput)
    else
      throw new MacroError(
        `A source is a glob such as './skills/*' or an object; got ${JSON.stringify(value)}`,
        node.start,
      )
  }
  const withIgnore = taken.map((source) => {
    // What is no array is refused below.
    if (source.ignore !== undefined && !Array.isArray(source.ignore)) return source
    const ignore = [...(source.ignore ?? []), ...left.map((glob) => rebase(glob, source.base!))]
    return ignore.length ? { ...source, ignore } : source
  })
  return checked([...withIgnore, ...others], argument, place)
}

/** @throws MacroError for what compiling it would refuse: there the call is out of sight. */
function checked(sources: SourceInput[], { start }: Node, { root }: Place): SourceInput[] {
  try {
    createCompiler(sources, { root })
  } catch (error) {
    if (error instanceof TypeError) throw new MacroError(error.message, start)
    throw error
  }
  return sources
}

/** The glob from the root that a call has for its only source, by which `embed-skills.d.ts` knows it. */
export function rootGlob(call: CallExpression): string | undefined {
  const [argument] = call.arguments
  const value = argument && argument.type !== 'ArrayExpression' ? literal(argument) : undefined
  return typeof value === 'string' && value.startsWith('/') ? value : undefined
}

function fromObject(value: Readonly<Record<string, unknown>>, node: Node, place: Place): SourceOptions[] {
  const { from, base, ...more } = value
  if (base !== undefined)
    throw new MacroError(
      '`base` is not for embedSkills(): its globs start from this file, or with a / from the root',
      node.start,
    )
  return [from].flat().map((pattern) => {
    if (typeof pattern !== 'string') throw new MacroError('`from` is a glob or an array of globs', node.start)
    const { base, glob } = located(pattern, node, place)
    return { ...more, from: glob, base }
  })
}

/** The folder that a glob starts from, relative to the root, and the rest of it. */
function located(pattern: string, node: Node, { root, file }: Place): { base: string; glob: string } {
  const isRelative = /^\.{1,2}(\/|$)/.test(pattern)
  if (!isRelative && !pattern.startsWith('/'))
    throw new MacroError(
      `Write './${pattern}' for what is beside this file, or '/${pattern}' for what is below the root`,
      node.start,
    )
  let folder = isRelative ? path.dirname(file) : root
  let glob = isRelative ? pattern : pattern.slice(1)
  // Folders of the importer are names, and no part of the glob, whatever characters they have.
  for (let up = /^(\.{1,2})(?:\/|$)/.exec(glob); up; up = /^(\.{1,2})(?:\/|$)/.exec(glob)) {
    if (up[1] === '..') folder = path.dirname(folder)
    glob = glob.slice(up[0].length)
  }
  return { base: belowRoot(root, folder) || '.', glob: glob || '.' }
}

function rebase({ base, glob }: { base: string; glob: string }, to: string): string {
  return path.posix.join(path.posix.relative(to, base), glob)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of what is written out. */
function literal(node: Node): unknown {
  switch (node.type) {
    case 'Literal':
      if ('regex' in node || 'bigint' in node) break
      return node.value
    case 'TemplateLiteral':
      if (node.expressions.length) break
      return node.quasis[0]!.value.cooked
    case 'ArrayExpression':
      return node.elements.map((element) => {
        if (!element) throw new MacroError('An element of the array is missing', node.start)
        return literal(element)
      })
    case 'ObjectExpression':
      return Object.fromEntries(
        node.properties.map((property) => {
          if (property.type !== 'Property' || property.computed || property.kind !== 'init')
            return refuse(property)
          const { key } = property
          return [key.type === 'Identifier' ? key.name : String(literal(key)), literal(property.value)]
        }),
      )
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
      return literal(node.expression)
  }
  return refuse(node)
}

function refuse(node: Node): never {
  throw new MacroError(
    'embedSkills() is compiled before anything runs, so that its argument has to be written out: strings, arrays and objects, without variables',
    node.start,
  )
}
