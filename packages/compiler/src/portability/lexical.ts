/**
 * What a plain scalar is to readers that do not run in JavaScript: PyYAML (YAML 1.1) and Go's yaml.v3. Their rules
 * are regular expressions and a number parser, written down here; nothing is executed.
 */
export type Seen =
  | { readonly value: string | number | boolean | null }
  /** Something that JSON has no word for. */
  | { readonly as: string }

const PY_BOOL = /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$|^(no|No|NO|false|False|FALSE|off|Off|OFF)$/
const NULL = /^(?:~|null|Null|NULL|)$/
const PY_FLOAT =
  /^(?:[-+]?\d[\d_]*\.[\d_]*(?:[eE][-+]\d+)?|\.\d[\d_]*(?:[eE][-+]\d+)?|[-+]?\d[\d_]*(?::[0-5]?\d)+\.[\d_]*)$/
const PY_INT =
  /^(?:[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][\d_]*)|[-+]?0x[\da-fA-F_]+|[-+]?[1-9][\d_]*(?::[0-5]?\d)+)$/
const NOT_FINITE = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/
const PY_DATE =
  /^(?:\d{4}-\d\d-\d\d|\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?)$/

const GO_BOOL = /^(?:true|True|TRUE)$|^(false|False|FALSE)$/
const GO_INT = /^[-+]?(?:0[bB][01]+|0[oO]?[0-7]+|0[xX][\da-fA-F]+|0|[1-9]\d*)$/
const GO_FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/
const GO_DATE =
  /^\d{4}-\d\d?-\d\d?(?:[Tt]\d\d?:\d\d?:\d\d?(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)|(?: +\d\d?:\d\d?:\d\d?(?:\.\d+)?)?)$/

const A_DATE: Seen = { as: 'a date' }

export function pyYaml(source: string): Seen {
  const bool = PY_BOOL.exec(source)
  if (bool !== null) return { value: bool[1] === undefined }
  if (NULL.test(source)) return { value: null }
  if (NOT_FINITE.test(source)) return { as: 'a number that is not finite' }
  if (PY_INT.test(source) || PY_FLOAT.test(source)) return { value: pyNumber(source) }
  if (PY_DATE.test(source)) return A_DATE
  if (source === '=') return { as: 'an error' }
  return { value: source }
}

function pyNumber(source: string): number {
  const digits = source.replaceAll('_', '')
  const sign = digits.startsWith('-') ? -1 : 1
  const plain = digits.replace(/^[-+]/, '')
  if (plain.includes(':')) {
    // Base 60: `12:30:45` is a time of day in seconds.
    return sign * plain.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  }
  if (/^0[0-7]+$/.test(plain)) return sign * Number.parseInt(plain, 8)
  return sign * Number(plain)
}

export function goYaml(source: string): Seen {
  const bool = GO_BOOL.exec(source)
  if (bool !== null) return { value: bool[1] === undefined }
  if (NULL.test(source)) return { value: null }
  if (NOT_FINITE.test(source)) return { as: 'a number that is not finite' }
  if (/^[-+\d]/.test(source) && GO_DATE.test(source)) return A_DATE
  const plain = source.replaceAll('_', '')
  if (/^[-+\d]/.test(source) && GO_INT.test(plain)) return { value: goNumber(plain) }
  if (/^[-+.\d]/.test(source) && GO_FLOAT.test(source.startsWith('.') ? source : plain)) {
    return { value: Number(plain) }
  }
  return { value: source }
}

function goNumber(plain: string): number {
  const sign = plain.startsWith('-') ? -1 : 1
  const digits = plain.replace(/^[-+]/, '')
  return sign * Number(/^0[0-7]+$/.test(digits) ? `0o${digits}` : digits)
}
