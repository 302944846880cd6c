import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { CompiledSkills } from '@embed-skills/runtime'
import { expect, test } from 'vitest'
import { demoSkills } from '../support/demo.ts'
import { importSkills } from '../support/modules.ts'
import type { Output } from '../support/run.ts'
import { binary, runNode } from '../support/run.ts'
import type { Era } from '../support/servers.ts'
import { kinds, listen } from '../support/servers.ts'
import { temporaryFolder } from '../support/tree.ts'

interface Report {
  readonly uri: string
  readonly outcome: string
  readonly files: readonly { readonly uri: string; readonly status: string }[]
}

const skills = await demoSkills()
const compiled = await importSkills(skills)
const inspector = binary('@modelcontextprotocol/inspector', 'mcp-inspector')
const home = temporaryFolder()

function inspect(url: string, era: Era): Promise<Output> {
  mkdirSync(path.join(home, '.mcp-inspector'), { recursive: true })
  const target = ['--cli', '--server-url', url, '--transport', 'http', '--protocol-era', era]
  return runNode(
    [inspector, ...target, '--format', 'json', '--method', 'skills/list', '--verify', '--require-digests'],
    // It keeps a catalog at home.
    { env: { HOME: home } },
  )
}

const cases = kinds
  .filter(({ isUsual }) => isUsual)
  .flatMap(({ name, eras, listener }) => eras.map((era) => ({ name, era, listener })))

test.each(cases)('the MCP Inspector verifies every skill: $name, $era', async ({ era, listener }) => {
  await using server = await listen(listener(compiled))
  const { code, stdout, stderr } = await inspect(server.url, era)
  expect(stderr).toContain('no conformance errors')
  expect(code).toBe(0)
  const reports = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Report)
  expect(
    reports.map(({ uri, outcome, files }) => ({
      uri,
      outcome,
      files: files.map(({ uri, status }) => `${uri} ${status}`),
    })),
  ).toEqual(
    skills.map(({ uri, files }) => ({
      uri,
      outcome: 'verified',
      files: files.map(({ uri }) => `${uri} verified`),
    })),
  )
})

test('and it would notice one byte that differs', async () => {
  const changed: CompiledSkills = {
    ...compiled,
    load: async (group) => {
      const contents = await compiled.load(group)
      const entries = Object.entries(contents).map(async ([slot, value]) => [
        slot,
        (await value).replace('severity', 'Severity'),
      ])
      return Object.fromEntries(await Promise.all(entries)) as Record<string, string>
    },
  }
  await using server = await listen(kinds[0]!.listener(changed))
  expect((await inspect(server.url, 'modern')).code).toBe(7)
})
