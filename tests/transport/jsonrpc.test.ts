import { describe, expect, test } from 'vitest'
import { callRpc, type CallResult, type RpcContext } from '../../src/transport/jsonrpc.ts'
import type { Transport } from '../../src/transport/types.ts'
import {
  failure,
  json,
  serve,
  transportFor,
  type Handler,
  type TestServer,
  type TransportSetup,
} from './support.ts'

const id = 7
const message = { kind: 'message', messageId: 'm2', role: 'agent', parts: [{ kind: 'text', text: 'hi' }] }
const stream = { accept: 'text/event-stream' }

interface Call {
  server: TestServer
  transport: Transport
  call(more?: Partial<RpcContext>): Promise<CallResult>
}

async function agent(handler: Handler, setup: TransportSetup = {}): Promise<Call> {
  const server = await serve(handler)
  const transport = transportFor({ typedUrl: server.url, ...setup })
  return {
    server,
    transport,
    call: (more = {}) =>
      callRpc(transport, {
        url: `${server.url}/rpc`,
        call: { binding: 'JSONRPC', method: 'message/send', params: { message: {} } },
        id,
        headers: {},
        timeoutMs: 10_000,
        timeoutOption: 'requestTimeoutMs',
        ...more,
      }),
  }
}

const answering = (body: unknown, status = 200, headers: Record<string, string> = {}): Promise<Call> =>
  agent((_, response) => json(response, body, status, headers))

async function collect(result: CallResult): Promise<unknown[]> {
  if (result.kind !== 'events') throw new Error(`expected events, got ${result.kind}`)
  const events: unknown[] = []
  for await (const event of result.events) events.push(event)
  return events
}

const sse =
  (...chunks: string[]): Handler =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    for (const chunk of chunks) response.write(chunk)
    response.end()
  }
const event = (body: unknown): string => `data: ${JSON.stringify(body)}\n\n`

describe('the envelope', () => {
  test('goes out as JSON-RPC 2.0 and comes back as its result', async () => {
    const { server, call } = await answering({ jsonrpc: '2.0', id, result: message })
    const result = await call({ headers: { 'A2A-Version': '1.0' } })
    expect(result).toMatchObject({ kind: 'result', result: message, findings: [] })
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({
      jsonrpc: '2.0',
      id: 7,
      method: 'message/send',
      params: { message: {} },
    })
    expect(server.seen[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json',
      'a2a-version': '1.0',
    })
    expect(result.exchange.purpose).toBe('message/send')
  })

  test('has no params where a method has none, and a result may be left out', async () => {
    const { server, call } = await answering({ jsonrpc: '2.0', id })
    const result = await call({ call: { binding: 'JSONRPC', method: 'GetExtendedAgentCard', params: {} } })
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({
      jsonrpc: '2.0',
      id: 7,
      method: 'GetExtendedAgentCard',
    })
    expect(result).toMatchObject({ kind: 'result', result: undefined, findings: [] })
  })
})

describe('the id of a response', () => {
  test('7 for "7", and none, are warnings', async () => {
    const text = await (await answering({ jsonrpc: '2.0', id: '7', result: message })).call()
    expect(text.findings).toMatchObject([{ id: 'wire/rpc-id', level: 'warning', path: 'id' }])
    expect(text.findings[0]?.message).toContain(
      'response id "7" (string) does not equal request id 7 (number)',
    )
    const none = await (await answering({ jsonrpc: '2.0', result: message })).call()
    expect(none.findings[0]?.message).toContain('the response has no id; the request has 7 (number)')
  })

  test.each([
    [8, 'response id 8 (number) does not equal request id 7 (number)'],
    [null, 'response id null does not equal request id 7 (number)'],
  ])('%j with a result is a failure', async (wrong, text) => {
    const { call } = await answering({ jsonrpc: '2.0', id: wrong, result: message })
    const error = await failure(call())
    expect(error).toMatchObject({ name: 'A2AReplyError', code: 'BAD_REPLY', status: 200 })
    expect(error.message).toContain(text)
  })

  test('null with an error is the error', async () => {
    const { call } = await answering(
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'bad json' } },
      400,
    )
    const error = await failure(call())
    expect(error).toMatchObject({ code: 'RPC_ERROR', rpcCode: -32700, status: 400 })
    expect(error.message).toMatch(
      /^message\/send was answered with error -32700 \(ParseError\): "bad json" \(POST http:\S+\/rpc, HTTP 400\)$/,
    )
  })
})

