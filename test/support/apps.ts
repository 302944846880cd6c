import type { ChildProcess } from 'node:child_process'
import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { onTestFinished } from 'vitest'

// Inside of this package, so that an app finds what this package depends on; not inside of
// `node_modules`, where Node strips no types.
const APPS = path.join(import.meta.dirname, '../.apps')

/**
 * Writes an app into a folder of its own, which is removed after the test, and gives the folder.
 *
 * @param around Where that folder is put.
 */
export async function app(
  files: Readonly<Record<string, string | Uint8Array>>,
  around: string = APPS,
): Promise<string> {
  await mkdir(around, { recursive: true })
  const root = await mkdtemp(path.join(around, 'app-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  await addFiles(root, files)
  return root
}

/** Puts the runtime into an app as its installation would, where a link is not enough. */
export async function installRuntime(root: string): Promise<void> {
  const source = path.join(import.meta.dirname, '../../packages/runtime')
  const target = path.join(root, 'node_modules/@embed-skills/runtime')
  await cp(path.join(source, 'dist'), path.join(target, 'dist'), { recursive: true })
  await cp(path.join(source, 'package.json'), path.join(target, 'package.json'))
}

export async function addFiles(
  root: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, content)
  }
}

/** A program of this package, by the name of its command. */
export function bin(name: string): string {
  return path.join(import.meta.dirname, '../node_modules/.bin', name)
}

/** Runs a program to its end. Never throws: what it said and how it ended is the result. */
export function run(
  cwd: string,
  command: string,
  ...args: string[]
): Promise<{ code: number; output: string }> {
  const env = { ...process.env, CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false' }
  return new Promise((resolve) =>
    execFile(command, args, { cwd, env, maxBuffer: 1 << 28 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    ),
  )
}

/** What a program said that has to end well. */
export async function succeed(running: ReturnType<typeof run>): Promise<string> {
  const { code, output } = await running
  if (code !== 0) throw new Error(`It ended with ${code}:\n${output}`)
  return output
}

/** The JSON that a built app prints. */
export async function printed(root: string, file = 'dist/main.js'): Promise<unknown> {
  return JSON.parse(await succeed(run(root, process.execPath, file)))
}

/** Starts `embed-skills` where it goes on until it is told to end, or the test is over. */
export function startCli(cwd: string, ...args: string[]): { child: ChildProcess; said(): string } {
  const child = spawn(process.execPath, [CLI, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (text += data.toString()))
  return { child, said: () => text }
}

const CLI = path.join(import.meta.dirname, '../../packages/cli/dist/cli.js')

/** Runs `embed-skills`. */
export function cli(cwd: string, ...args: string[]): Promise<{ code: number; output: string }> {
  return run(cwd, process.execPath, CLI, ...args)
}
