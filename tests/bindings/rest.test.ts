import { describe, expect, test } from 'vitest'
import type { CallContext } from '../../src/bindings/binding.ts'
import { callAgent } from '../../src/bindings/call.ts'
import { joinRest } from '../../src/bindings/rest.ts'
import type { CallResult } from '../../src/http/answers.ts'
import { failure, json, serve, transportFor, type Handler } from '../http/support.ts'

async function agent(handler: Handler) {
  const server = await serve(handler)
  const transport = transportFor({ typedUrl: server.url })
  return {
    server,
    call: (more: Partial<CallContext> = {}): Promise<CallResult> =>
      callAgent(transport, {
        dialect: '1.0',
        id: 7,
        url: `${server.url}/a2a`,
        call: {
          binding: 'HTTP+JSON',
          verb: 'POST',
          path: '/message:send',
          method: 'SendMessage',
          body: { message: {} },
        },
        headers: {},
        timeoutMs: 10_000,
        timeoutOption: 'requestTimeoutMs',
        ...more,
      }),
  }
}

const answering = (body: unknown, status: number, headers = {}) =>
  agent((_, response) => json(response, body, status, headers))

test.each([
  ['0.3', 'AuthenticatedExtendedCardNotConfigured'],
  ['1.0', 'ExtendedAgentCardNotConfigured'],
] as const)('an error code has the name of its version: %s', async (dialect, name) => {
  const { call } = await answering({ code: -32007, message: 'none' }, 404)
  const error = await failure(call({ dialect }))
  expect(error.message).toContain(`SendMessage was answered with error -32007 (${name}): "none"`)
})

describe('the address', () => {
  test.each([
    ['http://h/a2a', '/message:send', 'http://h/a2a/message:send'],
    ['http://h/a2a/', '/message:send', 'http://h/a2a/message:send'],
    ['http://h', '/v1/tasks/1', 'http://h/v1/tasks/1'],
    ['http://h/', 'v1/card', 'http://h/v1/card'],
    ['http://h/v1', '/v1/card', 'http://h/v1/card'],
    ['http://h/api/v1/', '/v1/message:send', 'http://h/api/v1/message:send'],
    ['http://h/v1', '/message:send', 'http://h/v1/message:send'],
    ['http://h/v1', '/v10/x', 'http://h/v1/v10/x'],
    ['http://h/a?key=1', '/tasks/1', 'http://h/a/tasks/1?key=1&historyLength=0'],
    ['not an address', '/tasks/1', 'not an address'],
  ])('%s + %s', (base, path, expected) => {
    const query = expected.includes('historyLength') ? { historyLength: '0' } : {}
    expect(joinRest(base, path, query)).toBe(expected)
  })
})

describe('a call', () => {
  test('POST has a JSON body, GET has none', async () => {
    const { server, call } = await answering({ task: { id: 't' } }, 201)
    expect(await call()).toMatchObject({ kind: 'result', result: { task: { id: 't' } }, findings: [] })
    await call({
      call: {
        binding: 'HTTP+JSON',
        verb: 'GET',
        path: '/tasks/t',
        method: 'GetTask',
        query: { historyLength: '2' },
      },
    })
    await call({
      call: { binding: 'HTTP+JSON', verb: 'POST', path: '/tasks/t:cancel', method: 'CancelTask' },
    })
    expect(server.seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['POST', '/a2a/message:send', '{"message":{}}'],
      ['GET', '/a2a/tasks/t?historyLength=2', ''],
      ['POST', '/a2a/tasks/t:cancel', '{}'],
    ])
    expect(server.seen[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/a2a+json, application/json',
    })
    expect(server.seen[1]?.headers).not.toHaveProperty('content-type')
  })

  test('204 is an empty result; a2a+json is JSON', async () => {
    const { call } = await agent((request, response) => {
      if (request.method === 'DELETE') return void response.writeHead(204).end()
      json(response, {}, 200, { 'content-type': 'application/a2a+json' })
    })
    const gone = await call({
      call: { binding: 'HTTP+JSON', verb: 'DELETE', path: '/tasks/t', method: 'Delete' },
    })
    expect(gone).toMatchObject({ kind: 'result', result: undefined, findings: [] })
    expect((await call()).findings).toEqual([])
  })

  test('a page instead of JSON', async () => {
    const { call } = await agent((_, response) => void response.end('<html><body>hi'))
    const error = await failure(call())
    expect(error['code']).toBe('NOT_JSON')
    expect(error.message).toContain('an HTML page (login page or proxy?), not with the JSON of SendMessage')
  })
})