describe('errors', () => {
  test('a JSON-RPC error counts before the HTTP status', async () => {
    const data = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND' }]
    const { call } = await answering(
      { jsonrpc: '2.0', id, error: { code: -32001, message: 'no task', data } },
      503,
    )
    const error = await failure(
      call({ call: { binding: 'JSONRPC', method: 'GetTask', params: { id: 't' } } }),
    )
    expect(error).toMatchObject({ code: 'RPC_ERROR', rpcCode: -32001, status: 503, transient: true, data })
    expect(error.message).toContain(
      'GetTask was answered with error -32001 (TaskNotFound): "no task"; data: [{',
    )
  })

  test.each([
    ['tasks/send', -32007, ''],
    ['message/send', -32007, ' (AuthenticatedExtendedCardNotConfigured)'],
    ['SendMessage', -32007, ' (ExtendedAgentCardNotConfigured)'],
    ['SendMessage', -32009, ' (VersionNotSupported)'],
    ['SendMessage', -32050, ''],
  ])('%s %i has the name of its version', async (method, code, name) => {
    const { call } = await answering({ jsonrpc: '2.0', id, error: { code, message: '' } })
    const error = await failure(call({ call: { binding: 'JSONRPC', method, params: {} } }))
    expect(error.message).toContain(`${method} was answered with error ${code}${name} without a message`)
  })

  test('401 on a streaming call: the real status, the reason and the challenge', async () => {
    const { server, call } = await answering({ error: 'token expired' }, 401, {
      'www-authenticate': 'Bearer realm="desk"',
    })
    const error = await failure(call(stream))
    expect(error).toMatchObject({ code: 'HTTP_STATUS', status: 401, transient: false })
    expect(error.message).toBe(
      `POST ${server.url}/rpc answered HTTP 401 (WWW-Authenticate: Bearer realm="desk"): "token expired"`,
    )
    expect(error['mend']).toContain('options headers or credentials')
    expect(error.message).not.toContain('event-stream')
  })

  test.each([
    [429, { 'retry-after': '5' }, /answered HTTP 429 \(Retry-After: 5\): "slow down"$/],
    [502, {}, /answered HTTP 502: "slow down"$/],
    [503, {}, /answered HTTP 503: "slow down"$/],
    [504, {}, /answered HTTP 504: "slow down"$/],
  ])('%i is transient', async (status, headers, message) => {
    const { call } = await answering({ detail: 'slow down' }, status, headers)
    const error = await failure(call())
    expect(error).toMatchObject({ code: 'HTTP_STATUS', status, transient: true })
    expect(error.message).toMatch(message)
  })

  test('404 speaks of the address and who named it', async () => {
    const { call } = await answering({ detail: 'Not Found' }, 404)
    const error = await failure(call({ addressFrom: 'supportedInterfaces[0].url' }))
    expect(error['mend']).toContain("the agent card's supportedInterfaces[0].url")
  })

  test('413 says how large the request was', async () => {
    const { call } = await agent((_, response) => void response.writeHead(413).end('Payload Too Large'))
    const bytes = Buffer.alloc(1_048_576).toString('base64')
    const parts = [{ kind: 'file', file: { bytes, mimeType: 'image/png', name: 'p.png' } }]
    const error = await failure(
      call({ call: { binding: 'JSONRPC', method: 'message/send', params: { message: { parts } } } }),
    )
    expect(error.message).toMatch(
      /answered HTTP 413 for a request of 139\d{4} bytes \(file part p\.png: 1048576 bytes before base64\): "Payload Too Large"$/,
    )
    const raw = [{ raw: 'AAAA', filename: 'q.bin' }]
    const newer = await failure(
      call({ call: { binding: 'JSONRPC', method: 'SendMessage', params: { message: { parts: raw } } } }),
    )
    expect(newer.message).toContain('(file part q.bin: 3 bytes before base64)')
  })

  test('an HTML page is named', async () => {
    const { server, call } = await agent((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<!doctype html><html><head><title>Sign in</title></head></html>')
    })
    const error = await failure(call())
    expect(error).toMatchObject({ code: 'NOT_JSON', status: 200 })
    expect(error.message).toBe(
      `POST ${server.url}/rpc answered HTTP 200 text/html with an HTML page titled "Sign in" (login page or proxy?), not with a JSON-RPC response`,
    )
  })

  test.each([
    [204, '', /answered HTTP 204 with an empty body, not with a JSON-RPC response/],
    [200, 'hello there', /answered HTTP 200 with "hello there", not with a JSON-RPC response/],
  ])('%i %j is no JSON', async (status, body, text) => {
    const { call } = await agent((_, response) => void response.writeHead(status).end(body))
    expect((await failure(call())).message).toMatch(text)
  })

  test.each([
    [[1], 'message/send was answered with a JSON array: [1]'],
    [message, 'message/send was answered with JSON that is no JSON-RPC response'],
    [
      { error: 'boom' },
      'message/send was answered with an error that is no JSON-RPC error: {"error":"boom"}',
    ],
  ])('%j is no JSON-RPC response', async (body, text) => {
    const { call } = await answering(body)
    const error = await failure(call())
    expect(error['code']).toBe('BAD_REPLY')
    expect(error.message).toContain(text)
  })

  test('base64 in an error body is not printed', async () => {
    const { call } = await answering({ message: `echo ${'QUJD'.repeat(500)}==` }, 500)
    const error = await failure(call())
    expect(error.message).toContain('"echo <2002 characters of base64>"')
  })
})

