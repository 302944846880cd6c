import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** Contents by path; a path that ends with `/` is a folder, and `{ link }` a symlink. */
export type Tree = Readonly<Record<string, string | Uint8Array | { readonly link: string }>>

/** Writes a tree into a temporary folder, which is removed after the test, and returns that folder. */
export function tree(files: Tree): string {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'embed-skills-'))
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name)
    fs.mkdirSync(name.endsWith('/') ? file : path.dirname(file), { recursive: true })
    if (name.endsWith('/')) continue
    if (typeof content === 'string' || content instanceof Uint8Array) fs.writeFileSync(file, content)
    else fs.symlinkSync(content.link, file)
  }
  return root
}
