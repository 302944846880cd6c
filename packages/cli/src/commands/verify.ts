import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { BundleFile } from '@embed-skills/compiler/proof'
import type { Arguments, Command, Io } from '../command.ts'
import { UsageError } from '../command.ts'
import { count } from '../count.ts'
import { namesServer, SERVER_OPTIONS, SERVER_USAGE } from '../server.ts'

const verify: Command = {
  summary:
    'Compares what is served with its own digests: of a written bundle, or of a deployed server and its lock.',
  usage: `verify <bundle files or folders...> | [--lock skills.lock.json] [--ignore-unlocked] ${SERVER_USAGE}`,
  options: { ...SERVER_OPTIONS, lock: { type: 'string' }, 'ignore-unlocked': { type: 'boolean' } },
  async run(args, io) {
    if (namesServer(args)) return (await import('./verify-server.ts')).verifyServer(args, io)
    return verifyBundles(args, io)
  },
}
export default verify

async function verifyBundles({ positionals, values }: Arguments, { cwd, out, err }: Io): Promise<number> {
  if (!positionals.length)
    throw new UsageError(
      'Name a server: its URL, or after -- the command that starts it. Or name a bundle: embed-skills verify dist',
    )
  const [option] = Object.keys(values)
  if (option !== undefined) throw new UsageError(`--${option} is for servers alone, and no server is named`)
  const { inspectBundle } = await import('@embed-skills/compiler/proof')
  const files = (await Promise.all(positionals.map((name) => bundleFiles(name, cwd)))).flat()
  if (!files.length)
    throw new UsageError(`There is no .js, .mjs, .cjs or .bin file in ${positionals.join(', ')}`)
  const { skills, files: distinct, problems } = inspectBundle(files)
  for (const problem of problems) err(problem)
  if (!skills) err('There are no compiled skills in these files.')
  if (problems.length || !skills) return 1
  out(`${count(skills, 'skill')}, ${count(distinct, 'distinct file')}: all as their entries say`)
  return 0
}

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
