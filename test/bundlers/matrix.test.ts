/**
 * Builds one hostile tree with every bundler, runs what comes out, and compares every byte and every entry with
 * what the compiler said. `pnpm test:matrix` runs every cell in every runtime; without it a choice is run in
 * which every two of bundler, content, minifier and runtime meet.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { compile } from '@embed-skills/compiler'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Runtime } from '../support/runtimes.ts'
import { run, RUNTIMES } from '../support/runtimes.ts'
import type { Cell } from './support/builders.ts'
import { BUILDERS } from './support/builders.ts'
import type { Dump, Project } from './support/project.ts'
import { expectedDump, writeProject } from './support/project.ts'

const RUNS = Object.keys(RUNTIMES) as Runtime[]
const isWhole = process.env['EMBED_SKILLS_MATRIX'] === 'all'

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
