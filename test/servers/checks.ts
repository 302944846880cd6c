import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'

const require = createRequire(import.meta.url)

/** Runs a script with Node: its exit code and what it wrote. */
export function run(
  script: string,
  args: readonly string[],
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr })
    })
  })
}

/** What the MCP Inspector finds: its exit code, and how many skills it listed, or what it printed instead. */
export interface Inspected {
  readonly code: number
  readonly skills: number | string
}

/** What the MCP Inspector says of the skills of a server over HTTP. */
export function inspect(
  url: string,
  era: 'modern' | 'legacy',
  headers: Record<string, string> = {},
): Promise<Inspected> {
  const args = ['--server-url', url, '--transport', 'http', '--protocol-era', era]
  for (const [name, value] of Object.entries(headers)) args.push('--header', `${name}: ${value}`)
  return inspectWith(args)
}

/** What the MCP Inspector says of the skills of a server over stdio. */
export function inspectStdio(
  command: string,
  commandArgs: readonly string[],
  era: 'modern' | 'legacy',
): Promise<Inspected> {
  return inspectWith([command, ...commandArgs, '--transport', 'stdio', '--protocol-era', era])
}

async function inspectWith(args: readonly string[]): Promise<Inspected> {
  const checks = ['--method', 'skills/list', '--verify', '--require-digests', '--format', 'json']
  const { code, stdout, stderr } = await run(INSPECTOR, ['--cli', ...args, ...checks])
  // A line of JSON a skill.
  const lines = stdout.split('\n').filter((line) => line.startsWith('{"uri":"skill://'))
  return { code, skills: lines.length || stdout + stderr }
}

/** Runs a scenario of the official conformance suite against a server: 0 if it passes. */
export async function conformance(
  url: string,
  scenario: string,
  isLegacy: boolean,
): Promise<number | string> {
  const args = ['server', '--url', url, '--scenario', `sep-2640-skills-${scenario}`]
  if (isLegacy) args.push('--spec-version', '2025-11-25', '--force')
  const { code, stdout, stderr } = await run(CONFORMANCE, args)
  return code === 0 ? 0 : stdout + stderr
}

const INSPECTOR = binOf('@modelcontextprotocol/inspector', 'mcp-inspector')
const CONFORMANCE = binOf('@modelcontextprotocol/conformance', 'conformance')

/** The script behind a command of a package. */
export function binOf(name: string, command: string): string {
  const folder = path.join(import.meta.dirname, '../node_modules', name)
  const { bin } = require(path.join(folder, 'package.json'))
  return path.join(folder, typeof bin === 'string' ? bin : bin[command])
}
