import fs from 'node:fs'
import path from 'node:path'
import { remember } from '../read/disk.ts'

/** What a repository says about line endings, seen from one folder. */
export interface LineEndings {
  /** Whether git may change the line endings of a file (absolute) from one checkout to another. */
  drifts(file: string): boolean
  /** Changes with the answers. */
  readonly signature: string
}

export type LineEndingsOf = (folder: string) => LineEndings

/** A line of a `.gitattributes` that settles line endings. */
interface Settled {
  readonly folder: string
  readonly pattern: string
}

/** Undefined outside of any repository. */
type Place = readonly Settled[] | undefined

/** Reads the `.gitattributes` from a folder up to the root of its repository, each once. */
export function createLineEndings(): LineEndingsOf {
  const places = new Map<string, { readonly settled: Place }>()

  const placeOf = (folder: string): Place =>
    remember(places, folder, () => {
      const parent = path.dirname(folder)
      const isTop = fs.existsSync(path.join(folder, '.git'))
      const above = isTop ? [] : parent === folder ? undefined : placeOf(parent)
      return { settled: above && [...above, ...readSettled(folder)] }
    }).settled

  return (folder) => {
    const settled = placeOf(folder)
    return {
      signature: JSON.stringify(settled?.map(({ pattern }) => pattern) ?? null),
      drifts: (file) => settled !== undefined && !settled.some((line) => matches(line, file)),
    }
  }
}

/** What keeps git from converting: `eol=…`, `-text`, or `binary`, which implies it. */
const SETTLES = /(?:^|\s)(?:eol=\w+|-text|binary)(?=\s|$)/

function readSettled(folder: string): Settled[] {
  let text: string
  try {
    text = fs.readFileSync(path.join(folder, '.gitattributes'), 'utf8')
  } catch {
    return []
  }
  return text.split(/\r?\n/).flatMap((line) => {
    const [pattern = '', ...attributes] = line.trim().split(/\s+/)
    const settles = pattern !== '' && !pattern.startsWith('#') && SETTLES.test(attributes.join(' '))
    return settles ? [{ folder, pattern }] : []
  })
}

/** A pattern without a slash is matched against names, another against paths below its file's folder. */
function matches({ folder, pattern }: Settled, file: string): boolean {
  const isName = !pattern.includes('/')
  const below = isName ? path.basename(file) : path.relative(folder, file).split(path.sep).join('/')
  const source = pattern
    .replace(/^\//, '')
    .replaceAll(/[$()+.\\^{|}]/g, '\\$&')
    .replaceAll(/\*\*\/?|\*|\?/g, (glob) => (glob === '?' ? '[^/]' : glob === '*' ? '[^/]*' : '.*'))
  try {
    return new RegExp(`^${source}$`).test(below)
  } catch {
    // A bracket without its partner.
    return pattern === below
  }
}
