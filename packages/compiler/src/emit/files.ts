import { hash } from 'node:crypto'
import path from 'node:path'
import type { Content } from '../emit.ts'
import { refuseTemplates } from '../emit.ts'
import type { CompiledSkill } from '../types.ts'
import type { Leftovers } from './disk.ts'
import { assignSlots, slotName } from './groups.ts'
import type { Group } from './groups.ts'
import { HEADER, KEEP } from './header.ts'
import { packCode, packSkills } from './pack.ts'
import { groupedRows, rowsCode, templatesCode } from './rows.ts'
import { DECODE, loadCode, setCode } from './set.ts'
import { setType } from './types.ts'
import type { Encoding } from './values.ts'
import { contentExpression } from './values.ts'

export interface EmitFilesOptions {
  /** The name of the module: `skills.ts`; or `.js` or `.mjs`, which get declarations beside them. */
  readonly file: string
  readonly content: Content
  /** How strings are written: `utf8` by default. */
  readonly encoding?: Encoding
  /** Skills that hold templates, by URI: for the app to render. Neither a pack nor base64 can hold them. */
  readonly templates?: readonly CompiledSkill[]
}

/** What each file holds, by its path relative to the module's folder, with `/` between segments. */
export type EmittedFiles = ReadonlyMap<string, string | Uint8Array>

/**
 * Writes skills as files that need no plugin: a module whose default export is the set. With `chunks`
 * their contents are in a folder `<name>.chunks` beside it, with `pack` in `<name>.bin`.
 *
 * Chunks are plain JavaScript, whatever the module is: `./x.js` is the one ending that Deno, Node,
 * tsc and all bundlers find, and `.ts` the one that tsc refuses.
 *
 * @param skills By URI, as `compile` gives them.
 * @throws TypeError if `file` has another ending, or there are templates for `pack` or `base64`.
 */
export function emitFiles(
  skills: readonly CompiledSkill[],
  { file, content, encoding = 'utf8', templates = [] }: EmitFilesOptions,
): EmittedFiles {
  refuseTemplates(templates, content, encoding)
  const { base, ending, declarations } = nameOf(file)
  const files = new Map<string, string | Uint8Array>()
  const type = `CompiledSkills<${setType([...skills, ...templates])}>`
  const finish = (head: string, set: string): EmittedFiles => {
    files.set(file, moduleCode(head, set, declarations ? undefined : type))
    if (declarations) files.set(`${base}${declarations}`, declarationCode(type))
    return files
  }

  if (content === 'pack') {
    const pack = packSkills(skills)
    files.set(`${base}.bin`, pack.bytes)
    const { head, set } = packCode(pack, encoding)
    return finish(`import pack from ${JSON.stringify(`./${base}.bin`)};\n${head}`, set)
  }

  const all = [...skills, ...templates]
  const slots = assignSlots(all)
  const { rows, groups } = groupedRows(all, slots)
  const isInline = content === 'inline'
  const members = groups.map((group) => {
    if (isInline) return `  {\n${contents(group, encoding, '    ', ': ', ',')}  },\n`
    const chunk = `${base}.chunks/${chunkName(group)}${ending}`
    files.set(chunk, HEADER + contents(group, encoding, `${KEEP}export const `, ' = ', ';'))
    return `  () => import(${JSON.stringify(`./${chunk}`)}),\n`
  })
  const decode = encoding === 'base64' ? DECODE : ''
  return finish(
    `${decode}const groups = [\n${members.join('')}];\n`,
    setCode(
      rowsCode(rows.slice(0, skills.length), encoding),
      loadCode(isInline, encoding === 'base64'),
      templatesCode(rows.slice(skills.length)),
    ),
  )
}

/** What may be left of an earlier build with other options, relative to the module's folder. */
export function leftovers(file: string): Leftovers {
  const { base, declarations } = nameOf(file)
  return {
    folder: `${base}.chunks`,
    files: [`${base}.bin`, ...(declarations ? [] : [`${base}.d.ts`])],
  }
}

function nameOf(file: string): { base: string; ending: string; declarations?: string } {
  const ending = path.extname(file)
  const base = file.slice(0, file.length - ending.length)
  if (ending === '.js') return { base, ending, declarations: '.d.ts' }
  if (ending === '.mjs') return { base, ending, declarations: '.d.mts' }
  if (ending === '.ts' && !file.endsWith('.d.ts')) return { base, ending: '.js' }
  if (ending === '.mts' && !file.endsWith('.d.mts')) return { base, ending: '.mjs' }
  throw new TypeError(`The module must end in .ts, .mts, .js or .mjs; got ${JSON.stringify(file)}`)
}

function moduleCode(head: string, set: string, type: string | undefined): string {
  const typed = type === undefined ? '' : `: ${type}`
  const statements = `${head}const skills${typed} = ${set};\n`.replaceAll(/^(?=[a-z])/gm, KEEP)
  return `${HEADER}${type === undefined ? '' : IMPORT}${statements}${KEEP}export default skills;\n`
}

const IMPORT = `${KEEP}import type { CompiledSkills } from '@embed-skills/runtime';\n`

function declarationCode(type: string): string {
  const header = HEADER.replace('// @ts-nocheck\n', '')
  return `${header}${IMPORT}${KEEP}declare const skills: ${type};\n${KEEP}export default skills;\n`
}

function contents(
  { files }: Group,
  encoding: Encoding,
  before: string,
  equals: string,
  after: string,
): string {
  return files
    .map(
      (file, index) =>
        `${before}${slotName(file, index)}${equals}${contentExpression(file, encoding)}${after}\n`,
    )
    .join('')
}

// Windows has no files of these names, whatever their ending.
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/

/** A flat name that is unique without regard to case. */
function chunkName({ name }: Group): string {
  const flat = name.replaceAll('/', '.')
  const isPlain = /^[a-z\d/+-]{1,100}$/.test(name) && !RESERVED.test(flat)
  if (isPlain) return flat
  return `${flat.slice(0, 80).toLowerCase()}+${hash('sha256', name).slice(0, 16)}`
}
