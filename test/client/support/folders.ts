import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

export function temporaryFolder(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'embed-skills-'))
}

/** Every file below a folder with its bytes as text, the manifest of downloads left out. */
export async function filesBelow(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && entry.name !== '.embed-skills.json')
    .map((entry) => path.join(entry.parentPath, entry.name))
  const texts = await Promise.all(
    files.map(async (file): Promise<[string, string]> => {
      return [path.relative(folder, file).replaceAll(path.sep, '/'), await readFile(file, 'latin1')]
    }),
  )
  return Object.fromEntries(texts.sort(([a], [b]) => (a < b ? -1 : 1)))
}