describe('tolerances', () => {
  test('wrong content type, missing version, and a result with a bad status', async () => {
    const { call } = await agent((_, response) => {
      response.writeHead(500, { 'content-type': 'text/plain' })
      response.end(JSON.stringify({ id, result: message }))
    })
    const result = await call()
    expect(result).toMatchObject({ kind: 'result', result: message })
    expect(result.findings.map((each) => each.id)).toEqual([
      'wire/content-type',
      'wire/rpc-version',
      'wire/http-status',
    ])
    expect(result.findings[0]?.message).toContain('the content type "text/plain"')
    expect(result.findings[1]?.message).toBe('the response says "jsonrpc": nothing instead of "2.0"')
  })

  test('headers that were withheld are a finding, and the mend of a 401', async () => {
    const other = await serve((request, response) =>
      request.url === '/closed'
        ? json(response, {}, 401)
        : json(response, { jsonrpc: '2.0', id, result: message }),
    )
    const { call, server } = await agent(() => {}, { headers: { authorization: 'Bearer secret' } })
    const where = { url: `${other.url}/rpc`, addressFrom: 'additionalInterfaces[0].url' }
    const { findings } = await call(where)
    expect(findings).toMatchObject([
      { id: 'wire/credentials-withheld', level: 'warning', path: 'additionalInterfaces[0].url' },
    ])
    expect(findings[0]?.message).toBe(
      `the card points to ${other.url}, another origin than ${server.url}; authorization not sent there (option trustedOrigins)`,
    )
    const error = await failure(call({ ...where, url: `${other.url}/closed` }))
    expect(error['mend']).toContain('authorization not sent there (option trustedOrigins)')
  })
})

