import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CompiledSkill, Content } from '@embed-skills/compiler'
import { emitModules } from '@embed-skills/compiler'
import type { CompiledSkills } from '@embed-skills/runtime'

/** Imports the modules of compiled skills as they are, without a bundler. */
export async function importSkills(
  skills: readonly CompiledSkill[],
  content: Content = 'chunks',
  id = 'virtual:skills',
  templates: readonly CompiledSkill[] = [],
): Promise<CompiledSkills> {
  const folder = await mkdtemp(path.join(tmpdir(), 'embed-skills-modules-'))
  const modules = emitModules(skills, { content, templates })
  await mkdir(folder, { recursive: true })
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
