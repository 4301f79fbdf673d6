import { expect, it } from 'vitest'
import { errorName } from '../../src/protocol/errorCodes.ts'
import { operationName } from '../../src/protocol/versions/profiles.ts'
import { findState } from '../../src/protocol/states.ts'

it('names the operations as each version does', () => {
  expect(operationName('send', { dialect: '0.1' })).toBe('tasks/send')
  expect(operationName('send', { dialect: '0.3' })).toBe('message/send')
  expect(operationName('send', { dialect: '0.3', binding: 'HTTP+JSON' })).toBe('SendMessage')
  expect(operationName('send', { dialect: '1.0' })).toBe('SendMessage')
  expect(operationName('getTask', { dialect: '0.1', binding: 'JSONRPC' })).toBe('tasks/get')
  expect(operationName('getTask', { dialect: '1.0', binding: 'HTTP+JSON' })).toBe('GetTask')
})

it('names error codes as each version defines them', () => {
  expect(errorName(-32601, '0.1')).toBe('MethodNotFound')
  expect(errorName(-32001, '0.3')).toBe('TaskNotFound')
  expect(errorName(-32007, '0.3')).toBe('AuthenticatedExtendedCardNotConfigured')
  expect(errorName(-32007, '1.0')).toBe('ExtendedAgentCardNotConfigured')
  expect(errorName(-32009, '1.0')).toBe('VersionNotSupported')
  expect(errorName(-32009, '0.3')).toBe('VersionNotSupported')
  expect(errorName(-32005, '0.1')).toBeUndefined()
  expect(errorName(-32099, '1.0')).toBeUndefined()
  expect(errorName(-32007, '0.1')).toBeUndefined()
})

it('finds the state behind a spelling', () => {
  expect(findState('TASK_STATE_AUTH_REQUIRED')).toBe('auth-required')
  expect(findState('Cancelled')).toBe('canceled')
  expect(findState('__proto__')).toBeUndefined()
  expect(findState(3)).toBeUndefined()
})
