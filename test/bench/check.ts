/*
 * Compiling and checking real skills against the floor: `node test/bench/check.ts [archive]`. Everything is measured in
 * turns, so that whatever else the machine does hits all alike; ratios count, not milliseconds.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { compile } from '@embed-skills/compiler'
import { floor, floorSync } from './floor.ts'

const repository = path.resolve(import.meta.dirname, '../..')
const beside = path.join(repository, '../shared/corpus/real-skills.tar.gz')
const archive = process.argv[2] ?? process.env['EMBED_SKILLS_CORPUS'] ?? beside
const cliFile = path.join(repository, 'packages/cli/dist/cli.js')
const floorFile = path.join(import.meta.dirname, 'floor.ts')
const ROUNDS = 25

interface Row {
  readonly name: string
  readonly goal: number | undefined
  readonly run: () => Promise<unknown> | void
  readonly times: number[]
}

const row = (name: string, run: Row['run'], goal?: number): Row => ({ name, goal, run, times: [] })

if (!fs.existsSync(archive)) {
  console.error(`There is no archive of skills at ${archive}. Name one: node test/bench/check.ts <archive>`)
  process.exit(2)
}
const root = unpack()
try {
  await measure('In a warm process', [
    row('floor, thread pool', () => floor(root)),
    row('floor, synchronous', () => floorSync(root)),
    row('compile, every rule', () => compile('**', { root }), 1.5),
  ])
  const cache = path.join(root, '..', 'cache.json')
  const check = (...more: string[]): void => program([cliFile, 'check', '**', '--format', 'json', ...more])
  check('--cache', cache)
  await measure('In a process of its own, its start included', [
    row('floor, thread pool', () => program([floorFile, root])),
    row('floor, synchronous', () => program([floorFile, root, 'sync'])),
    row('check', () => check('--no-cache'), 3),
    row('check, cached', () => check('--cache', cache), 1.2),
  ])
} finally {
  fs.rmSync(path.dirname(root), { recursive: true })
}

async function measure(title: string, rows: readonly Row[]): Promise<void> {
  for (let round = -2; round < ROUNDS; round++) {
    for (const { run, times } of rows) {
      const start = performance.now()
      await run()
      if (round >= 0) times.push(performance.now() - start)
    }
  }
  const [pool, sync] = rows as [Row, Row]
  const base = Math.min(median(pool.times), median(sync.times))
  console.log(
    `\n${title} (median and best of ${ROUNDS}; ratios of the medians, to the faster floor and to the other)`,
  )
  for (const { name, goal, times } of rows) {
    const middle = median(times)
    const ratios = [base, Math.max(median(pool.times), median(sync.times))].map((other) =>
      (middle / other).toFixed(2),
    )
    const wanted = goal === undefined ? '' : `  goal ${goal}`
    const figures = `${middle.toFixed(0).padStart(6)} ms ${Math.min(...times)
      .toFixed(0)
      .padStart(6)} ms`
    console.log(`  ${name.padEnd(22)}${figures}  ${ratios[0]}x  (${ratios[1]}x)${wanted}`)
  }
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]!
}

function program(args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  if (status === null || status > 1) throw new Error(stderr)
}

/** The folders above skills renamed so that they can be prefixes. */
function unpack(): string {
  const top = fs.mkdtempSync(path.join(os.tmpdir(), 'skills-bench-'))
  const [raw, target] = [path.join(top, 'raw'), path.join(top, 'skills')]
  fs.mkdirSync(raw)
  execFileSync('tar', ['xzf', archive, '-C', raw])
  const visit = (folder: string, to: string, inSkill: boolean): void => {
    fs.mkdirSync(to, { recursive: true })
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      const source = path.join(folder, entry.name)
      const name = inSkill ? entry.name : entry.name.replace(/^\W+/, '').replaceAll('+', '-')
      if (entry.isFile()) fs.copyFileSync(source, path.join(to, name))
      if (!entry.isDirectory()) continue
      visit(source, path.join(to, name), inSkill || fs.existsSync(path.join(source, 'SKILL.md')))
    }
  }
  visit(raw, target, false)
  fs.rmSync(raw, { recursive: true })
  return target
}
