/**
 * Measures what the format of the modules and the runtime are judged by. Ratios count: everything that
 * is compared runs in one interleaved run on one machine.
 *
 *   pnpm bench [--quick]
 */
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { buildForNode } from './build.ts'
import { writeTree } from './tree.ts'

const run = promisify(execFile)
const isQuick = process.argv.includes('--quick')
const file = (name: string): string => path.join(import.meta.dirname, name)
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

async function rates(): Promise<void> {
  const root = await writeTree(100)
  const server = await buildForNode(root, file('rates.ts'))
  const [rounds, milliseconds] = isQuick ? ['5', '200'] : ['15', '400']
  const args = ['--expose-gc', server, path.join(root, 'skills'), rounds, milliseconds]
  const { stdout } = await run(process.execPath, args)
  const results = JSON.parse(stdout) as Record<string, Record<string, number>>
  const floor = results['constant handler']!
  console.log('\nrequests/s in process, 100 skills (and against the constant handler)')
  for (const [name, row] of Object.entries(results)) {
    const cells = Object.entries(row).map(([method, rate]) =>
      `${method} ${rate.toFixed(0).padStart(6)} (${(rate / floor[method]!).toFixed(2)})`.padEnd(22),
    )
    console.log(`  ${name.padEnd(28)} ${cells.join('')}`)
  }
  await rm(root, { recursive: true })
}

async function startup(): Promise<void> {
  const counts = [10, 1000]
  const commands: Record<string, string[]> = {}
  const roots: string[] = []
  for (const count of counts) {
    const root = await writeTree(count)
    roots.push(root)
    commands[`serveSkills, ${count} skills`] = [await buildForNode(root, file('startup-ours.ts'))]
    commands[`official extension, ${count} skills`] = [file('startup-sdk.ts'), path.join(root, 'skills')]
  }
  const times = Object.entries(commands).map(([name, args]) => ({ name, args, values: [] as number[] }))
  for (let round = 0; round < (isQuick ? 9 : 25); round++)
    for (const { args, values } of times) values.push(Number((await run(process.execPath, args)).stdout))
  console.log('\nms from the start of the process to the first skills/list, Node (and against 10 skills)')
  const middle = new Map(times.map(({ name, values }) => [name, median(values)]))
  for (const [name, value] of middle) {
    const base = middle.get(name.replace(/\d+ skills/, '10 skills'))!
    console.log(`  ${name.padEnd(34)} ${value.toFixed(0).padStart(6)} (${(value / base).toFixed(2)})`)
  }
  for (const root of roots) await rm(root, { recursive: true })
}

console.log(`Node ${process.version}, ${isQuick ? 'quick' : 'full'} run`)
await rates()
await startup()
