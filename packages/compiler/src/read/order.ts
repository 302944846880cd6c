/** Code-unit order, which for URIs is byte order: never a locale's. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
