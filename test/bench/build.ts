import path from 'node:path'
import embedSkills from 'unplugin-embed-skills/vite'
import { build } from 'vite'

/** Builds `entry`, with the skills of `root`, for Node. Gives the built file. */
export async function buildForNode(root: string, entry: string): Promise<string> {
  const outDir = path.join(root, 'dist')
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [embedSkills({ from: 'skills/*', content: 'chunks' })],
    ssr: { noExternal: /^@embed-skills\// },
    build: {
      ssr: true,
      outDir,
      rolldownOptions: { input: { server: entry }, output: { entryFileNames: '[name].mjs' } },
    },
  })
  return path.join(outDir, 'server.mjs')
}
