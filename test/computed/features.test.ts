/* Tools, prompts and manifests of skills that fail: they are there, and say that something went wrong. */
import { createCatalog, handle, joinSkills } from '@embed-skills/runtime'
import { defineSkill, skillRoute } from '@embed-skills/runtime/define'
import { manifests, prompts, tools } from '@embed-skills/runtime/tools'
import { expect, test } from 'vitest'

const logger = { warn: () => {}, error: () => {} }
const features = [tools(), prompts(), manifests()]
const catalog = createCatalog(
  joinSkills(
    defineSkill(
      'broken',
      { description: 'Has a file that fails.' },
      {
        'file.md': () => {
          throw new Error('secret')
        },
      },
    ),
    skillRoute('failing', () => {
      throw new Error('secret')
    }),
  ),
  { logger },
)
const ask = (method: string, params: object): Promise<any> =>
  handle(catalog, method, params as Record<string, unknown>, { features })

test.each([
  ['a file that fails', 'resources/read', { uri: 'skill://broken/file.md' }, -32603],
  ['a file that is not there', 'resources/read', { uri: 'skill://broken/none.md' }, -32602],
  ['the manifest of a skill that fails', 'resources/read', { uri: 'skill://failing/_manifest' }, -32603],
  ['the manifest of none', 'resources/read', { uri: 'skill://none/_manifest' }, -32602],
  ['a prompt that fails', 'prompts/get', { name: 'failing' }, -32603],
  ['a prompt that is not there', 'prompts/get', { name: 'none' }, -32602],
])('%s: %s %o is %d', async (_, method, params, code) => {
  await expect(ask(method, params)).rejects.toMatchObject({ code })
})

test.each([
  ['load_skill', { skill: 'failing' }, 'Internal error'],
  ['load_skill', { skill: 'none' }, 'There is no skill none'],
  ['read_skill_file', { skill: 'broken', file: 'file.md' }, 'Internal error'],
  ['read_skill_file', { skill: 'broken', file: 'none.md' }, 'Not found: skill://broken/none.md'],
])('%s %o: %s', async (name, given, said) => {
  const { content, isError } = await ask('tools/call', { name, arguments: given })
  expect([isError, content[0].text]).toEqual([true, expect.stringContaining(said)])
  expect(content[0].text).not.toContain('secret')
})
