import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Approval, ApprovalKey, ApprovalStore } from '../approvals.ts'
import { writeAtomic } from './atomic.ts'
import { locked } from './lock.ts'
import { unlessMissing } from './missing.ts'

type Row = ApprovalKey & Approval

/**
 * Keeps approvals in a JSON file, which only its owner may read. It is written whole, and by one process at a
 * time, so that several hosts may share it.
 *
 * @throws Error from its methods if the file is there and is not one of these: it is not overwritten; and from
 *   those that change it, if another process is at work on it for longer than 20 seconds.
 *
 * @example
 * const host = new SkillHost({ approvals: fileApprovals('/srv/my-host/approvals.json') })
 */
export function fileApprovals(file: string): ApprovalStore {
  const place = path.resolve(file)
  let last: Promise<unknown> = Promise.resolve()

  /** Changes what the file holds by then, whoever else has written to it. */
  function change(key: ApprovalKey, approval?: Approval): Promise<void> {
    const changed = locked(place, async () => {
      const others = (await read(place)).filter((row) => !isOf(row, key))
      const { server, identity, uri } = key
      const rows = approval ? [...others, { server, identity, uri, ...approval }] : others
      const text = `${JSON.stringify({ version: 1, approvals: rows.sort(byKey) }, null, 2)}\n`
      await writeAtomic(place, text, 0o600)
    })
    last = changed.catch(() => {})
    return changed
  }

  return {
    async get(key) {
      await last
      return (await read(place)).find((row) => isOf(row, key))
    },
    set: (key, approval) => change(key, approval),
    delete: (key) => change(key),
  }
}

async function read(file: string): Promise<Row[]> {
  const text = await unlessMissing(readFile(file, 'utf8'))
  if (text === undefined) return []
  const { version, approvals } = parse(text) as { version?: unknown; approvals?: unknown }
  if (version !== 1 || !Array.isArray(approvals) || !approvals.every(isRow))
    throw new Error(`${file} does not hold approvals of version 1. Move it away to begin with none.`)
  return approvals
}

function isRow(row: unknown): row is Row {
  const {
    server,
    identity,
    uri,
    files,
    frontmatter,
    allowedTools,
    revoked = false,
  } = (row ?? {}) as Record<string, unknown>
  if (![server, identity, uri, frontmatter].every((field) => typeof field === 'string')) return false
  if (typeof allowedTools !== 'boolean' || typeof revoked !== 'boolean') return false
  return isRecord(files) && Object.values(files).every((digest) => typeof digest === 'string')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(text: string): object {
  try {
    return (JSON.parse(text) as object | null) ?? {}
  } catch {
    return {}
  }
}

function isOf(row: Row, { server, identity, uri }: ApprovalKey): boolean {
  return row.server === server && row.identity === identity && row.uri === uri
}

function byKey(a: Row, b: Row): number {
  const [left, right] = [a, b].map(({ server, identity, uri }) => JSON.stringify([server, identity, uri]))
  return left! < right! ? -1 : left! > right! ? 1 : 0
}
