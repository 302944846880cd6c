/** In a file of its own: Farm runs in other processes, which need no other bundler. */
import type { build } from '@farmfe/core'
import embedSkills from 'unplugin-embed-skills/farm'
import type { Setup } from './configs.ts'

export function farmConfig({
  root,
  entry,
  out,
  options,
  minify = false,
}: Setup): NonNullable<Parameters<typeof build>[0]> {
  return {
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
      lazyCompilation: false,
      progress: false,
    },
    plugins: [embedSkills(options)],
  }
}
