const kept = new WeakMap<object, string>()

/**
 * JSON of a result. What is frozen never changes (entries and small files of compiled sets are), so
 * its JSON is kept, and an answer costs little more than joining strings.
 */
export function stringify(result: object): string {
  const fields = Object.entries(result).flatMap(([key, value]) =>
    value === undefined
      ? []
      : `"${key}":${Array.isArray(value) ? `[${value.map(stringifyOnce)}]` : stringifyOnce(value)}`,
  )
  return `{${fields}}`
}

function stringifyOnce(value: unknown): string {
  const known = kept.get(value as object)
  if (known) return known
  const json = JSON.stringify(value)
  if ((value as { uri?: string } | null)?.uri && Object.isFrozen(value)) kept.set(value as object, json)
  return json
}
