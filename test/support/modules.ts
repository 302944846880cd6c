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
  const folder = temporaryFolder()
  const modules = emitModules(skills, { content })
  for (const [moduleId, write] of modules) {
    const code = write().replaceAll(/"(virtual:[^"]*)"/g, (_, found: string) => `"./${fileOf(found)}"`)
    await writeFile(path.join(folder, fileOf(moduleId)), code)
  }
  const file = path.join(folder, fileOf(id))
  const { default: compiled } = (await import(pathToFileURL(file).href)) as { default: CompiledSkills }
  return compiled
}

function fileOf(id: string): string {
  return `${createHash('sha256').update(id).digest('hex').slice(0, 16)}.mjs`
}
