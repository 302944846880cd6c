import type { RequestContext } from '../source.ts'
import type { Bytes } from '../encoding/bytes.ts'
import { stateOf } from '../computed/state.ts'
import { digestOf } from '../encoding/bytes.ts'
import { principalOf } from '../computed/principal.ts'

/** What the digest of a file holds for. */
interface Holder {
  /** Whose promise it is: a skill, or a route. */
  readonly owner: object
  version?(context: RequestContext): Promise<string>
}

// As many as tell that something is wrong; not a cache, so it may forget.
const MANY = 1000
const given = new WeakMap<object, Map<string, string>>()

/** Remembers that a manifest with this digest was sent. */
export async function gaveOut(
  uri: string,
  digest: string,
  holder: Holder,
  context: RequestContext,
): Promise<void> {
  const key = await keyOf(uri, holder, context)
  const own = given.get(holder.owner) ?? new Map<string, string>()
  given.set(holder.owner, own)
  own.delete(key)
  if (own.size >= MANY) own.delete(own.keys().next().value!)
  own.set(key, digest)
}

/** Logs if a file is not what a manifest said: the client is going to refuse it. */
export async function readAs(
  uri: string,
  content: Bytes,
  holder: Holder,
  context: RequestContext,
): Promise<void> {
  const digest = given.get(holder.owner)?.get(await keyOf(uri, holder, context))
  if (digest !== undefined && digest !== (await digestOf(content)))
    stateOf(context).logger.error(
      `embed-skills: ${uri} is declared stable, but its bytes are others than when they were listed. Give it a version, or declare it dynamic`,
    )
}

/** The same bytes are promised to the same caller for the same version. */
async function keyOf(uri: string, { version }: Holder, context: RequestContext): Promise<string> {
  return JSON.stringify([uri, principalOf(context), (await version?.(context)) ?? ''])
}
