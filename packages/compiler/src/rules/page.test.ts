import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { compileExample } from '../testing/example.ts'
import { broken, lines } from '../testing/tree.ts'
import { rules } from './index.ts'
import { rulePage, rulesPage } from './page.ts'

const docs = path.resolve(import.meta.dirname, '../../../../docs/rules')

describe.each(rules)('$id', (rule) => {
  test('its bad example breaks it, and no other rule', async () => {
    const result = await compileExample(rule.bad)
    expect([...new Set(broken(result))]).toEqual([rule.id])
    for (const { message, help } of result.diagnostics) {
      expect(message).not.toMatch(/undefined|\n|\.$/)
      expect(help).toMatch(/\S/)
    }
  })

  test('its good example breaks none', async () => {
    const result = await compileExample(rule.good)
    expect(lines(result)).toEqual([])
    expect(result.skills.length).toBeGreaterThan(0)
  })

  // Written anew by `vitest -u`.
  test('its page is up to date', async () => {
    await expect(rulePage(rule)).toMatchFileSnapshot(path.join(docs, `${rule.id}.md`))
  })
})

test('the list of rules is up to date', async () => {
  await expect(rulesPage()).toMatchFileSnapshot(path.join(docs, 'README.md'))
})
