import { expect, test } from 'vitest'
import { idFilter, moduleId, resolvedId } from './ids.ts'

test.each(['virtual:skills', 'virtual:skills/acme/refunds', 'virtual:skills/~/refunds', 'virtual:skills?x'])(
  '%s is ours, resolved or not',
  (id) => {
    const filter = idFilter('virtual:skills')
    expect(filter.test(id)).toBe(true)
    expect(filter.test(resolvedId(id))).toBe(true)
  },
)

test.each([
  'virtual:skills-admin',
  'virtual:skillset',
  'x/virtual:skills',
  'virtual-skills',
  './virtual:skills',
])('%s is not ours', (id) => {
  expect(idFilter('virtual:skills').test(id)).toBe(false)
})

test('an id of one’s own is taken by the letter', () => {
  const filter = idFilter('virtual:skills.admin+(x)')
  expect(filter.test('virtual:skills.admin+(x)/a')).toBe(true)
  expect(filter.test('virtual:skillsXadmin+(x)')).toBe(false)
})

test('what is resolved stays as it is, for bundlers that ask again', () => {
  expect(resolvedId(resolvedId('virtual:skills'))).toBe('\0virtual:skills')
})

test('a query of the bundler’s own is no part of the module', () => {
  expect(moduleId('\0virtual:skills/a?rolldown-lazy=1')).toBe('virtual:skills/a')
  expect(moduleId('virtual:skills')).toBe('virtual:skills')
})
