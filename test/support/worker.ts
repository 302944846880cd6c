import { symlinkSync } from 'node:fs'
import path from 'node:path'
import { temporaryFolder, writeTree } from './tree.ts'

// workerd needs nothing from outside.
Object.assign(process.env, { CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false' })

/** A project whose Worker serves `virtual:skills`, without any skills yet. */
export function workerProject(): string {
  const root = writeTree(
    {
      'package.json': '{"type":"module","private":true}',
      'wrangler.json': JSON.stringify({
        name: 'skills',
        main: 'worker.js',
        compatibility_date: '2026-10-01',
      }),
      'worker.js': [
        "import { serveSkills } from '@embed-skills/runtime/fetch'",
        "import skills from 'virtual:skills'",
        "export default serveSkills(skills, { name: 'worker', version: '1.0.0' })",
        '',
      ].join('\n'),
    },
    temporaryFolder(),
  )
  symlinkSync(path.join(import.meta.dirname, '../node_modules'), path.join(root, 'node_modules'))
  return root
}
