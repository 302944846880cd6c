import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CompiledSkill, Content } from '@embed-skills/compiler'
import { emitModules } from '@embed-skills/compiler'
import type { CompiledSkills } from '@embed-skills/runtime'
import { temporaryFolder } from './tree.ts'

/** Imports the modules of compiled skills as they are, without a bundler. */
export async function importSkills(
  skills: readonly CompiledSkill[],
  content: Content = 'chunks',
  id = 'virtual:skills',
): Promise<CompiledSkills> {
  const url = await writeModules(skills, content, id)
  return ((await import(url)) as { default: CompiledSkills }).default
}

/** Writes the modules as files, and gives the URL of the one to import. */
export async function writeModules(
  skills: readonly CompiledSkill[],
  content: Content = 'chunks',
  id = 'virtual:skills',
): Promise<string> {
  const folder = temporaryFolder()
  for (const [moduleId, write] of emitModules(skills, { content })) {
    const code = write().replaceAll(/"(virtual:[^"]*)"/g, (_, found: string) => `"./${fileOf(found)}"`)
    await writeFile(path.join(folder, fileOf(moduleId)), code)
  }
  return pathToFileURL(path.join(folder, fileOf(id))).href
}

function fileOf(id: string): string {
  return `${createHash('sha256').update(id).digest('hex').slice(0, 16)}.mjs`
}
