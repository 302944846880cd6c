import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { inspectBundle } from '@embed-skills/compiler/proof'
import type { BundleFile } from '@embed-skills/compiler/proof'
import type { Command } from '../command.ts'
import { UsageError } from '../command.ts'
import { count } from '../count.ts'

const verify: Command = {
  summary: 'Compares the entries in a written bundle with the contents in it, digest by digest.',
  usage: 'verify <bundle files or folders...>',
  options: {},
  async run({ positionals }, { cwd, out, err }) {
    if (!positionals.length) throw new UsageError('Say what to verify: embed-skills verify dist')
    const files = (await Promise.all(positionals.map((name) => bundleFiles(name, cwd)))).flat()
    if (!files.length)
      throw new UsageError(`There is no .js, .mjs, .cjs or .bin file in ${positionals.join(', ')}`)
    const { skills, files: distinct, problems } = inspectBundle(files)
    for (const problem of problems) err(problem)
    if (!skills) err('There are no compiled skills in these files.')
    if (problems.length || !skills) return 1
    out(`${count(skills, 'skill')}, ${count(distinct, 'distinct file')}: all as their entries say`)
    return 0
  },
}
export default verify

const BUNDLED = /\.(?:[cm]?js|bin)$/

/** The file, or everything in the folder that can hold skills. */
async function bundleFiles(name: string, cwd: string): Promise<BundleFile[]> {
  const target = path.resolve(cwd, name)
  const found = await stat(target).catch(() => undefined)
  if (!found) throw new UsageError(`There is no ${name}`)
  if (!found.isDirectory()) return [{ name, bytes: await readFile(target) }]
  const below = await readdir(target, { recursive: true })
  const wanted = below.filter((file) => BUNDLED.test(file) && !file.includes('node_modules')).sort()
  return Promise.all(
    wanted.map(async (file) => ({
      name: path.join(name, file),
      bytes: await readFile(path.join(target, file)),
    })),
  )
}
