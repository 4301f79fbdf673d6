import { describe, expect, test } from 'vitest'
import { agent, answering, id, message, stream } from './rpcAgent.ts'
import { failure, json, serve } from '../http/support.ts'

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
    ['0.1', 'tasks/send', -32007, ''],
    ['0.3', 'message/send', -32007, ' (AuthenticatedExtendedCardNotConfigured)'],
    ['1.0', 'SendMessage', -32007, ' (ExtendedAgentCardNotConfigured)'],
    ['1.0', 'SendMessage', -32009, ' (VersionNotSupported)'],
    ['1.0', 'SendMessage', -32050, ''],
  ] as const)('%s: %s %i has the name of its version', async (dialect, method, code, name) => {
    const { call } = await answering({ jsonrpc: '2.0', id, error: { code, message: '' } })
    const error = await failure(call({ dialect, call: { binding: 'JSONRPC', method, params: {} } }))
    expect(error.message).toContain(`${method} was answered with error ${code}${name} without a message`)
  })

  test('401 on a streaming call: the real status, the reason and the challenge', async () => {
    const { server, call } = await answering({ error: 'token expired' }, 401, {
      'www-authenticate': 'Bearer realm="helpdesk"',
    })
    const error = await failure(call(stream))
    expect(error).toMatchObject({ code: 'HTTP_STATUS', status: 401, transient: false })
    expect(error.message).toBe(
      `POST ${server.url}/rpc answered HTTP 401 (WWW-Authenticate: Bearer realm="helpdesk"): "token expired"`,
    )
    expect(error['fix']).toContain('options headers or credentials')
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
    expect(error['fix']).toContain("the agent card's supportedInterfaces[0].url")
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
  ])('%i %j is not JSON', async (status, body, text) => {
    const { call } = await agent((_, response) => void response.writeHead(status).end(body))
    expect((await failure(call())).message).toMatch(text)
  })

  test.each([
    [[1], 'message/send was answered with a JSON array: [1]'],
    [message, 'message/send was answered with JSON that is not a JSON-RPC response'],
    [
      { error: 'boom' },
      'message/send was answered with an error that is not a JSON-RPC error: {"error":"boom"}',
    ],
  ])('%j is not a JSON-RPC response', async (body, text) => {
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

  test('headers that were withheld are a finding, and the fix of a 401', async () => {
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
      `the card points to ${other.url}, a different origin from ${server.url}; authorization not sent there (option trustedOrigins)`,
    )
    const error = await failure(call({ ...where, url: `${other.url}/closed` }))
    expect(error['fix']).toContain('authorization not sent there (option trustedOrigins)')
  })
})
