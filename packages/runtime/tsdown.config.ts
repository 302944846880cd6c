import type { UserConfig } from 'tsdown'

const config: UserConfig = {
  entry: [
    'src/index.ts',
    'src/mcp.ts',
    'src/fetch.ts',
    'src/macro.ts',
    'src/define.ts',
    'src/provider.ts',
    'src/access.ts',
    'src/live.ts',
    'src/testing.ts',
    'src/tools.ts',
    'src/tmcp.ts',
    'src/mcp-lite.ts',
    'src/fastmcp.ts',
    'src/express.ts',
  ],
  dts: true,
  platform: 'neutral',
  target: 'es2022',
}
export default config
