import type { UserConfig } from 'tsdown'

const BUNDLERS = ['vite', 'rollup', 'rolldown', 'webpack', 'rspack', 'esbuild', 'farm', 'bun']
const FRAMEWORKS = ['nuxt', 'astro']

const config: UserConfig = {
  entry: [...BUNDLERS, ...FRAMEWORKS, 'rspack-loader', 'macro-loader'].map((name) => `src/${name}.ts`),
  dts: true,
  platform: 'node',
  target: 'node20.19',
  fixedExtension: false,
}
export default config
