/** One file with everything in it, SDK included: it can be copied to wherever there is a Node. */
import { build } from 'esbuild'
import embedSkills from 'unplugin-embed-skills/esbuild'

await build({
  entryPoints: ['src/server.ts'],
  outfile: 'dist/server.js',
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  charset: 'utf8',
  logLevel: 'info',
  plugins: [embedSkills('skills/*')],
})
