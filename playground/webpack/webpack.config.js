import path from 'node:path'
import embedSkills from 'unplugin-embed-skills/webpack'

/** @type {import('webpack').Configuration} */
export default {
  mode: 'production',
  target: 'node',
  entry: './src/server.js',
  output: { path: path.resolve('dist'), filename: 'server.cjs', clean: true },
  plugins: [embedSkills('skills/*')],
}
