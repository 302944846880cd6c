/**
 * Verifies bytes that did not come over the wire just now, a cache's, by the very code that verifies
 * those that do: the official reader, on a connection that ends at the bytes.
 */
import type { Skill } from '@embed-skills/runtime'
import type { Transport } from '@modelcontextprotocol/client'
import type { SkillFile, SkillsClientOptions } from '@modelcontextprotocol/client/ext/skills'
import { Client } from '@modelcontextprotocol/client'
import { SKILLS_EXTENSION_ID, SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import type { CachedFile } from './cache.ts'
import { encodeBase64 } from './text.ts'

/**
 * Checks size and digest, and the frontmatter of a `SKILL.md`, against the entry.
 *
 * @throws SkillVerificationError
 */
export async function verifyBytes(
  skill: Skill,
  fileUri: string,
  file: CachedFile,
  options: SkillsClientOptions,
): Promise<SkillFile> {
  const client = new Client({ name: 'replay', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
  await client.connect(replay(fileUri, file))
  try {
    return await new SkillsClient(client, options).read(skill as never, fileUri)
  } finally {
    await client.close()
  }
}

/** A transport to a server that holds one file. */
function replay(uri: string, { bytes, mimeType }: CachedFile): Transport {
  const results: Record<string, () => object> = {
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { resources: {}, extensions: { [SKILLS_EXTENSION_ID]: {} } },
      serverInfo: { name: 'replay', version: '1' },
    }),
    'resources/read': () => ({
      contents: [{ uri, blob: encodeBase64(bytes), ...(mimeType !== undefined && { mimeType }) }],
    }),
  }
  const transport: Transport = {
    start: async () => {},
    close: async () => transport.onclose?.(),
    send: async (message) => {
      if (!('id' in message && 'method' in message)) return
      const result = results[message.method]?.() ?? {}
      queueMicrotask(() => transport.onmessage?.({ jsonrpc: '2.0', id: message.id!, result } as never))
    },
  }
  return transport
}