describe('streams', () => {
  test('each event is the result of its envelope', async () => {
    const { call, server } = await agent(
      sse(
        event({ jsonrpc: '2.0', id, result: 1 }),
        ': ping\n\n',
        event({ jsonrpc: '2.0', id, result: { a: 2 } }),
      ),
    )
    const result = await call(stream)
    expect(await collect(result)).toEqual([1, { a: 2 }])
    expect(result.findings).toEqual([])
    expect(server.seen[0]?.headers.accept).toBe('text/event-stream')
    expect(result.exchange.responseBody).toContain(': ping')
  })

  test('a plain call that is answered by a stream gives events too', async () => {
    const { call } = await agent(sse(event({ jsonrpc: '2.0', id, result: message })))
    expect(await collect(await call())).toEqual([message])
  })

  test('an error as the only event', async () => {
    const { call } = await agent(
      sse(
        `event: error\n${event({ jsonrpc: '2.0', id, error: { code: -32004, message: 'streaming is off' } })}`,
      ),
    )
    const error = await failure(collect(await call(stream)))
    expect(error).toMatchObject({ code: 'RPC_ERROR', rpcCode: -32004 })
    expect(error.message).toContain('-32004 (UnsupportedOperation): "streaming is off"')
  })

  test('an error as plain JSON with HTTP 200', async () => {
    const { call } = await answering({
      jsonrpc: '2.0',
      id,
      error: { code: -32004, message: 'streaming is off' },
    })
    const error = await failure(call(stream))
    expect(error.message).toContain('-32004 (UnsupportedOperation): "streaming is off"')
    expect(error.message).toContain('answered with application/json, not text/event-stream')
  })

  test('one plain result is one event, with a warning', async () => {
    const { call } = await answering({ jsonrpc: '2.0', id, result: message })
    const result = await call(stream)
    expect(result).toMatchObject({ kind: 'result', result: message })
    expect(result.findings).toMatchObject([{ id: 'wire/stream-as-json', level: 'warning' }])
    expect(result.findings[0]?.message).toContain('answered with application/json, not text/event-stream')
  })

  test('zero events are never a success', async () => {
    const { call } = await agent(sse())
    expect((await failure(collect(await call(stream)))).message).toContain(
      'the stream ended without any event',
    )
  })

  test('a last event without its blank line is used with a warning; cut short it is a failure', async () => {
    const whole = await (await agent(sse(event({ jsonrpc: '2.0', id, result: 1 }).trimEnd()))).call(stream)
    expect(await collect(whole)).toEqual([1])
    expect(whole.findings).toMatchObject([
      {
        id: 'wire/sse-unterminated',
        level: 'warning',
        message: 'the last SSE event was not terminated by a blank line',
      },
    ])
    const cut = await (
      await agent(sse(event({ jsonrpc: '2.0', id, result: 1 }), 'data: {"jsonrpc":"2.0","res'))
    ).call(stream)
    const error = await failure(collect(cut))
    expect(error['code']).toBe('BAD_REPLY')
    expect(error.message).toContain('stream cut inside an event: …"{\\"jsonrpc\\":\\"2.0\\",\\"res"')
  })

  test('an event that is no JSON, or no response', async () => {
    const bad = await (await agent(sse('data: hello\n\n'))).call(stream)
    expect((await failure(collect(bad))).message).toMatch(
      /^event 1 of the stream of POST \S+ is not JSON: "hello"$/,
    )
    const bare = await (await agent(sse(event(message)))).call(stream)
    expect((await failure(collect(bare))).message).toContain('JSON that is no JSON-RPC response')
  })

  test('a stray id is one warning for the whole stream', async () => {
    const result = await (
      await agent(sse(event({ jsonrpc: '2.0', id: 'x', result: 1 }).repeat(3)))
    ).call(stream)
    expect(await collect(result)).toEqual([1, 1, 1])
    expect(result.findings.map((each) => each.id)).toEqual(['wire/rpc-id'])
  })

  test('hanging up ends the events without an error, and the connection', async () => {
    let closed = (): void => {}
    const gone = new Promise<void>((resolve) => (closed = resolve))
    const { call, transport } = await agent((_, response) => {
      response.on('close', closed)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(event({ jsonrpc: '2.0', id, result: 1 }))
    })
    const result = await call(stream)
    if (result.kind !== 'events') throw new Error('expected events')
    const seen: unknown[] = []
    for await (const each of result.events) {
      seen.push(each)
      result.abort()
    }
    expect(seen).toEqual([1])
    await gone
    expect(transport.exchanges[0]?.error).toBeUndefined()
  })

  test('the signal of the call ends a stream with its reason', async () => {
    const { call } = await agent((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(event({ jsonrpc: '2.0', id, result: 1 }))
    })
    const controller = new AbortController()
    const result = await call({ ...stream, signal: controller.signal })
    const reading = failure(collect(result))
    const reason = Object.assign(new Error('out of time'), { name: 'A2AConnectionError', code: 'DEADLINE' })
    controller.abort(reason)
    expect(await reading).toBe(reason)
  })

  test('a connection that breaks within a stream', async () => {
    const { call } = await agent((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(event({ jsonrpc: '2.0', id, result: 1 }), () => response.destroy())
    })
    const error = await failure(collect(await call(stream)))
    expect(error).toMatchObject({ name: 'A2AConnectionError', code: 'UNREACHABLE' })
    expect(error.message).toMatch(/^the connection broke within the answer to POST \S+, after \d+ bytes/)
  })
})
