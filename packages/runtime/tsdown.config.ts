import type { UserConfig } from 'tsdown'

const config: UserConfig = {
  entry: ['src/index.ts', 'src/mcp.ts', 'src/fetch.ts', 'src/macro.ts'],
  dts: true,
  platform: 'neutral',
  target: 'es2022',
}
export default config
