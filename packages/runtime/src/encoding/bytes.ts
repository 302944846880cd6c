/** What a file holds: text, or bytes. */
export type FileBytes = string | Uint8Array

/** A rendered file: exact bytes, and the text where they have one. */
export interface Bytes {
  readonly bytes: Uint8Array
  /** Where the bytes are UTF-8 without NUL, so that text loses nothing. */
  readonly text: string | undefined
}

const encoder = new TextEncoder()
// A BOM is three of the file's bytes, so it stays.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * @throws TypeError for anything but text and bytes, and for text that has no UTF-8.
 */
export function toBytes(content: unknown): Bytes {
  if (typeof content === 'string') {
    if (/\p{Surrogate}/u.test(content)) throw new TypeError('Half of a surrogate pair is no character')
    return { bytes: encoder.encode(content), text: content.includes('\0') ? undefined : content }
  }
  if (content instanceof Uint8Array) return { bytes: content, text: textOf(content) }
  throw new TypeError('The content of a file is a string or a Uint8Array')
}

/** The text that bytes are, if they are UTF-8 without NUL. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Base64 of bytes. `btoa` takes binary strings, and `apply` only so many arguments. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}

/** @throws DOMException for what is no base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
}

// Digests of small texts are remembered by content: the same page is rendered again and again.
const SMALL = 65_536
const MANY = 256
const digests = new Map<string, string>()

/** `sha256:` and 64 lowercase hexadecimal digits. */
export async function digestOf({ bytes, text }: Bytes): Promise<string> {
  const known = text !== undefined && digests.get(text)
  if (known) return known
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
  const digest = `sha256:${[...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
  if (text !== undefined && bytes.length < SMALL) {
    if (digests.size >= MANY) digests.delete(digests.keys().next().value!)
    digests.set(text, digest)
  }
  return digest
}
