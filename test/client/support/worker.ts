import { cp, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createBuilder, preview } from 'vite'
import { temporaryFolder } from './folders.ts'

// workerd needs nothing from outside.
Object.assign(process.env, { CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false' })

const playground = path.join(import.meta.dirname, '../../../playground/worker')

/**
 * Builds the playground's Worker and runs it in workerd: a copy, so that nothing else builds into its folder.
 *
 * @param code What `src/server.ts` is to hold, if not what it does.
 */
export async function startWorker(code?: string): Promise<{ url: string; close(): Promise<void> }> {
  const root = path.join(await temporaryFolder(), 'worker')
  const leftOut = /\/(?:node_modules|dist|\.wrangler|tsconfig.*)$/
  await cp(playground, root, { recursive: true, filter: (file) => !leftOut.test(file) })
  await symlink(path.join(import.meta.dirname, '../../node_modules'), path.join(root, 'node_modules'))
  if (code !== undefined) await writeFile(path.join(root, 'src/server.ts'), code)
  await (await createBuilder({ root, logLevel: 'warn' })).buildApp()
  const server = await preview({ root, logLevel: 'warn', preview: { port: 0, host: '127.0.0.1' } })
  return { url: server.resolvedUrls!.local[0]!, close: () => server.close() }
}
