/**
 * The skill tools for the AI SDK (`ai`).
 *
 * @example
 * import { generateText, isStepCount } from 'ai'
 * import { skillTools } from '@embed-skills/client/ai'
 *
 * const skills = skillTools(host)
 * const { text } = await generateText({
 *   model,
 *   instructions: (await host.contexts()).text,
 *   prompt: 'Refund order 42.',
 *   tools: skills.tools,
 *   prepareStep: skills.prepareStep,
 *   stopWhen: isStepCount(20),
 * })
 *
 * @module
 */
import type { ModelMessage, Tool } from 'ai'
import { jsonSchema, tool } from 'ai'
import type { SkillHost } from './host.ts'
import type { SkillTool, SkillToolName, ToolResult } from './tools.ts'
import { scrubUnloaded } from './scrub.ts'
import { allSkillTools, skillTools as activeSkillTools } from './tools.ts'

type Input = Record<string, string>

/** What `generateText`, `streamText` and agents of the AI SDK take. */
export interface AiSkillTools<Other extends string = never> {
  readonly tools: Record<SkillToolName, Tool<Input, ToolResult>>
  /** The names of those that make sense now: `unload_skill` only while a skill is loaded. */
  activeTools(): SkillToolName[]
  /**
   * Before each step: the tools that make sense now, next to your own, and the conversation without what
   * was unloaded.
   */
  prepareStep(step: { readonly messages: readonly ModelMessage[] }): {
    activeTools: (SkillToolName | Other)[]
    messages: ModelMessage[]
  }
}

/** @param options.otherTools The names of your own tools, which `prepareStep` keeps active. */
export function skillTools<Other extends string = never>(
  host: SkillHost,
  { otherTools = [] }: { readonly otherTools?: readonly Other[] } = {},
): AiSkillTools<Other> {
  const tools = Object.fromEntries(allSkillTools(host).map((skill) => [skill.name, toAiTool(skill)]))
  const activeTools = (): SkillToolName[] => activeSkillTools(host).map(({ name }) => name)
  return {
    tools: tools as AiSkillTools['tools'],
    activeTools,
    prepareStep: ({ messages }) => ({
      activeTools: [...activeTools(), ...otherTools],
      messages: scrubUnloaded(messages),
    }),
  }
}

function toAiTool({ description, inputSchema, execute }: SkillTool): Tool<Input, ToolResult> {
  return tool<Input, ToolResult, Record<string, never>>({
    description,
    inputSchema: jsonSchema<Input>(inputSchema as never),
    execute: (input, { abortSignal }) => execute(input, abortSignal ? { signal: abortSignal } : {}),
    toModelOutput: ({ output }) => toModelOutput(output as ToolResult),
  }) as Tool<Input, ToolResult>
}

type ModelOutput = Awaited<ReturnType<NonNullable<Tool['toModelOutput']>>>

function toModelOutput({ content, isError }: ToolResult): ModelOutput {
  const [first, ...more] = content
  if (!more.length && first?.type === 'text')
    return { type: isError ? 'error-text' : 'text', value: first.text }
  return {
    type: 'content',
    value: content.map((part) =>
      part.type === 'text'
        ? { type: 'text', text: part.text }
        : { type: 'file', mediaType: part.mimeType, data: { type: 'data', data: part.data } },
    ),
  }
}
