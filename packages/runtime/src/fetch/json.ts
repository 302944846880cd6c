const kept = new WeakMap<object, string>()

/**
 * JSON of a result. What is frozen never changes (entries and small files of compiled sets are), so
 * its JSON is kept, and an answer costs little more than joining strings.
 */
export function stringify(result: object): string {
  let json = ''
  for (const [key, value] of Object.entries(result))
    json += `${json && ','}"${key}":${Array.isArray(value) ? `[${value.map(stringifyOnce)}]` : stringifyOnce(value)}`
  return `{${json}}`
}

function stringifyOnce(value: unknown): string {
  const known = kept.get(value as object)
  if (known) return known
  const json = JSON.stringify(value)
  if (Object(value) === value && Object.isFrozen(value)) kept.set(value as object, json)
  return json
}
