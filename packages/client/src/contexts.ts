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
  /** Empty if there are no skills, or no room to say that there are. */
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
  /** @param server Nothing where it is of all servers together. */
  omitted(count: number, server?: string): string
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
  omitted: (count, server) =>
    `  <omitted${server === undefined ? '' : ` server="${escapeXml(server)}"`} count="${count}"/>`,
  around: (lines) => ['<available_skills>', ...lines, '</available_skills>'].join('\n'),
}

const text: Format = {
  skill: ({ name, description, server, uri }) =>
    `- ${oneLine(name)} (server "${server}", ${oneLine(uri)}): ${oneLine(description)}`,
  omitted: (count, server) =>
    `- and ${count} more${server === undefined ? '' : ` of the server "${server}"`}`,
  around: (lines) => ['Skills that MCP servers offer, as they describe them:', ...lines].join('\n'),
}

export function writeContexts(
  skills: readonly HostSkill[],
  { format = 'xml', maxTokens = 8000 }: ContextsOptions,
): Contexts {
  if (!skills.length) return { text: '', tokens: 0, shown: 0, omitted: {} }
  const write = format === 'xml' ? xml : text
  const room = maxTokens - estimateTokens(write.around([]))
  const all = skills.map((skill) => write.skill(skill))
  if (sumOf(all) <= room) return contextsOf(write, all, skills.length, {})

  const counts = countByServer(skills)
  const perServer = sumOf([...counts].map(([server, count]) => write.omitted(count, server)))
  // Where there are so many servers that naming them leaves no room for skills, one line says it of all.
  const named = perServer <= room / 4
  let left = room - (named ? perServer : sumOf([write.omitted(skills.length)]))
  if (left < 0) return { text: '', tokens: 0, shown: 0, omitted: Object.fromEntries(counts) }
  const taken = takeTurns(skills, (skill) => {
    const line = write.skill(skill)
    const tokens = sumOf([line])
    if (tokens > left) return undefined
    left -= tokens
    return line
  })
  const lines: string[] = []
  const omitted: Record<string, number> = {}
  for (const [server, own] of taken) {
    lines.push(...own.lines)
    if (!own.omitted) continue
    omitted[server] = own.omitted
    if (named) lines.push(write.omitted(own.omitted, server))
  }
  const total = Object.values(omitted).reduce((sum, count) => sum + count, 0)
  if (!named) lines.push(write.omitted(total))
  return contextsOf(write, lines, skills.length - total, omitted)
}

function contextsOf(
  write: Format,
  lines: readonly string[],
  shown: number,
  omitted: Contexts['omitted'],
): Contexts {
  const text = write.around(lines)
  return { text, tokens: estimateTokens(text), shown, omitted }
}

/** What lines take, each with its end. */
function sumOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + estimateTokens(`${line}\n`), 0)
}

function countByServer(skills: readonly HostSkill[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { server } of skills) counts.set(server, (counts.get(server) ?? 0) + 1)
  return counts
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
