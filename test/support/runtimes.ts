import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'

const BIN = path.join(import.meta.dirname, '../runtimes/node_modules/.bin')

/** The command that runs a module, in every runtime that has one. */
export const RUNTIMES = {
  node24: [process.execPath],
  node20: [path.join(BIN, 'node')],
  bun: [path.join(BIN, 'bun'), 'run', '--bun'],
  deno: [path.join(BIN, 'deno'), 'run', '--quiet', '--allow-all', '--no-config', '--no-lock', '--no-remote'],
} as const satisfies Record<string, readonly [string, ...string[]]>

export type Runtime = keyof typeof RUNTIMES

/** Runs a module, and gives what it writes. */
export async function run(
  runtime: Runtime,
  file: string,
  { args = [], cwd }: { args?: readonly string[]; cwd?: string } = {},
): Promise<string> {
  const [command, ...flags] = RUNTIMES[runtime]
  const { stdout } = await promisify(execFile)(command, [...flags, file, ...args], {
    ...(cwd !== undefined && { cwd }),
    maxBuffer: 64 * 1024 * 1024,
    timeout: 120_000,
    env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' },
  })
  return stdout
}
