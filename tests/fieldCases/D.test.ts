import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import type { Fixture, FixtureExchange } from '../support/fixtureServer.ts'
import { entry, fixture, open } from './scene.ts'

// The fixtures answer message/stream; here a plain message/send gets the same answers, for this client does not ask for streams.
function asSend(id: string, change: Partial<FixtureExchange> = {}): Fixture {
  const scene = fixture(id)
  const answer = entry(scene, 'message/stream')
  if (Object.keys(change).length > 0) {
    for (const key of ['status', 'headers', 'json', 'text', 'sse']) delete answer[key]
  }
  Object.assign(answer, { rpc: 'message/send' }, change)
  return scene
}
const rpcError = (code: number, message: string) => ({
  json: { jsonrpc: '2.0', id: '$id', error: { code, message } },
})

describe('D01 an HTTP error', () => {
  test('reports its status, its reason, the server and what it asks for', async () => {
    await using helpdesk = await open(asSend('D01'))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toPassSmokeCheck())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain(
      'Received: POST http://127.0.0.1:4100/rpc answered HTTP 401 (WWW-Authenticate: Bearer realm="helpdesk"): "token expired"',
    )
    expect(failure).toContain('"method":"message/send"')
    expect(failure).not.toContain('event-stream')
  })

  test.each([
    [
      '500 with a JSON-RPC error body',
      { status: 500, ...rpcError(-32603, 'boom') },
      'message/send was answered with error -32603 (InternalError): "boom" (POST http://127.0.0.1:4100/rpc, HTTP 500)',
    ],
    [
      '502 text/html from a proxy',
      {
        status: 502,
        headers: { 'content-type': 'text/html' },
        text: '<html><title>Bad Gateway</title></html>',
      },
      'POST http://127.0.0.1:4100/rpc answered HTTP 502: an HTML page titled "Bad Gateway" (login page or proxy?)',
    ],
    [
      '429 with retry-after: 5',
      { status: 429, headers: { 'retry-after': '5' }, text: 'slow down' },
      'POST http://127.0.0.1:4100/rpc answered HTTP 429 (Retry-After: 5): "slow down"',
    ],
    [
      '204 without a body',
      { status: 204 },
      'POST http://127.0.0.1:4100/rpc answered HTTP 204 with an empty body, not with a JSON-RPC response',
    ],
  ])('%s', async (_what, answer, says) => {
    await using helpdesk = await open(asSend('D01', answer))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toPassSmokeCheck())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain(`Received: ${says}`)
    expect(failure).not.toContain('event-stream')
    expect(helpdesk.methods()).toEqual(['message/send'])
  })

  test.each([
    [429, true],
    [502, true],
    [503, true],
    [504, true],
    [401, false],
    [500, false],
  ])('%i is marked transient: %s', async (status, transient) => {
    await using helpdesk = await open(asSend('D01', { status, text: 'busy' }))

    await expect(helpdesk.agent().send('ping')).rejects.toMatchObject({ status, transient })
  })
})

describe('D02 a JSON-RPC error with HTTP 200', () => {
  test('is reported, not an empty success', async () => {
    await using helpdesk = await open(asSend('D02'))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toPassSmokeCheck())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain('error -32004 (UnsupportedOperation): "streaming is off"')
  })

  test('also as the only event of a stream', async () => {
    const error = JSON.stringify(entry(fixture('D02'), 'message/stream').json)
    await using helpdesk = await open(asSend('D02', { sse: [`data: ${error}\n\n`] }))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toPassSmokeCheck())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain('error -32004 (UnsupportedOperation): "streaming is off"')
  })

  test('an event stream with an empty body is not a reply', async () => {
    await using helpdesk = await open(asSend('D02', { sse: [''] }))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toPassSmokeCheck())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain('the stream ended without any event')
  })
})

describe('D04 error codes are read correctly', () => {
  const probes = fixture('D04')['probes'] as { expect: number }[]
  const names: Record<number, string> = {
    [-32700]: 'ParseError',
    [-32601]: 'MethodNotFound',
    [-32602]: 'InvalidParams',
    [-32001]: 'TaskNotFound',
    [-32009]: 'VersionNotSupported',
  }
  /** An agent of 1.0 that answers everything in this way. */
  const answering = (answer: Partial<FixtureExchange>): Fixture => ({
    exchange: [
      { on: 'GET /.well-known/agent-card.json', json: '$CARD10' },
      { on: 'POST /rpc', times: '*', ...answer },
    ],
  })

  test.each(probes.flatMap(({ expect: code }) => [200, 400, 500].map((status) => [code, status] as const)))(
    '%i with HTTP %i',
    async (code, status) => {
      await using helpdesk = await open(answering({ status, ...rpcError(code, 'no') }))

      await expect(helpdesk.agent().send('ping')).rejects.toMatchObject({
        code: 'RPC_ERROR',
        rpcCode: code,
        status,
      })
      expect(await helpdesk.failure(() => expect(helpdesk.url).toPassSmokeCheck())).toContain(
        `SendMessage was answered with error ${code} (${names[code]}): "no"`,
      )
    },
  )

  test.each([400, 500])('a body that is not JSON is not a JSON-RPC error: HTTP %i', async (status) => {
    await using helpdesk = await open(answering({ status, text: 'Internal Server Error' }))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toPassSmokeCheck())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain(`answered HTTP ${status}: "Internal Server Error"`)
  })
})
