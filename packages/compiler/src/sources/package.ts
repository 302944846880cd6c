import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const NAME = /^(?:@[\w.~-]+\/)?[\w.~-]+$/

/**
 * The folder of an installed package as the root sees it, absolute. Where it is not installed, the place
 * where it would be: whether anything is there shows when it is listed.
 *
 * @throws {TypeError} on what is no package name.
 */
export function packageFolder(name: string, root: string): string {
  if (!NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} is no package name, such as '@acme/sdk'`)
  for (let at = root; ; at = path.dirname(at)) {
    const folder = path.join(at, 'node_modules', name)
    if (isFolder(folder)) return folder
    if (at === path.dirname(at)) break
  }
  return resolved(name, root) ?? path.join(root, 'node_modules', name)
}

/** Plug'n'Play has no `node_modules`, and many packages do not export their `package.json`. */
function resolved(name: string, root: string): string | undefined {
  const require = createRequire(path.join(root, 'package.json'))
  for (const entry of [`${name}/package.json`, name]) {
    try {
      const file = require.resolve(entry)
      const end = file.lastIndexOf(path.join(path.sep, name, path.sep))
      if (end !== -1) return file.slice(0, end + name.length + 1)
    } catch {
      // The next entry, or none.
    }
  }
  return undefined
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
}
