import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import type { CompiledSkill } from '@embed-skills/compiler'
import { compile } from '@embed-skills/compiler'
import { serveSkills } from '@embed-skills/runtime/fetch'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { expect, test } from 'vitest'
import { verify } from '../../playground/worker/verify.ts'
import { importSkills } from '../support/modules.ts'

const root = path.join(import.meta.dirname, '../../playground/worker')
const { skills } = await compile(['skills/**', { from: 'billing/*', prefix: 'acme/billing' }], { root })

async function differencesOf(served: readonly CompiledSkill[]): Promise<string[]> {
  const { fetch } = serveSkills(await importSkills(served), { name: 'demo', version: '1.0.0' })
  const client = new Client({ name: 'demo', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  const url = new URL('http://localhost/')
  await client.connect(
    new StreamableHTTPClientTransport(url, { fetch: (to, init) => fetch(new Request(to, init)) }),
  )
  const reports = await verify(new SkillsClient(client), root)
  await client.close()
  return reports.flatMap(({ differences }) => differences)
}

function changed(file: string, change: (bytes: Buffer) => Uint8Array): CompiledSkill[] {
  return skills.map((skill) => ({
    ...skill,
    files: skill.files.map((held) =>
      held.uri.endsWith(file) ? { ...held, bytes: change(Buffer.from(held.bytes)) } : held,
    ),
  }))
}

test('the demo verifies every file of the Worker in workerd', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['demo.ts'], { cwd: root })
  const files = skills.flatMap((skill) => skill.files).length
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(`verified ${skills.length} skills, ${files} files`)
}, 60_000)

test('the demo finds no difference where there is none', async () => {
  expect(await differencesOf(skills)).toEqual([])
})

test('the demo names a file of which one byte is another', async () => {
  const differences = await differencesOf(changed('assets/palette.bin', (bytes) => bytes.fill(1, 0, 1)))
  expect(differences).toEqual([expect.stringContaining('skill://brand-kit/assets/palette.bin has digest')])
})

test('the demo names a file that lost its BOM', async () => {
  const differences = await differencesOf(changed('scripts/collect.ps1', (bytes) => bytes.subarray(3)))
  expect(differences).toEqual([expect.stringContaining('skill://windows-support/scripts/collect.ps1')])
})

test('the demo names a file that is not served, and a skill that is not listed', async () => {
  const without = skills
    .filter(({ path }) => path !== 'brand-kit')
    .map((skill) => ({ ...skill, files: skill.files.filter(({ path }) => path !== 'references/policy.md') }))
  expect(await differencesOf(without)).toEqual([
    expect.stringContaining('billing/refunds/references/policy.md is not served'),
    'brand-kit is not listed',
  ])
})
