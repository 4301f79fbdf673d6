import { describe, expect, test } from 'vitest'
import { readAnswer } from '../../../src/checks/access/readAnswer.ts'
import type { ProbeAnswer } from '../../../src/client/probe/types.ts'

const answer = (status: number, body: unknown, mediaType = 'application/json'): ProbeAnswer =>
  ({ status, mediaType, text: typeof body === 'string' ? body : JSON.stringify(body) }) as ProbeAnswer
const rpc = (code: number, message: string): object => ({ jsonrpc: '2.0', id: 1, error: { code, message } })
const google = (code: number, status: string, message: string, reason?: string): object => ({
  error: { code, status, message, ...(reason !== undefined && { details: [{ reason }] }) },
})

describe('over JSON-RPC', () => {
  test.each([
    [401, rpc(-32000, 'Authentication required'), 'refused'],
    [403, '', 'refused'],
    [200, rpc(-32000, 'Authentication required'), 'refused-in-body'],
    [200, rpc(-32603, 'Unauthorized'), 'refused-in-body'],
    [500, rpc(-32000, 'Invalid API key'), 'refused-in-body'],
    [200, rpc(-32001, 'Unauthorized'), 'refused-in-body'],
    [200, rpc(-32001, 'Task not found'), 'served'],
    [200, rpc(-32001, 'Task not found or permission denied'), 'served'],
    [500, rpc(-32009, 'Unsupported version'), 'served'],
    [200, rpc(-32602, 'Invalid params'), 'served'],
    [200, rpc(-32601, 'Method not found'), 'unknown'],
    [404, rpc(-32601, 'Method not found: tasks/get'), 'unknown'],
    [200, { jsonrpc: '2.0', id: 1, result: {} }, 'served'],
    [200, '<title>Log in</title>', 'odd'],
    [200, '', 'odd'],
    [400, { error: 'bad request' }, 'odd'],
    [502, 'bad gateway', 'odd'],
    [404, 'no route', 'unknown'],
    [405, '', 'unknown'],
  ])('%i %j is %s', (status, body, kind) => {
    expect(readAnswer(answer(status, body)).kind).toBe(kind)
  })
})

describe('over HTTP+JSON', () => {
  test.each([
    [404, google(404, 'NOT_FOUND', 'Task not found', 'TASK_NOT_FOUND'), 'served'],
    [404, google(404, 'NOT_FOUND', 'No such route'), 'unknown'],
    [404, { error: 'not found' }, 'unknown'],
    [400, google(400, 'INVALID_ARGUMENT', 'message is missing'), 'served'],
    [400, google(400, 'UNAUTHENTICATED', 'who are you'), 'refused-in-body'],
    [500, google(500, 'PERMISSION_DENIED', 'no'), 'refused-in-body'],
    [404, { type: 'TaskNotFoundError', message: 'no' }, 'served'],
    [404, { code: -32001, message: 'Task not found' }, 'served'],
    [404, { type: 'https://a2a-protocol.org/errors/task-not-found', title: 'Task not found' }, 'served'],
    [401, { type: 'about:blank' }, 'refused'],
    [200, { id: 't1', status: {} }, 'served'],
  ])('%i %j is %s', (status, body, kind) => {
    expect(readAnswer(answer(status, body)).kind).toBe(kind)
  })
})

describe('a stream', () => {
  const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n`
  test.each([
    [': ping\n\n' + data(rpc(-32000, 'Invalid token')) + '\n', 'refused-in-body'],
    [
      data({ jsonrpc: '2.0', id: 1, result: {} }) + '\n' + data(rpc(-32000, 'Invalid token')) + '\n',
      'served',
    ],
    ['', 'served'],
  ])('%j is %s', (text, kind) => {
    const read = readAnswer(answer(200, text, 'text/event-stream'))

    expect(read.kind).toBe(kind)
    expect(read.description).toContain('HTTP 200 and an event stream')
  })
})
