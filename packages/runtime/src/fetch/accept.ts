/** Whether an `Accept` header takes a type. The most specific range that matches decides (RFC 9110). */
export function accepts(accept: string | null, type: string): boolean {
  const ranges = new Map<string, boolean>()
  for (const range of (accept || '*/*').toLowerCase().split(',')) {
    const [name, ...params] = range.split(';').map((part) => part.trim())
    ranges.set(name!, !params.some((param) => /^q=0(\.0*)?$/.test(param)))
  }
  return ranges.get(type) ?? ranges.get(type.replace(/[^/]*$/, '*')) ?? ranges.get('*/*') ?? false
}
