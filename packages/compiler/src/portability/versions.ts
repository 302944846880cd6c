import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

let known: string | undefined

/** The version of the official SDK that is installed, on which findings depend; `none` without it. */
export function readerVersions(): string {
  known ??= installed()
  return known
}

function installed(): string {
  try {
    const require = createRequire(import.meta.url)
    let folder = path.dirname(require.resolve('@modelcontextprotocol/server'))
    // The package may keep its package.json to itself.
    while (path.basename(folder) === 'dist') folder = path.dirname(folder)
    const { version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
    return String(version)
  } catch {
    return 'none'
  }
}
