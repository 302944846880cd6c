import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { CompiledSkill, Content } from '@embed-skills/compiler'
import { emitModules } from '@embed-skills/compiler'
import type { CompiledSkills } from '@embed-skills/runtime'
import { temporaryFolder } from './tree.ts'

// Whole lines, since contents may hold the same words.
const IMPORT = /^(import \* as g\d+ from | {2}\(\) => import\()"(virtual:[^"]*)"(?=\)?,?$)/gm

/** Imports the modules of compiled skills as they are, without a bundler. */
export async function importSkills(
  skills: readonly CompiledSkill[],
  content: Content = 'chunks',
  id = 'virtual:skills',
): Promise<CompiledSkills> {
  return importNatively(await writeModules(skills, content, id))
}

/**
 * The default export of a module of ours as Node itself loads it: Vitest's own loader goes over the code, and takes
 * out what looks like a source map.
 */
export function importNatively(url: string): CompiledSkills {
  return (createRequire(import.meta.url)(fileURLToPath(url)) as { default: CompiledSkills }).default
}

/** Writes the modules as files, and gives the URL of the one to import. */
export async function writeModules(
  skills: readonly CompiledSkill[],
  content: Content = 'chunks',
  id = 'virtual:skills',
): Promise<string> {
  const folder = temporaryFolder()
  for (const [moduleId, write] of emitModules(skills, { content })) {
    const code = write().replaceAll(
      IMPORT,
      (_, before: string, found: string) => `${before}"./${fileOf(found)}"`,
    )
    await writeFile(path.join(folder, fileOf(moduleId)), code)
  }
  return pathToFileURL(path.join(folder, fileOf(id))).href
}

function fileOf(id: string): string {
  return `${createHash('sha256').update(id).digest('hex').slice(0, 16)}.mjs`
}
