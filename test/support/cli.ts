import { spawn } from 'node:child_process'
import path from 'node:path'

export const cliFile: string = path.join(import.meta.dirname, '../../packages/cli/dist/cli.js')

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs `embed-skills` in a process of its own. */
export function cli(
  cwd: string,
  args: readonly string[],
  options: { node?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Ran> {
  const { node = process.execPath, env = {} } = options
  return new Promise((resolve, reject) => {
    const child = spawn(node, [cliFile, ...args], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, GITHUB_WORKSPACE: '', ...env },
    })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}
