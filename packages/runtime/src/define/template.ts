import type { CompiledSkills, Row } from '../compiled.ts'
import type { SetTypes, TemplatePath } from '../register.ts'
import type { MaybePromise, RequestContext } from '../source.ts'
import type { Frontmatter } from '../wire.ts'
import type { CodeFile } from './blueprint.ts'
import type { DefinedSkill, DefineOptions } from './skill.ts'
import { FORMAT } from '../compiled.ts'
import { fromBase64, toBytes } from '../encoding/bytes.ts'
import { codeFile } from './blueprint.ts'
import { skillOf } from './skill.ts'

/**
 * The data that templates take, by skill path. Declare yours, and `renderSkill` checks it.
 *
 * @example
 * declare module '@embed-skills/runtime/define' {
 *   interface TemplateData {
 *     refunds: { user: { name: string } }
 *   }
 * }
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- It is there to be augmented.
export interface TemplateData {}

/** What the templates of a skill take. */
export type DataOf<Path extends string> = Path extends keyof TemplateData ? TemplateData[Path] : object

interface ParsedTemplates {
  readonly frontmatter: Frontmatter
  readonly rows: readonly Row[]
}

const parsed = new WeakMap<CompiledSkills, Map<string, ParsedTemplates>>()

/**
 * A skill whose folder holds templates, with its data (feature P5): to return from a route. Templates are
 * rendered when they are needed; the other files are as they are on disk. Like all computed files they
 * are `dynamic` unless this, or the route, is declared `stable`. A template that throws fails its request.
 *
 * @param path The path of the folder in the compiled set; a route serves it at its own.
 * @throws TypeError for a compiled set whose format this runtime does not read.
 * @throws RangeError if the set has no such skill, or it has no templates.
 *
 * @example
 * const refunds = skillRoute('teams/:team/refunds', async ({ team }, { authInfo }) =>
 *   renderSkill(skills, 'refunds', { team, user: await userOf(authInfo) }),
 * )
 */
export function renderSkill<const Path extends TemplatePath<T>, T extends SetTypes = SetTypes>(
  skills: CompiledSkills<T>,
  path: Path,
  data: DataOf<Path>,
  { stable, version, ttlMs, cacheScope, timeoutMs, meta }: Omit<DefineOptions, 'directories'> = {},
): DefinedSkill {
  const { frontmatter, rows } = parse(skills, path)
  const hints = { ...(ttlMs !== undefined && { ttlMs }), ...(cacheScope && { cacheScope }) }
  return skillOf(path, {
    frontmatter,
    files: rows.filter((row) => row.length > 2).map((row) => fileOf(skills, row, data, timeoutMs)),
    directories: rows
      .filter(({ length }) => (length as number) === 2)
      .map(([uri]) => decodeURIComponent(uri)),
    stable,
    hints: Object.keys(hints).length ? hints : undefined,
    version,
    meta,
  })
}

function parse(skills: CompiledSkills, path: string): ParsedTemplates {
  const known = parsed.get(skills) ?? new Map<string, ParsedTemplates>()
  parsed.set(skills, known)
  const found = known.get(path)
  if (found) return found
  if (skills.format !== FORMAT) throw new TypeError(`Skill format ${skills.format} needs a newer runtime`)
  const { templates = {} } = skills
  if (!Object.hasOwn(templates, path)) {
    const paths = Object.keys(templates).map((path) => `"${path}"`)
    throw new RangeError(
      `There is no skill "${path}" with templates in this set; there ${paths.length ? `are ${paths.join(', ')}` : 'are none'}`,
    )
  }
  const [frontmatter, ...rows] = JSON.parse(templates[path]!) as [Frontmatter, ...Row[]]
  const skill = { frontmatter, rows }
  known.set(path, skill)
  return skill
}

function fileOf(
  { load }: CompiledSkills,
  [uri, mimeType, , , group, slot]: Row,
  data: object,
  timeoutMs: number | undefined,
): CodeFile {
  const path = decodeURIComponent(uri)
  const value = async (): Promise<unknown> => (await load(group))[slot]
  if (slot.startsWith('f')) {
    const content = async (_: RequestContext): Promise<string> => {
      const render = (await value()) as (data: object) => MaybePromise<string>
      return render(data)
    }
    return codeFile(path, { content, mimeType }, timeoutMs)
  }
  return {
    path,
    mimeType,
    isConstant: true,
    async render() {
      const content = (await value()) as string
      return toBytes(slot.startsWith('t') ? content : fromBase64(content))
    },
  }
}
