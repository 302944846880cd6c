import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkConfig } from './config.ts'
import type { SkillsConfig } from './config.ts'

export interface LoadedConfig {
  /** Absolute. */
  readonly file: string
  readonly config: SkillsConfig
}

const NAMES = ['ts', 'mts', 'js', 'mjs', 'json'].map((extension) => `embed-skills.config.${extension}`)

/**
 * Reads the configuration of a project: `file`, or the first `embed-skills.config.{ts,mts,js,mjs,json}` in `root`.
 * Undefined if there is none.
 *
 * @throws {TypeError} if it is no configuration, or cannot be loaded.
 */
export async function loadConfig(root: string, file?: string): Promise<LoadedConfig | undefined> {
  const found =
    file === undefined
      ? NAMES.map((name) => path.join(root, name)).find((candidate) => fs.existsSync(candidate))
      : path.resolve(root, file)
  if (found === undefined) return undefined
  if (!fs.existsSync(found)) throw new TypeError(`There is no configuration at ${found}`)
  return { file: found, config: checkConfig(await valueOf(found), path.basename(found)) }
}

async function valueOf(file: string): Promise<unknown> {
  if (file.endsWith('.json')) return parseJson(file)
  try {
    return await importDefault(file).catch((error) => {
      if (!UNREAD.has((error as NodeJS.ErrnoException).code) && !isUnparsed(error)) throw error
      return importWithJiti(file)
    })
  } catch (error) {
    throw new TypeError(`${placeOf(error, file)} cannot be loaded: ${reasonOf(error)}`, { cause: error })
  }
}

/** The file, with the line that the error comes from where its stack tells. */
function placeOf(error: unknown, file: string): string {
  const name = path.basename(file)
  const place = new RegExp(`${name.replace(/\W/g, '\\$&')}(?:\\?t=[\\d.]+)?(:\\d+)`)
  return `${name}${place.exec((error as Error | undefined)?.stack ?? '')?.[1] ?? ''}`
}

/** What an error says; for a package that is not there, what to do. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [missing, name] =
    /^Cannot find (?:module|package) '((?:@[\w.-]+\/)?[\w-][\w.-]*)(?=['/])[^']*'/.exec(error.message) ?? []
  return missing === undefined ? error.message : `${missing}. Install it: npm install --save-dev ${name}`
}

/** Node before 22.18 reads no TypeScript, and later ones not all of it, nor below `node_modules`. */
const UNREAD: ReadonlySet<string | undefined> = new Set([
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
  'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING',
])

/** Of what cannot be parsed, jiti tells the line. An export that another module does not have is no such case. */
function isUnparsed(error: unknown): boolean {
  return error instanceof SyntaxError && !/ export named /.test(error.message)
}

async function importWithJiti(file: string): Promise<unknown> {
  const { createJiti } = await import('jiti')
  return createJiti(import.meta.url, { moduleCache: false, fsCache: false }).import(file, { default: true })
}

async function importDefault(file: string): Promise<unknown> {
  // A file that was changed since is another module.
  const url = `${pathToFileURL(file).href}?t=${fs.statSync(file).mtimeMs}`
  return ((await import(url)) as { default?: unknown }).default
}

function parseJson(file: string): unknown {
  try {
    // Editors on Windows begin files with a mark.
    return JSON.parse(fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    const fault = error instanceof SyntaxError ? 'is no JSON' : 'cannot be loaded'
    throw new TypeError(`${path.basename(file)} ${fault}: ${(error as Error).message}`, { cause: error })
  }
}
