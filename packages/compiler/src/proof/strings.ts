import { parseSync } from 'oxc-parser'

/** A string that a program holds. */
export interface FoundString {
  readonly value: string
  /** The offset of the literal in the code, in UTF-16 units. */
  readonly start: number
  /** Where the string is the value of a property with a quoted name: that name. */
  readonly key?: string
}

/**
 * Every string and template literal of a chunk, as the program will see it.
 *
 * @throws SyntaxError if the code is no JavaScript.
 */
export function stringsOf(code: string, fileName: string): readonly FoundString[] {
  return collect(parse(code, fileName))
}

type Node = Readonly<Record<string, unknown>> & { readonly type?: string; readonly start?: number }

function parse(code: string, fileName: string): Node {
  // A chunk may be of either kind, and JSX may have been kept.
  for (const sourceType of ['module', 'script'] as const) {
    const { program, errors } = parseSync('chunk.jsx', code, {
      lang: 'jsx',
      sourceType,
      preserveParens: false,
    })
    if (program.body.length || !errors.length) return program as unknown as Node
    if (sourceType === 'script') throw new SyntaxError(`${fileName}: ${errors[0]!.message}`)
  }
  throw new Error('unreachable')
}

/** Not by recursion: a long chain of `a + b + c` is as deep as it is long. */
function collect(program: Node): readonly FoundString[] {
  const found: FoundString[] = []
  const open: [node: Node, key?: string][] = [[program]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, key] = next
    const keyed = key !== undefined && { key }
    if (node.type === 'Literal') {
      const { value, start = 0 } = node
      if (typeof value === 'string') found.push({ value, start, ...keyed })
      continue
    }
    if (node.type === 'TemplateElement') {
      const { cooked } = node['value'] as { cooked: string | null }
      if (cooked !== null) found.push({ value: cooked, start: node.start ?? 0, ...keyed })
      continue
    }
    if (node.type === 'Property') {
      const { key: name, value } = node as unknown as { key: Node; value: Node }
      open.push([name], typeof name['value'] === 'string' ? [value, name['value']] : [value])
      continue
    }
    for (const child of Object.values(node)) {
      if (Array.isArray(child)) {
        for (const each of child as unknown[])
          if (isNode(each))
            open.push(node.type === 'TemplateLiteral' && key !== undefined ? [each, key] : [each])
      } else if (isNode(child)) open.push([child])
    }
  }
  return found
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
