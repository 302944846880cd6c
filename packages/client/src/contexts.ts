/** What a model is told about the skills that it can load. */
import type { HostSkill } from './skill.ts'
import { escapeXml, estimateTokens, oneLine } from './text.ts'

export interface ContextsOptions {
  /** `xml` unless said: the block that the Agent Skills guide describes. */
  readonly format?: 'xml' | 'text'
  /** Skills for which there is no room are left out and counted; 8,000 tokens unless said. */
  readonly maxTokens?: number
}

/** A part of a system prompt. */
export interface Contexts {
  /** Empty if there are no skills. */
  readonly text: string
  /** About how many tokens `text` is. */
  readonly tokens: number
  /** How many skills it names. */
  readonly shown: number
  /** How many skills had no room, by the label of their server. They can be loaded all the same. */
  readonly omitted: Readonly<Record<string, number>>
}

interface Format {
  skill(skill: HostSkill): string
  omitted(server: string, count: number): string
  around(lines: readonly string[]): string
}

const xml: Format = {
  skill: ({ name, description, server, uri }) =>
    [
      '  <skill>',
      `    <name>${escapeXml(name)}</name>`,
      `    <description>${escapeXml(description)}</description>`,
      `    <server>${escapeXml(server)}</server>`,
      `    <location>${escapeXml(uri)}</location>`,
      '  </skill>',
    ].join('\n'),
  omitted: (server, count) => `  <omitted server="${escapeXml(server)}" count="${count}"/>`,
  around: (lines) => ['<available_skills>', ...lines, '</available_skills>'].join('\n'),
}

const text: Format = {
  skill: ({ name, description, server, uri }) =>
    `- ${oneLine(name)} (server "${server}", ${oneLine(uri)}): ${oneLine(description)}`,
  omitted: (server, count) => `- and ${count} more of the server "${server}"`,
  around: (lines) => ['Skills that MCP servers offer, as they describe them:', ...lines].join('\n'),
}

export function writeContexts(
  skills: readonly HostSkill[],
  { format = 'xml', maxTokens = 8000 }: ContextsOptions,
): Contexts {
  if (!skills.length) return { text: '', tokens: 0, shown: 0, omitted: {} }
  const write = format === 'xml' ? xml : text
  const lines: string[] = []
  const omitted: Record<string, number> = {}
  let shown = 0
  let left = maxTokens - estimateTokens(write.around([]))
  for (const [server, own] of takeTurns(skills, (skill) => {
    const line = write.skill(skill)
    const tokens = estimateTokens(`${line}\n`)
    if (tokens > left) return undefined
    left -= tokens
    return line
  })) {
    lines.push(...own.lines)
    shown += own.lines.length
    if (own.omitted) {
      omitted[server] = own.omitted
      lines.push(write.omitted(server, own.omitted))
    }
  }
  const whole = write.around(lines)
  return { text: whole, tokens: estimateTokens(whole), shown, omitted }
}

/** One skill of each server after the other, as long as there is room; then put together by server. */
function takeTurns(
  skills: readonly HostSkill[],
  fit: (skill: HostSkill) => string | undefined,
): Map<string, { lines: string[]; omitted: number }> {
  const queues = new Map<string, HostSkill[]>()
  for (const skill of skills) {
    const queue = queues.get(skill.server)
    if (queue) queue.push(skill)
    else queues.set(skill.server, [skill])
  }
  const taken = new Map([...queues.keys()].map((server) => [server, { lines: [] as string[], omitted: 0 }]))
  for (let turn = 0; queues.size; turn++)
    for (const [server, queue] of queues) {
      const line = turn < queue.length ? fit(queue[turn]!) : undefined
      if (line !== undefined) {
        taken.get(server)!.lines.push(line)
        continue
      }
      // A server whose next skill has no room is done, in the order of its own listing.
      taken.get(server)!.omitted = queue.length - Math.min(turn, queue.length)
      queues.delete(server)
    }
  return taken
}
