/** What a plugin does to code that rewrites its text, with what it looks for and what it puts there. */
export function rewriting([from, to]: readonly [string, string]): (code: string) => string {
  return (code) => code.replaceAll(from, to)
}
