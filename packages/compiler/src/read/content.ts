import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import type { Disk, Reading } from './disk.ts'

/** What a file holds; skills that nest share it. */
export interface Content {
  readonly bytes: Uint8Array
  readonly digest: string
  readonly size: number
  readonly kind: 'text' | 'blob'
}

export type ReadContent = (file: string) => Promise<Content | { readonly failure: string }>

/** Reads and hashes files, each once however many skills hold it. */
export function createReadContent(disk: Disk): ReadContent {
  const seen = new WeakMap<Reading, Content>()
  return async (file) => {
    const reading = await disk.read(file)
    if ('failure' in reading) return reading
    const content = seen.get(reading) ?? describe(reading.bytes)
    seen.set(reading, content)
    return content
  }
}

function describe(bytes: Uint8Array): Content {
  return {
    bytes,
    digest: `sha256:${hash('sha256', bytes, 'hex')}`,
    size: bytes.length,
    // A NUL is valid UTF-8, but some hosts and bundlers cut the text there.
    kind: bytes.indexOf(0) === -1 && isUtf8(bytes) ? 'text' : 'blob',
  }
}
