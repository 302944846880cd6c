/** An agent of the AI SDK with a scripted model: two servers, one skill name. */
import { SkillHost } from '@embed-skills/client'
import { skillTools } from '@embed-skills/client/ai'
import { generateText, isStepCount, jsonSchema, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { expect, test } from 'vitest'
import { connect, rawSkill, RawServer } from './support/servers.ts'

type Result = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>

function step(content: Result['content']): Result {
  const finish = content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop'
  return {
    content,
    finishReason: { unified: finish, raw: finish },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
    warnings: [],
  }
}

let calls = 0
function use(toolName: string, input: object): Result['content'][number] {
  return { type: 'tool-call', toolCallId: `call-${++calls}`, toolName, input: JSON.stringify(input) }
}

test('S7: a model loads, reads and unloads, and the two skills of one name stay apart', async () => {
  const host = new SkillHost()
  for (const label of ['acme', 'globex']) {
    const policy = { path: 'policy.md', text: `The policy of ${label}` }
    const skill = rawSkill('refunds', [policy], { body: `The way of ${label}` })
    await host.addServer(label, await connect(new RawServer([skill]).fetch))
  }
  const acme = { server: 'acme', skill: 'refunds' }
  const globex = { server: 'globex', skill: 'skill://refunds/SKILL.md' }
  const model = new MockLanguageModelV4({
    doGenerate: [
      step([use('load_skill', acme), use('load_skill', globex)]),
      step([use('read_skill_file', { ...acme, path: 'policy.md' }), use('clock', {})]),
      step([use('unload_skill', acme)]),
      step([use('read_skill_file', { ...acme, path: 'policy.md' })]),
      step([use('load_skill', acme)]),
      step([{ type: 'text', text: 'Done' }]),
    ],
  })
  const skills = skillTools(host, { otherTools: ['clock'] })
  const { text } = await generateText({
    model,
    instructions: (await host.contexts()).text,
    prompt: 'Refund order 42',
    tools: {
      ...skills.tools,
      clock: tool({ inputSchema: jsonSchema({ type: 'object', properties: {} }), execute: () => 'noon' }),
    },
    prepareStep: skills.prepareStep,
    stopWhen: isStepCount(10),
  })
  expect(text).toBe('Done')

  const turns = model.doGenerateCalls.map(({ tools, prompt }) => ({
    tools: tools!.map(({ name }) => name).toSorted(),
    prompt: JSON.stringify(prompt),
  }))
  const idle = ['clock', 'load_skill', 'read_skill_file']
  const acting = [...idle, 'unload_skill']
  // Another skill is loaded all the while, so unloading stays possible.
  expect(turns.map(({ tools }) => tools)).toEqual([idle, acting, acting, acting, acting, acting])
  const seen = (text: string): boolean[] => turns.map(({ prompt }) => prompt.includes(text))
  expect(seen('<server>acme</server>')).toEqual([true, true, true, true, true, true])
  expect(seen('The way of acme')).toEqual([false, true, true, false, false, true])
  expect(seen('The policy of acme')).toEqual([false, false, true, false, false, false])
  expect(seen('The way of globex')).toEqual([false, true, true, true, true, true])
  expect(seen('Call load_skill first')).toEqual([false, false, false, false, true, true])
  expect(seen('noon')).toEqual([false, false, true, true, true, true])
  expect((await host.actingOn()).map(({ server }) => server)).toEqual(['globex', 'acme'])
})
