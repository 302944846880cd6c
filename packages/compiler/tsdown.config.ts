import type { UserConfig } from 'tsdown'

const config: UserConfig = {
  entry: { index: 'src/index.ts', proof: 'src/proof/index.ts' },
  dts: true,
  platform: 'node',
  target: 'node20.19',
  fixedExtension: false,
}
export default config
