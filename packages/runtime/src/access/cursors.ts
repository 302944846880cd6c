import type { Params, SkillCatalog } from '../catalog.ts'
import type { CallerContext, RequestContext } from '../source.ts'
import { principalOf } from '../computed/principal.ts'
import { fromBase64Url, toBase64Url } from '../encoding/base64url.ts'
import { INVALID_PARAMS, refuse } from '../errors.ts'
import { canonicalUri } from '../uri.ts'

export interface CursorOptions {
  /**
   * Secrets of 32 bytes or more of randomness, as text or bytes. The first one makes cursors, all of them
   * are accepted: to rotate, put a new one in front, and drop the old one when no walk is as old.
   */
  readonly keys: readonly (string | Uint8Array)[]
  /** What tells this server from others that have the same keys: its name, or a variant of it. */
  readonly variant?: string
  /** Who calls. By default the verified `clientId`, with the user's id where `extra.sub` names one. */
  readonly principal?: (context: CallerContext) => string
}

/** Turns a cursor into one that nobody can make up, and back. */
interface Sealer {
  seal(cursor: string, binding: Uint8Array<ArrayBuffer>): Promise<Uint8Array>
  /** Undefined for what was not sealed with this key for this binding. */
  open(sealed: Uint8Array<ArrayBuffer>, binding: Uint8Array<ArrayBuffer>): Promise<string | undefined>
}

/** Ahead of cursors, so that adapters know them for ours. */
const MARK = 'skill:'

const MIN_KEY = 32
const MAC = 32
const NONCE = 12

// Far longer than any URI that a cursor names.
const MAX_CURSOR = 16_384

const encoder = new TextEncoder()

/**
 * A catalog whose cursors are signed (HMAC-SHA-256) and bound to the method and its URI, the server's
 * variant and the verified caller (feature A2): a forged one, or one of another caller, is -32602. They
 * name the last skill seen and no deploy, so that a walk survives one.
 *
 * @throws TypeError without a key, or for a key that is too short.
 *
 * @example
 * const catalog = signedCursors(createCatalog(skills), { keys: [env.CURSOR_KEY] })
 */
export function signedCursors(catalog: SkillCatalog, options: CursorOptions): SkillCatalog {
  return sealedCursors(catalog, options, signer)
}

/**
 * The same with cursors that nobody can read (AES-GCM), for those that could tell what a caller may not
 * see: cursors of an app's own listing, say.
 *
 * @throws TypeError without a key, or for a key that is too short.
 *
 * @example
 * const catalog = encryptedCursors(listSkills(skills, listStudies), { keys: [env.CURSOR_KEY] })
 */
export function encryptedCursors(catalog: SkillCatalog, options: CursorOptions): SkillCatalog {
  return sealedCursors(catalog, options, encrypter)
}

function sealedCursors(
  catalog: SkillCatalog,
  { keys, variant = '', principal = principalOf }: CursorOptions,
  makeSealer: (key: Uint8Array<ArrayBuffer>) => Sealer,
): SkillCatalog {
  const bytes = keys.map((key) => Uint8Array.from(typeof key === 'string' ? encoder.encode(key) : key))
  if (!bytes.length || bytes.some((key) => key.length < MIN_KEY))
    throw new TypeError(
      `Cursors need keys of at least ${MIN_KEY} bytes, such as \`openssl rand -base64 32\` gives`,
    )
  const sealers = bytes.map(makeSealer)

  async function open(cursor: unknown, binding: Uint8Array<ArrayBuffer>): Promise<string> {
    const sealed = decode(cursor)
    for (const sealer of sealed ? sealers : []) {
      const opened = await sealer.open(sealed!, binding)
      if (opened !== undefined) return opened
    }
    return refuse(INVALID_PARAMS, 'Invalid cursor')
  }

  function wrap<R extends { readonly nextCursor?: string }>(
    name: string,
    method: (params: Params, context: RequestContext) => Promise<R>,
  ): (params: Params, context: RequestContext) => Promise<R> {
    return async (params, context) => {
      // Any spelling of a URI asks for the same listing.
      const subject = canonicalUri(params.uri)
      const binding = encoder.encode(
        JSON.stringify([name, subject, variant, principal(context as CallerContext)]),
      )
      const { cursor } = params
      const own = cursor === undefined ? params : { ...params, cursor: await open(cursor, binding) }
      const { nextCursor, ...result } = await method(own, context)
      if (nextCursor === undefined) return result as unknown as R
      const sealed = MARK + toBase64Url(await sealers[0]!.seal(nextCursor, binding))
      return { ...result, nextCursor: sealed } as unknown as R
    }
  }

  const { readDirectory } = catalog
  return {
    ...catalog,
    list: wrap('list', (params, context) => catalog.list(params, context)),
    resources: wrap('resources', (params, context) => catalog.resources(params, context)),
    ...(readDirectory && {
      readDirectory: wrap('readDirectory', (params, context) => catalog.readDirectory!(params, context)),
    }),
  }
}

function decode(cursor: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof cursor !== 'string' || cursor.length > MAX_CURSOR) return undefined
  const [, text] = /^skill:([\w-]+)$/.exec(cursor) ?? []
  try {
    return text === undefined ? undefined : fromBase64Url(text)
  } catch {
    return undefined
  }
}

/** `<mac><cursor>`, the MAC over the length of the binding, the binding and the cursor. */
function signer(secret: Uint8Array<ArrayBuffer>): Sealer {
  const key = lazily(() =>
    crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']),
  )
  return {
    async seal(cursor, binding) {
      const text = encoder.encode(cursor)
      const mac = await crypto.subtle.sign('HMAC', await key(), message(binding, text))
      return join(new Uint8Array(mac), text)
    },
    async open(sealed, binding) {
      const text = sealed.slice(MAC)
      // Compared in constant time by WebCrypto.
      const isOurs = await crypto.subtle.verify(
        'HMAC',
        await key(),
        sealed.slice(0, MAC),
        message(binding, text),
      )
      return isOurs ? new TextDecoder().decode(text) : undefined
    },
  }
}

/** `<nonce><ciphertext>`, the binding as additional data. */
function encrypter(secret: Uint8Array<ArrayBuffer>): Sealer {
  const key = lazily(async () =>
    // Any secret becomes 256 bits.
    crypto.subtle.importKey('raw', await crypto.subtle.digest('SHA-256', secret), 'AES-GCM', false, [
      'encrypt',
      'decrypt',
    ]),
  )
  return {
    async seal(cursor, binding) {
      const iv = crypto.getRandomValues(new Uint8Array(NONCE))
      const algorithm = { name: 'AES-GCM', iv, additionalData: binding }
      return join(
        iv,
        new Uint8Array(await crypto.subtle.encrypt(algorithm, await key(), encoder.encode(cursor))),
      )
    },
    async open(sealed, binding) {
      const iv = sealed.slice(0, NONCE)
      try {
        const algorithm = { name: 'AES-GCM', iv, additionalData: binding }
        return new TextDecoder().decode(
          await crypto.subtle.decrypt(algorithm, await key(), sealed.slice(NONCE)),
        )
      } catch {
        return undefined
      }
    },
  }
}

/** Keys are imported by the first request: some runtimes do no crypto before it. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

function message(binding: Uint8Array, text: Uint8Array): Uint8Array<ArrayBuffer> {
  return join(encoder.encode(`${binding.length} `), binding, text)
}

function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
