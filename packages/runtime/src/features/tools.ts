import type { Params, SkillCatalog } from '../catalog.ts'
import type { Feature } from '../methods.ts'
import type { RequestContext } from '../source.ts'
import type { CacheHints, ResourceContents, Skill } from '../wire.ts'
import { narrow } from '../computed/hints.ts'
import { INVALID_PARAMS, ProtocolError, refuse } from '../errors.ts'
import { ROOT, SKILL_MD } from '../uri.ts'
import { SKILLS_EXTENSION } from '../wire.ts'
import { everySkill, fileOf, NOT_KEPT, pathOf, summaryOf } from './every-skill.ts'

export interface ToolOptions {
  /**
   * How much of the description of `load_skill` skills may take, in characters: 8,000 by default. Those
   * beyond are listed by `load_skill` without a skill.
   */
  readonly maxListing?: number
}

const LOAD = 'load_skill'
const READ = 'read_skill_file'

/**
 * Tools for hosts that do not know the Skills extension: `load_skill` and `read_skill_file`. They are
 * withheld from a client that declares the extension, where the server can know what it declared. It
 * cannot in the legacy era without sessions, as of `serveSkills`: those clients declare once, in
 * `initialize`, so they get the tools anyway.
 *
 * @example
 * serveSkills(skills, info, { features: [tools()] })
 */
export function tools({ maxListing = 8000 }: ToolOptions = {}): Feature {
  return ({ catalog, methods, capabilities }) => {
    capabilities['tools'] ??= {}
    methods.set('tools/list', async ({ _meta }, context) => {
      const declared =
        Object(_meta)['io.modelcontextprotocol/clientCapabilities'] ?? context.clientCapabilities
      if (declared?.extensions?.[SKILLS_EXTENSION]) return { tools: [] }
      const hints: CacheHints[] = []
      const tools = definitions(await listing(catalog, context, maxListing, hints))
      return { tools, ...narrow(hints, catalog.cacheHints) }
    })
    const call = async (params: Params, context: RequestContext) => {
      if (!isOurs(params)) refuse(INVALID_PARAMS, 'There is no such tool')
      const { skill, file } = Object(params['arguments']) as Record<string, unknown>
      try {
        const answer =
          params['name'] === LOAD ? load(catalog, skill, context) : read(catalog, skill, file, context)
        return { content: await answer, ...NOT_KEPT }
      } catch (error) {
        // The model has to see what is wrong, to do better.
        if (!(error instanceof ProtocolError)) throw error
        return { content: [textOf(error.message)], isError: true, ...NOT_KEPT }
      }
    }
    methods.set('tools/call', Object.assign(call, { owns: isOurs }))
  }
}

function isOurs({ name }: Params): boolean {
  return name === LOAD || name === READ
}

/** The skills that a caller may see, a line each, as far as they take no more than `limit` characters. */
async function listing(
  catalog: SkillCatalog,
  context: RequestContext,
  limit: number = Infinity,
  hints: CacheHints[] = [],
): Promise<string> {
  let text = 'Skills:'
  for await (const skill of everySkill(catalog, context, hints)) {
    const line = `\n${summaryOf(skill)}`
    if ((limit -= line.length) < 0) return `${text}\nThere are more: call ${LOAD} without a skill to see all.`
    text += line
  }
  return text
}

/** The two tools, one of which lists these skills. */
function definitions(skills: string): object[] {
  const skill = { type: 'string', description: 'The skill, as it is listed' }
  const annotations = { readOnlyHint: true, openWorldHint: false }
  return [
    {
      name: LOAD,
      title: 'Load a skill',
      description: `Gives the instructions of a skill. Load one before you act on a task that fits its description. ${skills}`,
      inputSchema: { type: 'object', properties: { skill } },
      annotations,
    },
    {
      name: READ,
      title: 'Read a file of a skill',
      description: `Gives a file that the instructions of a skill mention. ${LOAD} lists the files of a skill.`,
      inputSchema: {
        type: 'object',
        properties: {
          skill,
          file: { type: 'string', description: 'The path of the file: references/policy.md' },
        },
        required: ['skill', 'file'],
      },
      annotations,
    },
  ]
}

/** The instructions of a skill and the names of its files; without one, what skills there are. */
async function load(catalog: SkillCatalog, name: unknown, context: RequestContext): Promise<object[]> {
  if (name === undefined || name === '') return [textOf(await listing(catalog, context))]
  const skill = await find(catalog, name, context)
  const { contents } = await catalog.read({ uri: skill.uri }, context)
  const files = (skill.resources === 'dynamic' ? [] : skill.resources)
    .filter(({ uri }) => uri !== skill.uri)
    .map(({ uri, size }) => `- ${fileOf(skill, uri)} (${size} bytes)`)
  const list = `Files of the skill ${pathOf(skill)}, for ${READ}:\n${files.join('\n')}`
  return [...contents.map(contentOf), ...(files.length ? [textOf(list)] : [])]
}

async function read(
  catalog: SkillCatalog,
  name: unknown,
  file: unknown,
  context: RequestContext,
): Promise<object[]> {
  const skill = await find(catalog, name, context)
  if (typeof file !== 'string' || !file) refuse(INVALID_PARAMS, `${READ} needs the path of a file`)
  // The rest of it is encoded as any URI is that a client sends.
  const uri = skill.uri.slice(0, 1 - SKILL_MD.length) + file.replace(/[%?#]/g, encodeURIComponent)
  const { contents } = await catalog.read({ uri }, context)
  return contents.map(contentOf)
}

/** A skill by its path, or by its name where only one listed skill has it. */
async function find(catalog: SkillCatalog, name: unknown, context: RequestContext): Promise<Skill> {
  const path = typeof name === 'string' ? name.replace(/^skill:\/\/|\/SKILL\.md$/g, '') : ''
  try {
    return (await catalog.get({ uri: ROOT + path + SKILL_MD }, context)).skill
  } catch (error) {
    // One that fails is there.
    if ((error as ProtocolError).code !== INVALID_PARAMS) throw error
  }
  const named: Skill[] = []
  for await (const skill of everySkill(catalog, context))
    if (skill.frontmatter.name === path) named.push(skill)
  if (named.length === 1) return named[0]!
  const hint = named.length
    ? `one of: ${named.map(pathOf).join(', ')}`
    : `call ${LOAD} without a skill to see all`
  return refuse(INVALID_PARAMS, `There is no skill ${path}; ${hint}`)
}

/** Contents as tools give them. */
function contentOf(contents: ResourceContents): object {
  if ('text' in contents) return textOf(contents.text)
  const [type] = (contents.mimeType ?? '').split('/')
  return type === 'image' || type === 'audio'
    ? { type, data: contents.blob, mimeType: contents.mimeType }
    : { type: 'resource', resource: contents }
}

function textOf(text: string): object {
  return { type: 'text', text }
}
