import type { Json, JsonObject } from '../json.ts'

/**
 * Frontmatter between its fences, in the one form that all YAML readers read the same: every string in
 * double quotes on a line of its own, collections as blocks, numbers with a point wherever they have an
 * exponent. No reader resolves a date, a word, an octal or a merge key in it.
 *
 * @throws TypeError for what JSON, or one of those readers, cannot hold.
 */
export function writeFrontmatter(frontmatter: JsonObject): string {
  return `---\n${mapping(frontmatter, '', '')}---\n`
}

function mapping(object: JsonObject, indent: string, at: string): string {
  return Object.entries(object)
    .map(([key, value]) => `${indent}${keyText(key)}:${below(value, indent, at && `${at}.`, key)}`)
    .join('')
}

function below(value: Json, indent: string, at: string, key: string): string {
  const path = at + key
  // Depth is bounded where hosts bound it.
  if (indent.length > 60) throw new TypeError(`The frontmatter nests too deep at ${path}`)
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map(
      (item, index) => `${indent}  -${below(item, `${indent}  `, `${path}.`, String(index))}`,
    )
    return items.length ? `\n${items.join('')}` : ' []\n'
  }
  if (typeof value === 'object' && value !== null) {
    const text = mapping(value as JsonObject, `${indent}  `, path)
    return text ? `\n${text}` : ' {}\n'
  }
  return ` ${scalar(value, path)}\n`
}

function scalar(value: unknown, path: string): string {
  if (typeof value === 'string') return quoted(value, path)
  if (typeof value === 'boolean' || value === null) return String(value)
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new TypeError(`The frontmatter has no JSON form at ${path}: ${String(value)}`)
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new TypeError(`The number at ${path} has more digits than JSON keeps: write it as a string`)
  // YAML 1.1 takes `1e-7` for a string.
  return JSON.stringify(value).replace(/^(-?\d+)e/, '$1.0e')
}

/** A plain key where no reader takes it for something else. `y` and `on` are booleans in YAML 1.1. */
function keyText(key: string): string {
  if (key === '__proto__') throw new TypeError('No key of the frontmatter may be called `__proto__`')
  // YAML bounds keys on one line.
  if (key.length > 256) throw new TypeError(`A key of the frontmatter is too long: ${key.slice(0, 40)}`)
  const isPlain = /^[a-z][\w-]*$/i.test(key) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(key)
  return isPlain ? key : quoted(key, key)
}

// What is no printable character in YAML, or ends a line in some versions of it; and a third hyphen, since
// one reader takes `---` for the closing fence wherever it stands.
const ESCAPED = /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]|(?<=--)-/g

function quoted(text: string, path: string): string {
  if (/\p{Surrogate}/u.test(text))
    throw new TypeError(`The frontmatter has half of a surrogate pair at ${path}, which is no character`)
  return JSON.stringify(text).replace(
    ESCAPED,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
