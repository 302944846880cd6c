/** Watches with Farm what the first argument says, until it is killed. */
import { watch } from '@farmfe/core'
import embedSkills from 'unplugin-embed-skills/farm'

const { root, entry, out } = JSON.parse(process.argv[2]!)
await watch({
  root,
  compilation: {
    input: { entry },
    output: { path: out, targetEnv: 'node-next', format: 'esm', entryFilename: '[entryName].mjs' },
    presetEnv: false,
    minify: false,
    sourcemap: false,
    persistentCache: false,
    lazyCompilation: false,
    progress: false,
  },
  plugins: [
    embedSkills({ from: 'skills/**', content: 'chunks' }),
    {
      name: 'log',
      finish: { executor: () => console.log('BUILT') },
      updateFinished: { executor: () => console.log('BUILT') },
    },
  ],
})
