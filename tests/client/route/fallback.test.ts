import { describe, expect, test } from 'vitest'
import {
  dialectOrder,
  fallbackFinding,
  provesMethodUnknown,
  provesParseRejection,
} from '../../../src/client/route/fallback.ts'
import { A2AConnectionError, A2APolicyError, A2AReplyError } from '../../../src/core/errors.ts'
import type { AgentInterface, Dialect } from '../../../src/protocol/model.ts'

const rpc = (rpcCode: number, more: { message?: string; data?: unknown; status?: number } = {}) =>
  new A2AReplyError('RPC_ERROR', more.message ?? 'no', { rpcCode, ...more })
const http = (status: number) => new A2AReplyError('HTTP_STATUS', `HTTP ${status}`, { status })
const at = (method: string, dialect: Dialect = '0.3') => ({ method, dialect })

/** What a server with a pydantic union reports for each member that it tried. */
const literal = (member: string) => ({ type: 'literal_error', loc: [member, 'method'], input: 'SendMessage' })
const missing = (member: string) => ({ type: 'missing', loc: [member, 'params', 'message'] })

describe('another dialect is tried only on proof that the method is unknown', () => {
  test.each([
    ['-32601, whatever the HTTP status', rpc(-32601, { status: 500 })],
    ['-32009', rpc(-32009)],
    ['HTTP 404', http(404)],
    ['HTTP 405', http(405)],
    ['HTTP 501', http(501)],
    ['-32600 that names the method', rpc(-32600, { message: 'Unknown method: SendMessage' })],
    ['-32600 with a tag of no union', rpc(-32600, { data: [{ type: 'union_tag_invalid', loc: [] }] })],
    [
      '-32600 where no union member has the method',
      rpc(-32600, { data: [literal('A'), missing('A'), literal('B')] }),
    ],
  ])('%s', (_, error) => {
    expect(provesMethodUnknown(error, at('SendMessage', '1.0'))).toBe(true)
  })

  test.each([
    ['-32602', rpc(-32602, { message: 'bad params for SendMessage' })],
    ['-32603', rpc(-32603)],
    ['-32001', rpc(-32001, { status: 404 })],
    ['-32600 about something else', rpc(-32600, { message: 'Invalid JSON-RPC 2.0 request' })],
    ['-32600 where one union member has the method', rpc(-32600, { data: [literal('A'), missing('B')] })],
    ['HTTP 500', http(500)],
    ['HTTP 502', http(502)],
    ['HTTP 503', http(503)],
    ['HTTP 401', http(401)],
    ['HTTP 400', http(400)],
    ['a time-out', new A2AConnectionError('TIMEOUT', 'late')],
    ['no connection', new A2AConnectionError('UNREACHABLE', 'refused')],
    ['a refusal of ours', new A2APolicyError('REFUSED_BY_POLICY', 'no')],
    ['a bug', new TypeError('x')],
  ])('never on %s', (_, error) => {
    expect(provesMethodUnknown(error, at('SendMessage', '1.0'))).toBe(false)
  })

  test('-32009 of an 0.1 agent is about the state of a task', () => {
    expect(provesMethodUnknown(rpc(-32009), at('tasks/send', '0.1'))).toBe(false)
  })
})

test.each([
  [rpc(-32602, { status: 400 }), true],
  [rpc(-32600), true],
  [rpc(-32700, { status: 400 }), true],
  [new A2AReplyError('HTTP_STATUS', 'HTTP 400', { status: 400, data: 'unknown field "content"' }), true],
  [http(400), false],
  [http(500), false],
  [rpc(-32602, { status: 500 }), false],
  [rpc(-32603), false],
])('the other body of 0.3 REST is sent only on proof of a parse rejection (%#)', (error, proof) => {
  expect(provesParseRejection(error)).toBe(proof)
})

const one = (dialect: Dialect, more: Partial<AgentInterface> = {}): AgentInterface => ({
  url: 'http://127.0.0.1:4100/rpc',
  binding: 'JSONRPC',
  dialect,
  ...more,
})

test.each([
  [one('1.0'), ['1.0', '0.3', '0.1']],
  [one('0.3', { path: 'url' }), ['0.3', '0.1', '1.0']],
  [one('0.3', { path: 'supportedInterfaces[0]' }), ['0.3', '1.0', '0.1']],
  [one('0.1'), ['0.1', '0.3', '1.0']],
  [one('1.0', { binding: 'http+json' }), ['1.0', '0.3']],
  [one('0.3', { binding: 'HTTP+JSON' }), ['0.3', '1.0']],
])('order of dialects (%#)', (of, order) => {
  expect(dialectOrder(of, false)).toEqual(order)
  expect(dialectOrder(of, true)).toEqual([of.dialect])
})

describe('the finding of a fallback', () => {
  test('says what the card should declare (B02)', () => {
    const declared = one('0.3', { version: '0.3', path: 'supportedInterfaces[0]' })
    const failed = [{ interface: declared, method: 'message/send', error: rpc(-32601) }]

    expect(fallbackFinding(failed, { interface: one('1.0'), method: 'SendMessage' })).toMatchObject({
      id: 'wire/fallback',
      level: 'warning',
      path: 'supportedInterfaces[0]',
      message: 'card says 0.3, but message/send → -32601 and SendMessage works: declare protocolVersion 1.0',
    })
  })

  test('says that an agent speaks 0.1 (C05)', () => {
    const failed = [
      { interface: one('0.3'), method: 'message/send', error: http(404) },
      { interface: one('1.0'), method: 'SendMessage', error: http(404) },
    ]

    expect(fallbackFinding(failed, { interface: one('0.1'), method: 'tasks/send' })?.message).toBe(
      'the card is read as 0.3, but message/send → HTTP 404 and tasks/send works: the agent speaks 0.1',
    )
  })

  test('is missing when the first attempt worked', () => {
    expect(fallbackFinding([], { interface: one('1.0'), method: 'SendMessage' })).toBeUndefined()
  })
})
