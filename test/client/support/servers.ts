/** Servers to be a host of: real ones, and ones that say whatever a test has them say. */
import { createHash } from 'node:crypto'
import path from 'node:path'
import type { SourceInput } from '@embed-skills/compiler'
import { compile } from '@embed-skills/compiler'
import { attachSkills } from '@embed-skills/runtime/mcp'
import type { ClientOptions } from '@modelcontextprotocol/client'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SKILLS_EXTENSION_ID } from '@modelcontextprotocol/client/ext/skills'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { importSkills } from '../../support/modules.ts'

export const info = { name: 'test', version: '1.0.0' }

type Fetch = (request: Request) => Promise<Response>

/** The official client on a fetch handler. */
export async function connect(fetch: Fetch, options: ClientOptions = {}): Promise<Client> {
  const client = new Client(info, { versionNegotiation: { mode: 'auto' }, ...options })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
      fetch: (url, init) => fetch(new Request(url, init)),
    }),
  )
  return client
}

/** Skills of the playground through a server of the official SDK. */
export async function officialServer(sources: readonly SourceInput[]): Promise<Fetch> {
  const root = path.join(import.meta.dirname, '../../../playground/worker')
  const { skills } = await compile(sources, { root })
  const compiled = await importSkills(skills)
  const handler = createMcpHandler(() => {
    const server = new McpServer(info)
    attachSkills(server, compiled)
    return server
  })
  return (request) => handler.fetch(request)
}

export interface RawFile {
  readonly path: string
  readonly text?: string
  readonly bytes?: Uint8Array
}

interface RawEntry {
  readonly uri: string
  readonly frontmatter: {
    readonly name: string
    readonly description: string
    readonly [key: string]: unknown
  }
  readonly resources: { readonly uri: string; readonly digest: string; readonly size: number }[] | 'dynamic'
}

export function bytesOf({ text, bytes }: RawFile): Uint8Array {
  return bytes ?? Buffer.from(text ?? '')
}

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/** The honest entry of a skill. */
export function entryOf(
  skillPath: string,
  files: readonly RawFile[],
  frontmatter: Record<string, unknown> = {},
): RawEntry {
  const name = skillPath.split('/').at(-1)!
  return {
    uri: `skill://${skillPath}/SKILL.md`,
    frontmatter: { name, description: `What ${name} is for`, ...frontmatter },
    resources: files.map((file) => ({
      uri: `skill://${skillPath}/${file.path.split('/').map(encodeURIComponent).join('/')}`,
      digest: digestOf(bytesOf(file)),
      size: bytesOf(file).length,
    })),
  }
}

/** A `SKILL.md` whose frontmatter is what `entryOf` says. */
export function skillMd(
  name: string,
  { body = 'Body', ...fields }: { body?: string; [field: string]: string } = {},
): RawFile {
  const lines = Object.entries(fields).map(([key, value]) => `\n${key}: ${value}`)
  const text = `---\nname: ${name}\ndescription: What ${name} is for${lines.join('')}\n---\n${body}\n`
  return { path: 'SKILL.md', text }
}

type Answer = (params: Record<string, unknown>) => object | Promise<object>

/** A server of the 2025-11-25 era that answers as it is told to, and keeps what it was asked. */
export class RawServer {
  readonly asked: { method: string; params: Record<string, unknown> }[] = []
  readonly answers: Record<string, Answer> = {}

  /** Serves skills, honestly until an answer is replaced. */
  constructor(skills: readonly { entry: RawEntry; files: readonly RawFile[] }[] = []) {
    this.serve(skills)
  }

  serve(skills: readonly { entry: RawEntry; files: readonly RawFile[] }[]): void {
    const contents = new Map<string, object>()
    for (const { entry, files } of skills)
      for (const file of files) {
        const uri = new URL(file.path.split('/').map(encodeURIComponent).join('/'), entry.uri).href
        const content = file.bytes
          ? { blob: Buffer.from(file.bytes).toString('base64') }
          : { text: file.text }
        contents.set(uri, { uri, ...content })
      }
    Object.assign(this.answers, {
      'skills/list': () => ({ skills: skills.map(({ entry }) => entry) }),
      'skills/get': ({ uri }: Record<string, unknown>) => {
        const skill = skills.find(({ entry }) => entry.uri === uri)
        if (!skill) throw new InvalidParams()
        return { skill: skill.entry }
      },
      'resources/read': ({ uri }: Record<string, unknown>) => {
        const content = contents.get(uri as string)
        if (!content) throw new InvalidParams()
        return { contents: [content] }
      },
    })
  }

  #initialize(): object {
    const extension = 'resources/directory/read' in this.answers ? { directoryRead: true } : {}
    return {
      protocolVersion: '2025-11-25',
      capabilities: { resources: {}, extensions: { [SKILLS_EXTENSION_ID]: extension } },
      serverInfo: info,
    }
  }

  count(method: string): number {
    return this.asked.filter((request) => request.method === method).length
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    if (request.method !== 'POST') return new Response(null, { status: 405 })
    const {
      id,
      method,
      params = {},
    } = (await request.json()) as {
      id?: number
      method: string
      params?: Record<string, unknown>
    }
    if (id === undefined) return new Response(null, { status: 202 })
    this.asked.push({ method, params })
    const answer = method === 'initialize' ? () => this.#initialize() : this.answers[method]
    try {
      if (!answer) throw new InvalidParams()
      return Response.json({ jsonrpc: '2.0', id, result: await answer(params) })
    } catch (error) {
      if (!(error instanceof InvalidParams)) throw error
      return Response.json({ jsonrpc: '2.0', id, error: { code: -32602, message: 'No such thing' } })
    }
  }
}

class InvalidParams extends Error {}

/** A server of one skill with these files beside its `SKILL.md`. */
export function rawSkill(
  name: string,
  files: readonly RawFile[] = [],
  fields: Record<string, string> = {},
): { entry: RawEntry; files: RawFile[] } {
  const { body: _, ...frontmatter } = fields
  const all = [skillMd(name, fields), ...files]
  return { entry: entryOf(name, all, frontmatter), files: all }
}
