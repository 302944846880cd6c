/**
 * Pages through ten thousand skills of a provider, and says what is left of them after each page:
 * `node --expose-gc walk.ts <kind of server> <paging> <what a skill is>`.
 */
import { setImmediate } from 'node:timers/promises'
import { defineSkill } from '@embed-skills/runtime/define'
import type { PageRequest, ProviderOptions } from '@embed-skills/runtime/provider'
import { provider } from '@embed-skills/runtime/provider'
import type { kinds } from './support.ts'
import { rpc, serve } from './support.ts'

const [kind, paging, what] = process.argv.slice(2) as [
  (typeof kinds)[number],
  NonNullable<ProviderOptions['paging']>,
  'entries' | 'defined skills',
]
const COUNT = 10_000
const PAGE = 500

const made: WeakRef<object>[] = []
/** Entries carry it along as it is, so that whoever keeps an entry keeps it. */
function meta(): { readonly [key: string]: string } {
  const meta = { 'io.modelcontextprotocol.skills/x': 'x' }
  made.push(new WeakRef(meta))
  return meta
}

function skillAt(index: number) {
  const name = `r${String(index).padStart(5, '0')}`
  // Two kilobytes: all of them together would show in the heap.
  const frontmatter = { name, description: `Report ${name}.`.padEnd(1000, 'x'), more: name.padEnd(1000, 'y') }
  const path = `reports/${name}`
  return what === 'entries'
    ? { uri: `skill://${path}/SKILL.md`, frontmatter, resources: 'dynamic' as const, _meta: meta() }
    : defineSkill(path, frontmatter, { 'x.md': () => name }, { stable: true, meta: meta() })
}

function list({ after, offset, cursor, limit }: PageRequest) {
  const [, last = '-1'] = /r(\d+)/.exec(after) ?? []
  const start = { after: Number(last) + 1, offset, cursor: Number(cursor ?? 0) }[paging]
  const length = Math.max(0, Math.min(limit, COUNT - start))
  const next = start + length
  return {
    skills: Array.from({ length }, (_, index) => skillAt(start + index)),
    nextCursor: next < COUNT ? String(next) : undefined,
  }
}

async function collectGarbage(): Promise<void> {
  // What a WeakRef has given lives until the end of its turn.
  for (let turn = 0; turn < 3; turn++) {
    await setImmediate()
    globalThis.gc!()
  }
}

const source = provider({ list, get: () => null, readDirectory: () => null }, { paging })
const server = serve(kind, source, { pageSize: PAGE })
const alive: number[] = []
const heap: number[] = []
let seen = 0
let cursor: string | undefined
do {
  const { result } = await rpc(server, 'skills/list', cursor === undefined ? {} : { cursor })
  seen += result.skills.length
  cursor = result.nextCursor
  await collectGarbage()
  alive.push(made.filter((ref) => ref.deref()).length)
  heap.push(process.memoryUsage().heapUsed)
} while (cursor !== undefined)

// The first pages are those in which the engine compiles what it runs.
const grown = (heap.at(-1)! - heap[4]!) / 2 ** 20
console.log(JSON.stringify({ seen, pages: alive.length, mostAlive: Math.max(...alive), grown }))
