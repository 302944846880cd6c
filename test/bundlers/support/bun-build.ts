/** Runs in Bun: builds what the first argument says. */
import embedSkills from 'unplugin-embed-skills/bun'

declare const Bun: { build(options: object): Promise<{ success: boolean; logs: unknown[] }> }

const { root, globs, entry, content, minify, out } = JSON.parse(process.argv[2]!)
const { success, logs } = await Bun.build({
  entrypoints: [entry],
  outdir: out,
  target: 'node',
  format: 'esm',
  splitting: content === 'chunks',
  minify,
  plugins: [embedSkills({ from: globs, root, content })],
})
if (!success) throw new AggregateError(logs, 'The build failed')
