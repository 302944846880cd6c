import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Contents by path. A path that ends with `/` is a folder, and `{ link }` a symlink. */
export type Tree = Readonly<Record<string, string | Uint8Array | { readonly link: string }>>

const folders: string[] = []
const clean = (): void => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}
// Vitest ends its workers without an exit event. A process that a test started has inherited the environment only.
if ('__vitest_worker__' in globalThis) (await import('vitest')).afterAll(clean)
else process.once('exit', clean)

/** A folder of one's own, removed after the tests of a file, or when the process ends. */
export function temporaryFolder(inside = '.'): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'embed-skills-')))
  folders.push(folder)
  const root = path.join(folder, inside)
  mkdirSync(root, { recursive: true })
  return root
}

/** Writes files below a folder, a temporary one unless given. */
export function writeTree(files: Tree, root: string = temporaryFolder()): string {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name)
    mkdirSync(name.endsWith('/') ? file : path.dirname(file), { recursive: true })
    if (name.endsWith('/')) continue
    if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(file, content)
    else symlinkSync(content.link, file)
  }
  return root
}

/** Frontmatter that no rule objects to, and a body. */
export function skillMd(name: string, more = ''): string {
  return `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\nBody of ${name}.\n`
}
