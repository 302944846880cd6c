import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { remember } from './disk.ts'
import type { Disk } from './disk.ts'

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
  const seen = new Map<string, ReturnType<ReadContent>>()
  const read: ReadContent = async (file) => {
    const reading = await disk.read(file)
    return 'failure' in reading ? reading : describe(reading.bytes)
  }
  return (file) => remember(seen, file, read)
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
