/**
 * The bytes of a body, or `undefined` where there are more than `limit`. No more than that is read.
 */
export async function bytesOf(
  { body }: Request | Response,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = body?.getReader()
  for (let chunk; (chunk = (await reader?.read())?.value);) {
    length += chunk.length
    if (length > limit) {
      // Not waited for: a clone is done with only when its other half is.
      reader!.cancel().catch(() => {})
      return undefined
    }
    chunks.push(chunk)
  }
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer())
}
