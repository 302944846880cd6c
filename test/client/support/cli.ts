import type { ChildProcess } from 'node:child_process'
import { execFile } from 'node:child_process'
import path from 'node:path'

const CLI = path.join(import.meta.dirname, '../../node_modules/embed-skills/dist/cli.js')

/** Runs the built command line, as a user would. */
export function run(
  args: readonly string[],
  { cwd = process.cwd(), env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<{ code: number; output: string }> {
  return start(args, cwd, env).ended
}

/** The same while it runs. */
export function start(
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): { child: ChildProcess; ended: Promise<{ code: number; output: string }> } {
  let child: ChildProcess | undefined
  const options = { cwd, env: { ...process.env, ...env }, encoding: 'utf8' as const }
  const ended = new Promise<{ code: number; output: string }>((resolve) => {
    child = execFile(process.execPath, [CLI, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr })
    })
  })
  return { child: child!, ended }
}
