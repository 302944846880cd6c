/**
 * Takes an unloaded skill out of a conversation: its text lies in the results of `load_skill` and
 * `read_skill_file`, which go together with their calls, since a model API refuses one without the other.
 */
import type { SkillRef } from './ref.ts'
import { canonical, nameOf } from './ref.ts'

/** What is common to a part of a message in the formats that are known here. */
interface Part {
  readonly type?: string
  readonly toolName?: string
  readonly name?: string
  readonly toolCallId?: string
  readonly toolUseId?: string
  readonly tool_use_id?: string
  readonly id?: string
  /** Of the question whether a call may be made, and of its answer. */
  readonly approvalId?: string
  readonly input?: unknown
  /** Of a call that holds its own result, and of a result. */
  readonly output?: unknown
  readonly state?: string
  readonly isError?: boolean
  readonly is_error?: boolean
}

const CONTENT_TOOLS = new Set<string | undefined>(['load_skill', 'read_skill_file'])
const REASONING = new Set<string | undefined>(['reasoning', 'reasoning-file'])

/**
 * A copy of a conversation without what was loaded of a skill. Messages of the AI SDK (`ModelMessage` and
 * `UIMessage`) and of MCP sampling (`tool_use` and `tool_result`) are known; all else stays as it is, and
 * a message that held nothing else is left out.
 *
 * @example
 * onSkillUnloaded: ({ skill }) => { messages = scrubHistory(messages, skill) }
 */
export function scrubHistory<Message extends object>(
  messages: readonly Message[],
  skill: SkillRef,
): Message[] {
  const calls = new Set<string>()
  for (const part of messages.flatMap(partsOf)) {
    const id = callId(part)
    if (id !== undefined && CONTENT_TOOLS.has(toolName(part)) && names(part.input, skill)) calls.add(id)
  }
  if (!calls.size) return [...messages]
  const goes = (part: Part): boolean => calls.has(callId(part) ?? resultId(part) ?? '')
  const asked = new Set(messages.flatMap(partsOf).flatMap((part) => (goes(part) ? approvalIds(part) : [])))
  return messages.flatMap((message) => {
    const parts = partsOf(message)
    const kept = without(parts, (part) => goes(part) || approvalIds(part).some((id) => asked.has(id)))
    if (kept.length === parts.length) return [message]
    return kept.length ? [withParts(message, kept)] : []
  })
}

/** The parts that do not go, and of the reasoning what led to any of them: some APIs refuse it alone. */
function without(parts: readonly Part[], goes: (part: Part) => boolean): Part[] {
  let ledTo: boolean[] = []
  let isReasoning = false
  const kept = parts.toReversed().filter((part) => {
    const ends = isReasoning || part.type === 'step-start'
    isReasoning = REASONING.has(part.type)
    if (isReasoning) return !ledTo.length || ledTo.includes(true)
    if (ends) ledTo = []
    if (part.type !== 'step-start') ledTo.push(!goes(part))
    return !goes(part)
  })
  return kept.toReversed()
}

/**
 * The same for every skill that the conversation itself says was unloaded: of each one, what was loaded
 * before its last `unload_skill` that did so. A skill that was loaded anew after it stays.
 */
export function scrubUnloaded<Message extends object>(messages: readonly Message[]): Message[] {
  const answered = new Set(messages.flatMap(partsOf).flatMap(answeredCall))
  let scrubbed = [...messages]
  for (let at = 0; at < scrubbed.length; at++)
    for (const part of partsOf(scrubbed[at]!)) {
      const done = answered.has(callId(part) ?? '')
      const skill = done && toolName(part) === 'unload_skill' && asRef(part.input)
      if (!skill) continue
      const before = scrubHistory(scrubbed.slice(0, at), skill)
      scrubbed = [...before, ...scrubbed.slice(at)]
      at = before.length
    }
  return scrubbed
}

/** `content` or `parts`, whichever is a list; one part in place of a list is MCP's. */
function partsOf(message: object): Part[] {
  const { content, parts } = message as { content?: unknown; parts?: unknown }
  const held = Array.isArray(parts) ? parts : Array.isArray(content) ? content : [content]
  return held.filter((part): part is Part => part !== undefined && part !== null)
}

function withParts<Message extends object>(message: Message, parts: Part[]): Message {
  return Array.isArray((message as { parts?: unknown }).parts)
    ? { ...message, parts }
    : { ...message, content: parts }
}

function toolName({ type, toolName, name }: Part): string | undefined {
  if (type === 'tool-call' || type === 'dynamic-tool') return toolName
  if (type === 'tool_use') return name
  return type?.startsWith('tool-') ? type.slice('tool-'.length) : undefined
}

/** The id of a call; a part of a `UIMessage` holds the call and its result. */
function callId({ type, toolCallId, id }: Part): string | undefined {
  if (type === 'tool_use') return id
  return type === 'tool-result' || type === 'tool-error' ? undefined : toolCallId
}

function resultId({ toolCallId, toolUseId, tool_use_id }: Part): string | undefined {
  return toolCallId ?? toolUseId ?? tool_use_id
}

function approvalIds({ approvalId }: Part): string[] {
  return approvalId === undefined ? [] : [approvalId]
}

/** The id of the call whose success a part tells, if it tells one. */
function answeredCall(part: Part): string[] {
  const { type, output, state, isError, is_error } = part
  const call = callId(part)
  // A part of a `UIMessage` comes before its result, and goes on to hold it.
  if (call !== undefined && (output === undefined || state === 'output-error')) return []
  if (type === 'tool-error' || isError || is_error || tellsError(output)) return []
  const id = call ?? resultId(part)
  return id === undefined ? [] : [id]
}

/** In the words of the AI SDK, or in those of our own tools. */
function tellsError(output: unknown): boolean {
  const { type, isError } = (output ?? {}) as { type?: unknown; isError?: unknown }
  return isError === true || (typeof type === 'string' && /^(?:error-|execution-denied)/.test(type))
}

function names(input: unknown, { server, uri }: SkillRef): boolean {
  const call = asRef(input)
  if (call?.server !== server) return false
  const exact = URL.canParse(call.uri) && URL.canParse(uri)
  return exact ? canonical(call.uri) === canonical(uri) : nameOfRef(call.uri) === nameOfRef(uri)
}

/** What is scrubbed may itself come from a call, which names a skill by its name or its URI. */
function nameOfRef(nameOrUri: string): string {
  return URL.canParse(nameOrUri) ? nameOf(nameOrUri) : nameOrUri
}

/** What a call says, which some message formats write as JSON. */
function asRef(input: unknown): SkillRef | undefined {
  const { server, skill } = (parse(input) ?? {}) as { server?: unknown; skill?: unknown }
  return typeof server === 'string' && typeof skill === 'string' ? { server, uri: skill } : undefined
}

function parse(input: unknown): unknown {
  if (typeof input !== 'string') return input
  try {
    return JSON.parse(input)
  } catch {
    return undefined
  }
}
