/** The `embed-skills.d.ts` that playgrounds commit are what their skills say, as CI would check (docs/types.md). */
import path from 'node:path'
import { expect, test } from 'vitest'
import { cli } from '../support/apps.ts'

test.each([
  ['worker', []],
  // Its skills are named in `vitest.config.ts`, which Vite alone does not read.
  ['vitest', ['skills/*']],
])('%s: embed-skills types --check', async (name, globs) => {
  const root = path.join(import.meta.dirname, '../../playground', name)
  expect(await cli(root, 'types', ...globs, '--check')).toEqual({
    code: 0,
    output: 'embed-skills.d.ts: up to date\n',
  })
})
