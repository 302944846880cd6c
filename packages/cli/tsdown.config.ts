import type { UserConfig } from 'tsdown'

const config: UserConfig = {
  entry: ['src/cli.ts', 'src/index.ts'],
  dts: true,
  platform: 'node',
  target: 'node20.19',
  fixedExtension: false,
}
export default config
