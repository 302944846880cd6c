import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

export interface Output {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a script with the Node that runs the tests, or another one. */
export function runNode(
  args: readonly string[],
  { node = process.execPath, cwd = import.meta.dirname, env = {} }: RunOptions = {},
): Promise<Output> {
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}

interface RunOptions {
  readonly node?: string
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

/** The script behind a command of a package that the tests depend on. */
export function binary(name: string, command: string): string {
  const folder = path.join(import.meta.dirname, '../node_modules', name)
  const { bin } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    bin: Record<string, string>
  }
  return path.join(folder, bin[command]!)
}
