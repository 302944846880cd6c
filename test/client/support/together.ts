import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

/**
 * Runs a module in several processes, one for each list of arguments, that begin at the same moment.
 *
 * @param source Calls `await begin()` once it has all that it needs, and finds its arguments in `args`.
 * @returns Their exit codes.
 */
export async function together(source: string, argLists: readonly (readonly string[])[]): Promise<unknown[]> {
  const head = `
import { once } from 'node:events'
const args = process.argv.slice(1)
async function begin() {
  console.log('ready')
  await once(process.stdin, 'data')
  process.stdin.destroy()
}
`
  const children = argLists.map((args) =>
    spawn(process.execPath, ['--input-type=module', '--eval', head + source, ...args], {
      cwd: path.join(import.meta.dirname, '../..'),
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
  const codes = children.map((child) => once(child, 'close').then(([code]: unknown[]) => code))
  await Promise.all(children.map((child) => Promise.race([once(child.stdout, 'data'), once(child, 'close')])))
  for (const { stdin } of children) stdin.end('go')
  return Promise.all(codes)
}
