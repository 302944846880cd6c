/** Builds with Farm what the first argument says. */
import { build } from '@farmfe/core'
import embedSkills from 'unplugin-embed-skills/farm'

const { root, globs, entry, content, minify, out } = JSON.parse(process.argv[2]!)
await build({
  root,
  compilation: {
    input: { entry },
    output: {
      path: out,
      targetEnv: 'node-next',
      format: 'esm',
      entryFilename: '[entryName].mjs',
      filename: '[name].[hash].mjs',
    },
    presetEnv: false,
    minify,
    sourcemap: false,
    persistentCache: false,
    progress: false,
  },
  plugins: [embedSkills({ from: globs, content })],
})
process.exit(0)