describe('errors', () => {
  const info = (reason: string, domain?: string) => ({
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    ...(domain === undefined ? {} : { domain }),
  })

  test.each([
    [
      'google.rpc.Status',
      404,
      {
        error: {
          code: 404,
          status: 'NOT_FOUND',
          message: 'no task t-1',
          details: [{ x: 1 }, info('TASK_NOT_FOUND', 'a2a-protocol.org')],
        },
      },
      -32001,
      'TaskNotFound): "no task t-1"',
    ],
    [
      'google.rpc.Status without its wrapping',
      400,
      { code: 400, message: 'old', details: [info('VERSION_NOT_SUPPORTED')] },
      -32009,
      'VersionNotSupported): "old"',
    ],
    [
      'problem+json',
      409,
      {
        type: 'https://a2a-protocol.org/errors/task-not-cancelable',
        title: 'Cannot',
        detail: 'done already',
      },
      -32002,
      'TaskNotCancelable): "done already"',
    ],
    [
      '0.3 JavaScript',
      404,
      { code: -32001, message: 'Task not found: t' },
      -32001,
      'TaskNotFound): "Task not found: t"',
    ],
    ['0.3 Python 404', 404, { message: 'Task not found' }, -32001, 'TaskNotFound): "Task not found"'],
    ['0.3 Python 409', 409, { message: 'no' }, -32002, 'TaskNotCancelable): "no"'],
    ['0.3 Python 422', 422, { message: 'bad' }, -32602, 'InvalidParams): "bad"'],
    [
      'JSON-RPC',
      200,
      { jsonrpc: '2.0', id: null, error: { code: -32601, message: 'what?' } },
      -32601,
      'MethodNotFound): "what?"',
    ],
  ])('%s', async (_name, status, body, code, text) => {
    const { call, server } = await answering(body, status)
    const error = await failure(call())
    expect(error).toMatchObject({ name: 'A2AReplyError', code: 'RPC_ERROR', rpcCode: code, status })
    expect(error.message).toContain(`SendMessage was answered with error ${code} (${text}`)
    expect(error.message).toContain(`${server.url}/a2a/message:send`)
  })

  test.each([
    [
      'a foreign domain',
      404,
      { error: { code: 404, message: 'm', details: [info('TASK_NOT_FOUND', 'other.example')] } },
      '"m"',
    ],
    ["a framework's 404", 404, { detail: 'Not Found' }, '"Not Found"'],
    ['a 404 that speaks of no task', 404, { message: 'Not Found' }, '"Not Found"'],
    [
      'a status alone',
      400,
      { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'bad field' } },
      '"bad field"',
    ],
  ])('%s is not an A2A error', async (_name, status, body, text) => {
    const { call } = await answering(body, status)
    const error = await failure(call())
    expect(error).toMatchObject({ code: 'HTTP_STATUS', status, data: body })
    expect(error['rpcCode']).toBeUndefined()
    expect(error.message).toMatch(new RegExp(`answered HTTP ${status}: ${text}$`))
  })

  test('401 and 503 keep their headers', async () => {
    const closed = await answering({}, 401, { 'www-authenticate': 'Basic realm="x"' })
    expect((await failure(closed.call())).message).toContain('HTTP 401 (WWW-Authenticate: Basic realm="x")')
    const busy = await answering({}, 503, { 'retry-after': '9' })
    expect(await failure(busy.call())).toMatchObject({ transient: true })
  })
})

describe('streams', () => {
  const stream = { accept: 'text/event-stream' }
  const streaming = (text: string) =>
    agent((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(text)
    })
  const collect = async (result: CallResult): Promise<unknown[]> => {
    if (result.kind !== 'events') throw new Error('expected events')
    const events: unknown[] = []
    for await (const event of result.events) events.push(event)
    return events
  }

  test('each event is the body', async () => {
    const { call } = await streaming('data: {"task":{"id":"t"}}\n\ndata: {\ndata: "statusUpdate": {}}\n\n')
    expect(await collect(await call(stream))).toEqual([{ task: { id: 't' } }, { statusUpdate: {} }])
  })

  test('an error within the stream, with and without a reason', async () => {
    const known = await streaming(
      'event: error\ndata: {"error":{"code":500,"message":"m","details":[{"reason":"UNSUPPORTED_OPERATION"}]}}\n\n',
    )
    expect(await failure(collect(await known.call(stream)))).toMatchObject({
      code: 'RPC_ERROR',
      rpcCode: -32004,
    })
    const unknown = await streaming('event: error\ndata: {"error":{"code":500,"message":"boom"}}\n\n')
    const error = await failure(collect(await unknown.call(stream)))
    expect(error['code']).toBe('RPC_ERROR')
    expect(error.message).toMatch(/^SendMessage failed within its stream: "boom" \(POST /)
  })

  test('a plain answer is one event with a warning', async () => {
    const { call } = await answering({ task: {} }, 200)
    const result = await call(stream)
    expect(result).toMatchObject({ kind: 'result', result: { task: {} } })
    expect(result.findings.map(({ id }) => id)).toEqual(['wire/stream-as-json'])
  })
})
