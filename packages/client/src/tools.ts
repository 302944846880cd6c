/** The tools that a model is given: plain definitions, for any model API. */
import { SkillVerificationError } from '@modelcontextprotocol/client/ext/skills'
import type { SkillHost } from './host.ts'
import type { SkillFile } from './skill.ts'
import { SkillHostError } from './errors.ts'
import { encodeBase64, oneLine, withoutTags } from './text.ts'

/** What a tool gives, as MCP writes it. */
export interface ToolResult {
  readonly content: readonly ToolContent[]
  /** The call failed: the text says why, to the model. */
  readonly isError?: true
}

export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; /** Base64. */ readonly data: string; readonly mimeType: string }

/** A JSON Schema of an object. */
export interface ToolInputSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, { readonly type: 'string'; readonly description: string }>>
  readonly required: string[]
  readonly additionalProperties: false
}

export interface SkillTool {
  readonly name: SkillToolName
  readonly description: string
  readonly inputSchema: ToolInputSchema
  /** Never throws for what the model or a server did wrong: the result says it. */
  execute(input: unknown, options?: { readonly signal?: AbortSignal }): Promise<ToolResult>
}

export type SkillToolName = 'load_skill' | 'read_skill_file' | 'unload_skill'

type Input = Readonly<Record<string, string>>
type Handler = (host: SkillHost, input: Input, options: { signal?: AbortSignal }) => Promise<ToolResult>

const SERVER = { type: 'string', description: 'The label of the server, as <server> gives it.' } as const
const SKILL = { type: 'string', description: 'The name of the skill, or its URI.' } as const
const PATH = { type: 'string', description: 'The path of the file below the skill.' } as const

/**
 * The tools as they are at this moment: `unload_skill` is there only while a skill is loaded. Ask again
 * for every turn.
 *
 * @example
 * const tools = skillTools(host)
 * const { content } = await tools.find(({ name }) => name === call.name)!.execute(call.input)
 */
export function skillTools(host: SkillHost): SkillTool[] {
  const tools = [loadSkill(host), readSkillFile(host)]
  return host.acting ? [...tools, unloadSkill(host)] : tools
}

/** All three, for model APIs that take their tools once and are told which of them are active. */
export function allSkillTools(host: SkillHost): SkillTool[] {
  return [loadSkill(host), readSkillFile(host), unloadSkill(host)]
}

function loadSkill(host: SkillHost): SkillTool {
  return define(host, {
    name: 'load_skill',
    description:
      'Loads the instructions of a skill that an MCP server offers. Call it when the task at hand matches what the skill is described to be for, before doing the task.',
    properties: { server: SERVER, skill: SKILL },
    async handle(host, { server, skill }, options) {
      const loaded = await host.load(await host.find(server!, skill!, options), options)
      const postscript = `When this skill is no longer needed, call unload_skill with server "${loaded.server}" and skill "${loaded.uri}" to free its context.`
      return text(`${loaded.content}\n${postscript}`)
    },
  })
}

function readSkillFile(host: SkillHost): SkillTool {
  return define(host, {
    name: 'read_skill_file',
    description: 'Reads one file of a skill that is loaded.',
    properties: { server: SERVER, skill: SKILL, path: PATH },
    async handle(host, { server, skill, path }, options) {
      const ref = await host.find(server!, skill!, options)
      if (!host.isLoaded(ref)) return failure('This skill is not loaded. Call load_skill first.')
      return fileResult(await host.readFile(ref, path!, options))
    },
  })
}

function unloadSkill(host: SkillHost): SkillTool {
  return define(host, {
    name: 'unload_skill',
    description: 'Unloads a skill that is no longer needed, which frees the context that it takes.',
    properties: { server: SERVER, skill: SKILL },
    async handle(host, { server, skill }, options) {
      const ref = await host.find(server!, skill!, options)
      await host.unload(ref)
      return text(`The skill ${ref.uri} of the server "${ref.server}" is unloaded.`)
    },
  })
}

function define(
  host: SkillHost,
  {
    name,
    description,
    properties,
    handle,
  }: Pick<SkillTool, 'name' | 'description'> & {
    properties: ToolInputSchema['properties']
    handle: Handler
  },
): SkillTool {
  const required = Object.keys(properties)
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    async execute(input, options = {}) {
      const given = (input ?? {}) as Input
      const missing = required.filter((key) => typeof given[key] !== 'string')
      if (missing.length) return failure(`${name} needs ${missing.join(' and ')}, as text.`)
      try {
        return await handle(host, given, options)
      } catch (error) {
        if (options.signal?.aborted) throw error
        return failure(explain(error as Error, given['server']!))
      }
    },
  }
}

/** What went wrong. Other errors than ours are in a server's own words, and are marked as such. */
function explain(error: Error, server: string): string {
  const message = plain(error.message).slice(0, 1000)
  const ours = error instanceof SkillHostError || error instanceof SkillVerificationError
  return ours ? message : `The server "${server}" failed, in its own words: ${message}`
}

function fileResult(file: SkillFile): ToolResult {
  const { content, bytes, mimeType = 'application/octet-stream', path } = file
  if (content !== undefined) return text(content)
  const about = plain(
    `${path} of the skill ${file.uri} of the server "${file.server}": ${mimeType}, ${bytes.length} bytes`,
  )
  if (!/^image\/(?:png|jpeg|gif|webp)$/.test(mimeType))
    return text(`${about}. It is no text and is not shown.`)
  return {
    content: [
      { type: 'text', text: about },
      { type: 'image', data: encodeBase64(bytes), mimeType },
    ],
  }
}

/** Words of a server that stand between no tags of their own. */
function plain(text: string): string {
  return withoutTags(oneLine(text))
}

function text(text: string): ToolResult {
  return { content: [{ type: 'text', text }] }
}

function failure(message: string): ToolResult {
  return { content: [{ type: 'text', text: message }], isError: true }
}
