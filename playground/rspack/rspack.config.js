import path from 'node:path'
import embedSkills from 'unplugin-embed-skills/rspack'

/** @type {import('@rspack/core').Configuration} */
export default {
  mode: 'production',
  target: 'node20',
  entry: { server: './src/server.ts' },
  module: { rules: [{ test: /\.ts$/, loader: 'builtin:swc-loader', type: 'javascript/auto' }] },
  output: {
    path: path.resolve('dist'),
    filename: '[name].mjs',
    module: true,
    chunkFormat: 'module',
    library: { type: 'module' },
    clean: true,
  },
  plugins: [embedSkills('skills/*')],
}
