/** The format of what is written here; a runtime that does not know it says so. */
export const FORMAT = 1

/** The compiled set as an object literal. All code here ends statements in `;`, as formatters do. */
export function setCode(rows: string, load: string): string {
  return `{
  format: ${FORMAT},
  skills: ${rows},
  load: ${load},
}`
}

/** What a module in base64 needs to read itself, written into it. */
export const DECODE = `const decode = (base64) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
const open = (contents) =>
  new Proxy({}, {
    get: (_, slot) => slot in contents ? (slot[0] === 't' ? decode(contents[slot]) : contents[slot]) : undefined,
  });
`

/** How a set gets at its groups: those in the bundle are at hand, those in chunks are imported. */
export function loadCode(isInline: boolean, isEncoded: boolean): string {
  if (!isEncoded) return `(group) => groups[group]${isInline ? '' : '()'}`
  return isInline ? '(group) => open(groups[group])' : 'async (group) => open(await groups[group]())'
}
