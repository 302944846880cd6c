import type { UserConfig } from 'tsdown'

const config: UserConfig[] = [
  {
    entry: ['src/index.ts', 'src/ai.ts', 'src/node.ts'],
    dts: true,
    platform: 'neutral',
    target: 'es2022',
    fixedExtension: false,
    // Only what `./node` reaches may import these; a test keeps the other entries free of them.
    deps: { neverBundle: [/^node:/] },
  },
]
export default config
