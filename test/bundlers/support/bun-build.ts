/** Runs in Bun: builds what the first argument says. */
import { readFileSync, writeFileSync } from 'node:fs'
import embedSkills from 'unplugin-embed-skills/bun'
import { rewriting } from './rewriting.ts'

interface Output {
  readonly outputs: readonly { readonly path: string }[]
  readonly success: boolean
  readonly logs: unknown[]
}

declare const Bun: { build(options: object): Promise<Output> }

const { root, entry, options, minify = false, out, spoil } = JSON.parse(process.argv[2]!)
const replace = {
  name: 'replace',
  setup(build: { onEnd(callback: (result: Output) => void): void }) {
    // Bun runs what all plugins do at the end at once.
    build.onEnd(({ outputs }) => {
      for (const { path } of outputs) writeFileSync(path, rewriting(spoil)(readFileSync(path, 'utf8')))
    })
  },
}
const { success, logs } = await Bun.build({
  entrypoints: [entry],
  outdir: out,
  target: 'node',
  format: 'esm',
  splitting: options?.content !== 'inline',
  minify,
  plugins: [...(spoil ? [replace] : []), embedSkills(options && { root, ...options })],
})
if (!success) throw new AggregateError(logs, 'The build failed')
