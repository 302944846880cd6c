/*
 * Builds a project with the plugin in a process of its own, and prints the URIs of its skills as JSON, or the message
 * of the error: `node build.ts <root> <options as JSON>`.
 */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import embedSkills from 'unplugin-embed-skills/vite'
import { build } from 'vite'

const [root = '', options] = process.argv.slice(2)
const given = options === undefined ? undefined : JSON.parse(options)
try {
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [embedSkills(given)],
    build: { ssr: 'entry.js', outDir: 'dist' },
  })
  const { default: uris } = await import(pathToFileURL(path.join(root, 'dist/entry.js')).href)
  console.log(JSON.stringify(uris))
} catch (error) {
  console.log(JSON.stringify((error as Error).message))
}
