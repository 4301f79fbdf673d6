import { expect, it } from 'vitest'
import { errorName, methodName, sendMethodName } from '../../src/protocol/names.ts'
import { findState } from '../../src/protocol/states.ts'

it('names the operations as each version does', () => {
  expect(sendMethodName('0.1')).toBe('tasks/send')
  expect(sendMethodName('0.3')).toBe('message/send')
  expect(sendMethodName('0.3', 'HTTP+JSON')).toBe('SendMessage')
  expect(sendMethodName('1.0')).toBe('SendMessage')
  expect(methodName('getTask', { dialect: '0.1', binding: 'JSONRPC' })).toBe('tasks/get')
  expect(methodName('getTask', { dialect: '1.0', binding: 'HTTP+JSON' })).toBe('GetTask')
})

it('names error codes as each version defines them', () => {
  expect(errorName(-32601, '0.1')).toBe('MethodNotFound')
  expect(errorName(-32001, '0.3')).toBe('TaskNotFound')
  expect(errorName(-32007, '0.3')).toBe('AuthenticatedExtendedCardNotConfigured')
  expect(errorName(-32007, '1.0')).toBe('ExtendedAgentCardNotConfigured')
  expect(errorName(-32009, '1.0')).toBe('VersionNotSupported')
  expect(errorName(-32009, '0.3')).toBeUndefined()
  expect(errorName(-32007, '0.1')).toBeUndefined()
})

it('finds the state behind a spelling', () => {
  expect(findState('TASK_STATE_AUTH_REQUIRED')).toBe('auth-required')
  expect(findState('Cancelled')).toBe('canceled')
  expect(findState('__proto__')).toBeUndefined()
  expect(findState(3)).toBeUndefined()
})
