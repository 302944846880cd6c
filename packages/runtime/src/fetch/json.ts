const kept = new WeakMap<object, string>()

/**
 * JSON of a result. What is frozen never changes (pages, entries and small files of compiled sets
 * are), so its JSON is kept, and an answer costs little more than joining strings.
 */
export function stringify(result: object): string {
  let json = ''
  for (const [key, value] of Object.entries(result)) json += `${json && ','}"${key}":${stringifyValue(value)}`
  return `{${json}}`
}

function stringifyValue(value: unknown): string {
  const known = kept.get(value as object)
  if (known) return known
  const json = Array.isArray(value) ? `[${value.map(stringifyValue)}]` : JSON.stringify(value)
  if (Object(value) === value && Object.isFrozen(value)) kept.set(value as object, json)
  return json
}
