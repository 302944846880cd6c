import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Output } from '@embed-skills/compiler'

/** As far as it is used: the project's own Vite is loaded, whichever it is. */
interface Vite {
  resolveConfig(config: object, command: 'build'): Promise<{ plugins: readonly { api?: unknown }[] }>
}

interface Api {
  readonly embedSkills?: { output(): Promise<Output | undefined> }
}

/**
 * The types of the sets that a project's Vite configuration has.
 *
 * @returns `none` without Vite or without the plugin in it; `undefined` while a skill has an error.
 */
export async function outputOfVite(root: string): Promise<Output | undefined | 'none'> {
  const vite = await loadVite(root)
  if (!vite) return 'none'
  const { plugins } = await vite.resolveConfig({ root, logLevel: 'error' }, 'build')
  const api = plugins.map(({ api }) => (api as Api | undefined)?.embedSkills).find((api) => api)
  return api ? api.output() : 'none'
}

async function loadVite(root: string): Promise<Vite | undefined> {
  let file: string
  try {
    file = createRequire(path.join(root, 'package.json')).resolve('vite')
  } catch {
    return undefined
  }
  return (await import(pathToFileURL(file).href)) as Vite
}
