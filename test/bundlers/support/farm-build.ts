/** Builds with Farm what the first argument says. */
import { build } from '@farmfe/core'
import { rewriting } from './rewriting.ts'
import { farmConfig } from './farm-config.ts'

const { spoil, ...setup } = JSON.parse(process.argv[2]!)
const { plugins = [], ...config } = farmConfig(setup)
await build({
  ...config,
  plugins: [
    ...plugins,
    spoil !== undefined && {
      name: 'replace',
      renderResourcePot: {
        filters: { resourcePotTypes: ['js'] },
        executor: ({ content }) => ({ content: rewriting(spoil)(content) }),
      },
    },
  ],
})
process.exit(0)
