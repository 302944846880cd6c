/** Watches with Farm what the first argument says, until it is killed. */
import { watch } from '@farmfe/core'
import { farmConfig } from './farm-config.ts'

const { plugins = [], ...config } = farmConfig(JSON.parse(process.argv[2]!))
await watch({
  ...config,
  plugins: [
    ...plugins,
    {
      name: 'log',
      writeResources: { executor: () => console.log('BUILT') },
    },
  ],
})
