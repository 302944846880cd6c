import { expect, test } from 'vitest'
import { claimId } from './claim.ts'
import { Session } from './session.ts'

const admin = { id: 'virtual:admin', from: 'admin/*' }

test('plugins of one build have ids of their own', () => {
  const build = {}
  const first = new Session('skills/*')
  claimId(build, first)
  claimId(build, new Session(admin))
  // Watch modes begin anew.
  claimId(build, first)
  expect(() => claimId(build, new Session('more/*'))).toThrow('two plugins have the id "virtual:skills"')
  claimId({}, new Session('more/*'))
})

test('a plugin for the macro alone asks for no id', () => {
  const build = {}
  claimId(build, new Session('skills/*'))
  expect(() => claimId(build, new Session())).not.toThrow()
})

test.each([
  ['virtual:skills', 'virtual:skills/admin'],
  ['virtual:skills/admin', 'virtual:skills'],
])('%s and %s are in one another’s way', (...ids) => {
  const build = {}
  const [first, second] = ids.map((id) => new Session({ id, from: 'skills/*' }))
  claimId(build, first!)
  expect(() => claimId(build, second!)).toThrow(
    '"virtual:skills/admin" is where "virtual:skills" has a skill',
  )
})
