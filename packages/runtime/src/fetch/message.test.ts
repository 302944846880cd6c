import { expect, test } from 'vitest'
import { isMessage, isRequest } from './message.ts'

test.each([
  [{ jsonrpc: '2.0', id: 1, method: 'ping' }, true],
  [{ jsonrpc: '2.0', id: 'a', method: 'ping', params: {} }, true],
  [{ jsonrpc: '2.0', method: 'notifications/initialized' }, false],
  [{ jsonrpc: '2.0', id: 1, result: {} }, false],
])('%j is a message, and to be answered: %s', (value, answered) => {
  expect(isMessage(value)).toBe(true)
  expect(isRequest(value)).toBe(answered)
})

test.each([
  null,
  undefined,
  7,
  'ping',
  [],
  {},
  { jsonrpc: '1.0', id: 1, method: 'ping' },
  { jsonrpc: '2.0', id: null, method: 'ping' },
  { jsonrpc: '2.0', id: 1.5, method: 'ping' },
  { jsonrpc: '2.0', id: {}, method: 'ping' },
  { jsonrpc: '2.0', id: 1, method: 7 },
  { jsonrpc: '2.0', id: 1, method: 'ping', params: [] },
  { jsonrpc: '2.0', id: 1, method: 'ping', params: null },
  { jsonrpc: '2.0', id: 1, method: 'ping', params: 'x' },
])('%j is no message', (value) => {
  expect(isMessage(value)).toBe(false)
  expect(isRequest(value)).toBe(false)
})
