/* What many skills cost one request: as much as those on its page, and not as all of them. */
import type { CompiledSkills } from '@embed-skills/runtime'
import { createCatalog, joinSkills } from '@embed-skills/runtime'
import { defineSkill } from '@embed-skills/runtime/define'
import { expect, test, vi } from 'vitest'

/** A compiled set of so many skills. */
function many(count: number): CompiledSkills {
  const names = Array.from({ length: count }, (_, index) => `skill-${String(index).padStart(6, '0')}`)
  const row = ['SKILL.md', 'text/markdown', 1, '0'.repeat(64), 0, 't0']
  return {
    format: 1,
    skills: Object.fromEntries(
      names.map((name) => [
        `skill://many/${name}/SKILL.md`,
        JSON.stringify([{ name, description: 'One of many.' }, row]),
      ]),
    ),
    load: () => ({ t0: 'T' }),
  }
}

test('a page of a join does not compare each of its skills with all others', async () => {
  const status = defineSkill('status', { description: 'Says how it is.' }, { 'now.md': () => 'Well' })
  const catalog = createCatalog(joinSkills(many(3000), status))
  const compared = vi.spyOn(String.prototype, 'startsWith')
  const { skills, nextCursor } = await catalog.list({}, {})
  const comparisons = compared.mock.calls.length
  compared.mockRestore()
  expect([skills.length, nextCursor]).toEqual([100, skills.at(-1)!.uri])
  expect(comparisons).toBeLessThan(3000)
})
