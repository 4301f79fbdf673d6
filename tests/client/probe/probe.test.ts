import { expect, test } from 'vitest'
import { startAgentFrom, startSlowAgent } from '../../../src/testing/index.ts'
import { CARD03, CARD10 } from '../../support/fixture.ts'
import { startFixture } from '../../support/fixtureServer.ts'
import { failure, handleOf } from '../support.ts'

const at = (url: string, binding = 'JSONRPC'): object => ({
  url,
  protocolBinding: binding,
  protocolVersion: '1.0',
})
const paths = (urls: readonly { url: string }[]): string[] => urls.map(({ url }) => new URL(url).pathname)

test('the interfaces are those that can be called, once each, the called one first', async () => {
  const card = {
    ...CARD10,
    supportedInterfaces: [
      at('http://127.0.0.1:4100/grpc', 'GRPC'),
      at('http://127.0.0.1:4100/rest', 'HTTP+JSON'),
      at('http://127.0.0.1:4100/rpc'),
      at('http://127.0.0.1:4100/rpc'),
    ],
  }
  await using server = await startFixture([
    { on: 'GET /.well-known/agent-card.json', times: '*', json: card },
  ])

  expect(paths(await handleOf(server).interfaces())).toEqual(['/rest', '/rpc'])
  expect(paths(await handleOf(server, { binding: 'JSONRPC' }).interfaces())).toEqual(['/rpc'])
  const endpoint = `${server.origin}/elsewhere`
  expect(paths(await handleOf(server, { endpoint }).interfaces())).toEqual(['/elsewhere'])
})

test('every operation as its interface writes it, with an id that no task has', async () => {
  await using agent = await startAgentFrom()
  const handle = handleOf(agent)
  const [rpc, rest] = await handle.interfaces()
  const asked = async (to: typeof rpc): Promise<(string | undefined)[]> => {
    const made: (string | undefined)[] = []
    for (const operation of [
      'getTask',
      'send',
      'stream',
      'subscribe',
      'cancelTask',
      'listTasks',
      'extendedCard',
    ] as const) {
      made.push((await handle.probe({ ...(to && { to }), operation }))?.asked)
    }
    return made
  }

  expect(await asked(rpc)).toEqual([
    'GetTask',
    'SendMessage',
    'SendStreamingMessage',
    'SubscribeToTask',
    'CancelTask',
    'ListTasks',
    'GetExtendedAgentCard',
  ])
  expect(await asked(rest)).toEqual([
    'GET /tasks/{id}',
    'POST /message:send',
    'POST /message:stream',
    'POST /tasks/{id}:subscribe',
    'POST /tasks/{id}:cancel',
    'GET /tasks',
    'GET /extendedAgentCard',
  ])
})

test('an operation that the version does not have is not called', async () => {
  await using server = await startFixture([{ on: 'GET /.well-known/agent-card.json', json: CARD03 }])

  expect(await handleOf(server).probe({ operation: 'listTasks' })).toBeUndefined()
  expect(server.requests).toHaveLength(1)
})

test('answers of every status are returned; no answer is an error', async () => {
  await using server = await startFixture([
    { on: 'GET /.well-known/agent-card.json', json: CARD03 },
    { on: 'POST /rpc', status: 418, headers: { 'x-desk': 'a' }, text: 'teapot' },
    { on: 'POST /rpc', drop: true, times: '*' },
  ])
  const handle = handleOf(server)

  expect(await handle.probe({ operation: 'send' })).toMatchObject({
    asked: 'message/send',
    status: 418,
    headers: { 'x-desk': 'a' },
    text: 'teapot',
    withheld: [],
  })
  expect(await failure(handle.probe({ operation: 'send' }))).toMatchObject({ code: 'UNREACHABLE' })
})

test('reads only the first event of a stream', async () => {
  await using agent = await startSlowAgent({ dialect: '0.3' })

  const answer = await handleOf(agent).probe({ operation: 'stream' })

  expect(answer).toMatchObject({ asked: 'message/stream', status: 200, mediaType: 'text/event-stream' })
  expect(answer?.text).toMatch(/^data: /m)
})

test('a bare method asks the address of the operation, or another', async () => {
  await using server = await startFixture([
    { on: 'GET /.well-known/agent-card.json', json: CARD03, times: '*' },
    { on: 'OPTIONS /rpc', status: 204 },
  ])
  const handle = handleOf(server, { headers: { authorization: 'Bearer t' } })

  await handle.probe({
    operation: 'send',
    method: 'OPTIONS',
    as: 'anonymous',
    headers: { origin: 'https://a.example' },
  })
  await handle.probe({
    operation: 'send',
    method: 'GET',
    url: `${server.origin}/.well-known/agent-card.json`,
  })

  const [, preflight, card] = server.requests
  expect(preflight).toMatchObject({ method: 'OPTIONS', path: '/rpc', body: '' })
  expect(preflight?.headers).toMatchObject({ origin: 'https://a.example' })
  expect(preflight?.headers).not.toHaveProperty('authorization')
  expect(preflight?.headers).not.toHaveProperty('content-type')
  expect(card?.headers.authorization).toBe('Bearer t')
})

test('an anonymous probe is not repeated with the credentials of the handle', async () => {
  await using server = await startFixture([
    { on: 'GET /.well-known/agent-card.json', json: CARD03 },
    { on: 'POST /rpc', status: 401, times: '*' },
  ])
  let made = 0
  const headers = (): Record<string, string> => ({ authorization: `Bearer ${made++}` })
  const handle = handleOf(server, { headers })

  await handle.probe({ operation: 'getTask', as: 'anonymous' })

  expect(server.requests.slice(1).map((request) => request.headers.authorization)).toEqual([undefined])
})

test('credentials go to the typed origin and to trusted ones only, and withheld ones are reported', async () => {
  const schemes = {
    securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'k' } },
    security: [{ key: [] }],
  }
  await using elsewhere = await startFixture([{ on: 'POST /rpc', times: '*', status: 401 }])
  await using server = await startFixture([
    {
      on: 'GET /.well-known/agent-card.json',
      times: '*',
      json: { ...CARD03, ...schemes, url: `${elsewhere.origin}/rpc` },
    },
  ])
  const as = { credentials: { key: 'S3cret' } }

  const kept = await handleOf(server).probe({ operation: 'getTask', as })
  const trusting = handleOf(server, { trustedOrigins: [elsewhere.origin] })
  const shown = await trusting.probe({ operation: 'getTask', as })

  expect([kept?.withheld, shown?.withheld]).toEqual([['k'], []])
  expect(elsewhere.requests.map(({ path }) => path)).toEqual(['/rpc', '/rpc?k=S3cret'])
  expect(trusting.secrets).toContain('S3cret')
})
