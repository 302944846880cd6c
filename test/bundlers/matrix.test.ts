/**
 * Builds one hostile tree with every bundler and the command line, runs what comes out, and compares every byte and every entry with
 * what the compiler said. `pnpm test:matrix` runs every cell in every runtime; without it a choice is run in
 * which every two of bundler, content, minifier and runtime meet.
 */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { compile } from '@embed-skills/compiler'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { unstable_startWorker } from 'wrangler'
import type { Runtime } from '../support/runtimes.ts'
import { run, RUNTIMES } from '../support/runtimes.ts'
import type { Build, Cell } from './support/builders.ts'
import { BUILDERS as BUNDLERS } from './support/builders.ts'
import type { CliCell } from './support/cli-builder.ts'
import { buildWithCli, workerOf } from './support/cli-builder.ts'
import type { Dump, Project } from './support/project.ts'
import { digestOf, expectedDump, writeProject } from './support/project.ts'

const RUNS = Object.keys(RUNTIMES) as Runtime[]
const isWhole = process.env['EMBED_SKILLS_MATRIX'] === 'all'

const BUILDERS: Readonly<Record<string, Build>> = { ...BUNDLERS, cli: buildWithCli }

interface Case extends Omit<Cell, 'out'> {
  readonly bundler: string
  readonly runtimes: readonly Runtime[]
}

const CASES = Object.keys(BUILDERS).flatMap((bundler, row): Case[] => {
  if (isWhole)
    return [true, false].flatMap((minify) =>
      (['inline', 'chunks'] as const).map((content) => ({ bundler, content, minify, runtimes: RUNS })),
    )
  // Half of the runtimes for each, the other half for the next bundler.
  const [some, others] = [RUNS.slice(0, 2), RUNS.slice(2)]
  const isEven = row % 2 === 0
  return [
    { bundler, content: 'inline', minify: isEven, runtimes: row % 4 < 2 ? some : others },
    { bundler, content: 'chunks', minify: !isEven, runtimes: row % 4 < 2 ? others : some },
  ]
})

// workerd needs nothing from outside.
Object.assign(process.env, { CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false' })

let project: Project
let expected: Record<'all' | 'one' | 'single', Dump>

beforeAll(async () => {
  project = await writeProject()
  const { root, globs } = project
  const { skills } = await compile(globs, { root })
  const single = await compile({ from: '.', base: 'skills/names' }, { root })
  expected = {
    all: expectedDump(skills),
    one: expectedDump(skills.filter((skill) => skill.path === 'contents')),
    single: expectedDump(single.skills),
  }
})

afterAll(() => rm(path.dirname(project.root), { recursive: true, force: true }))

test('the hostile tree is hostile, but as skills may be', async () => {
  const { skills, diagnostics } = await compile(project.globs, { root: project.root })
  // Windows could not hold all of its names.
  expect(diagnostics.filter(({ rule }) => rule !== 'portable-name')).toEqual([])
  expect(skills).toHaveLength(4)
})

describe.each(CASES)(
  'X1: $bundler, $content, minified: $minify',
  ({ bundler, content, minify, runtimes }) => {
    let file: string

    beforeAll(async () => {
      const out = await mkdtemp(path.join(path.dirname(project.root), 'out-'))
      file = await BUILDERS[bundler]!(project, { content, minify, out })
    })

    test.each(runtimes)('every byte and every entry in %s', async (runtime) => {
      const { all, one, single } = JSON.parse(await run(runtime, file)) as typeof expected
      expect(all).toEqual(expected.all)
      expect(Object.keys(all)).toEqual(Object.keys(expected.all))
      expect(one).toEqual(expected.one)
      expect(single).toEqual(expected.single)
    })
  },
)

const OF_WORKERS = (['inline', 'chunks', 'pack'] as const).flatMap((content, row) =>
  (isWhole ? [true, false] : [row % 2 === 0]).map((minify) => ({ content, minify })),
)

describe.each(OF_WORKERS)('cli and wrangler, $content, minified: $minify', ({ content, minify }) => {
  test('every byte and every entry in workerd', async () => {
    const out = await mkdtemp(path.join(path.dirname(project.root), 'worker-'))
    const config = await workerOf(project, { content, minify, out })
    const server = await unstable_startWorker({
      config,
      dev: { server: { hostname: '127.0.0.1', port: 0 }, inspector: false, watch: false, logLevel: 'error' },
    })
    onTestFinished(() => server.dispose())
    const response = await server.fetch('http://localhost/')
    expect(JSON.parse(await response.text())).toEqual(expected)
  })
})

test.each(['inline', 'chunks', 'pack'] as const)(
  'the command line writes the same twice, and from another folder: %s',
  async (content) => {
    const other = await writeProject()
    onTestFinished(() => rm(path.dirname(other.root), { recursive: true, force: true }))
    const [first, ...more] = await Promise.all(
      [project, project, other].map((from) => writtenBy(from, content)),
    )
    for (const written of more) expect(written).toEqual(first)
  },
)

/** The digest of each file that the command line writes. */
async function writtenBy(from: Project, content: CliCell['content']): Promise<Record<string, string>> {
  const out = await mkdtemp(path.join(path.dirname(from.root), 'same-'))
  await buildWithCli(from, { content, minify: false, out })
  const names = (await readdir(out, { recursive: true })).sort()
  const files = await Promise.all(
    names.map(async (name) => {
      const file = path.join(out, name)
      return (await stat(file)).isFile() ? [[name, digestOf(await readFile(file, 'latin1'))] as const] : []
    }),
  )
  return Object.fromEntries(files.flat())
}
