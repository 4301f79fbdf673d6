import { connect as connectTls } from 'node:tls'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startFixture } from './fixtureServer.ts'
import { loopbackLookup, testCa, testTls } from './tls.ts'

const rpc = (origin: string, method: string, more: { id?: unknown; params?: unknown; path?: string } = {}) =>
  fetch(`${origin}${more.path ?? '/rpc'}`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 'id' in more ? more.id : 1, method, params: more.params }),
  })

test('serves a card with the opened address and records the request', async () => {
  await using server = await startFixture({
    exchange: [
      {
        on: 'GET /.well-known/agent-card.json',
        json: '$CARD03',
        patch: { name: 'Desk', capabilities: undefined },
      },
    ],
  })

  const response = await fetch(`${server.origin}/.well-known/agent-card.json`, { headers: { accept: 'a/b' } })

  const card = (await response.json()) as Record<string, unknown>
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(card).toMatchObject({ name: 'Desk', url: `${server.origin}/rpc`, version: '1.0.0' })
  expect(card).not.toHaveProperty('capabilities')
  expect(server.requests).toMatchObject([
    { method: 'GET', path: '/.well-known/agent-card.json', body: '', headers: { accept: 'a/b' }, port: 4100 },
  ])
})

test('fills in a base card with further keys', async () => {
  await using server = await startFixture([{ on: 'GET /', json: { $base: '$CARD10', skills: [] } }])

  const card = await (await fetch(server.origin)).json()

  expect(card).toMatchObject({ skills: [], supportedInterfaces: [{ url: `${server.origin}/rpc` }] })
})

test('answers 404 to what is not listed', async () => {
  await using server = await startFixture([{ on: 'POST /rpc', rpc: 'message/send', json: {} }])

  expect((await fetch(server.origin)).status).toBe(404)
  expect((await rpc(server.origin, 'tasks/send')).status).toBe(404)
  expect(server.requests.map((request) => request.rpc?.method)).toEqual([undefined, 'tasks/send'])
})

test.each([7, '7', null])('echoes the id %j with its type, in json and in events', async (id) => {
  await using server = await startFixture([
    { on: 'POST /rpc', rpc: 'a', json: { id: '$id' } },
    { on: 'POST /rpc', rpc: 'b', sse: ['data: {"id":"$id"}\n\n'] },
  ])

  expect(await (await rpc(server.origin, 'a', { id })).json()).toEqual({ id })
  const stream = await rpc(server.origin, 'b', { id })
  expect(stream.headers.get('content-type')).toBe('text/event-stream')
  expect(await stream.text()).toBe(`data: {"id":${JSON.stringify(id)}}\n\n`)
})

test('plays entries in order, and repeats the last one', async () => {
  await using server = await startFixture([
    { on: 'POST /rpc', rpc: 'tasks/get', times: 2, json: 'early' },
    { on: 'POST /rpc', rpc: 'tasks/get', json: 'late' },
  ])

  const seen = []
  for (let at = 0; at < 4; at += 1) seen.push(await (await rpc(server.origin, 'tasks/get')).json())

  expect(seen).toEqual(['early', 'early', 'late', 'late'])
})

test('takes a number as a hard limit and * as for ever', async () => {
  await using server = await startFixture([
    { on: 'POST /rpc', rpc: 'once', times: 1, json: 1 },
    { on: 'POST /rpc', rpc: 'ever', times: '*', json: 1 },
    { on: 'POST /rpc', rpc: 'ever', json: 'never reached' },
  ])

  expect((await rpc(server.origin, 'once')).status).toBe(200)
  expect((await rpc(server.origin, 'once')).status).toBe(404)
  for (let at = 0; at < 3; at += 1) expect(await (await rpc(server.origin, 'ever')).json()).toBe(1)
})

test('knows turns, conditions on the body and its size', async () => {
  await using server = await startFixture([
    { on: 'POST /rpc', rpc: 'message/send', turn: 1, json: 'one' },
    { on: 'POST /rpc', rpc: 'message/send', turn: 2, ifBodyHas: '"taskId":"t1"', json: 'refused' },
    { on: 'POST /rpc', rpc: 'message/send', turn: 2, json: 'two' },
    { on: 'POST /big', ifBodyLargerThan: 200, status: 413, text: 'too large' },
    { on: 'POST /big', json: 'fits' },
  ])
  const say = async (params: unknown) => (await rpc(server.origin, 'message/send', { params })).json()

  expect(await say({ taskId: 't1' })).toBe('one')
  expect(await say({ taskId: 't1' })).toBe('refused')
  expect(await say({ taskId: 't1' })).toBe('refused')
  expect(await say({})).toBe('two')
  const big = await rpc(server.origin, 'x', { path: '/big', params: 'x'.repeat(200) })
  expect([big.status, await big.text()]).toEqual([413, 'too large'])
  expect(await (await rpc(server.origin, 'x', { path: '/big' })).json()).toBe('fits')
})

test('checks needed headers, with and without another answer', async () => {
  await using server = await startFixture({
    base: 'http://127.0.0.1:4100/desk',
    options: { cardUrl: 'http://127.0.0.1:4100/b' },
    exchange: [
      {
        on: 'GET /a',
        needs: { authorization: 'Bearer test' },
        else: { status: 401, text: 'no' },
        text: 'yes',
      },
      { on: 'GET /b', needs: { authorization: 'Bearer test' }, text: 'yes' },
    ],
  })
  const get = async (path: string, headers: Record<string, string>) =>
    (await fetch(server.origin + path, { headers })).status

  expect(server.url).toBe(`${server.origin}/desk`)
  expect(server.options).toEqual({ cardUrl: `${server.origin}/b` })
  expect(await get('/a', {})).toBe(401)
  expect(await get('/a', { Authorization: 'Bearer test' })).toBe(200)
  expect(await get('/b', {})).toBe(404)
  expect(await get('/b', { Authorization: 'Bearer test' })).toBe(200)
})

test('opens the second port when it is mentioned, and keeps the two apart', async () => {
  await using server = await startFixture([
    { on: 'GET /card', json: { other: 'http://127.0.0.1:4999/rpc', foreign: 'http://127.0.0.1:8000/' } },
    { on: 'GET /two', port: 4999, text: 'second' },
  ])

  const card = await (await fetch(`${server.origin}/card`)).json()

  expect(card).toEqual({ other: `${server.origins[4999]}/rpc`, foreign: 'http://127.0.0.1:8000/' })
  expect((await fetch(`${server.origins[4100]}/two`)).status).toBe(404)
  expect(await (await fetch(`${server.origins[4999]}/two`)).text()).toBe('second')
  expect(server.requests.map((request) => request.port)).toEqual([4100, 4100, 4999])
})

test('cuts bytes inside characters', async () => {
  await using server = await startFixture([
    { on: 'GET /', sse: ['data: å🫐\n\n', 'data: å\n\n'], splitInsideChars: ['å', '🫐'] },
    { on: 'GET /bytes', text: 'åb', oneByteChunks: true },
  ])

  // Straight from the socket: each piece is one HTTP chunk, announced by its length in hex.
  const raw = await readRaw(server.origin, '/')
  expect(raw.toString('latin1').split('\r\n\r\n')[1]).toBe(
    ['7\r\ndata: Ã', '2\r\n¥ð', '5\r\n\x9f«\x90\n\n', '7\r\ndata: Ã', '3\r\n¥\n\n', '0'].join('\r\n'),
  )
  expect((await readRaw(server.origin, '/bytes')).toString('latin1')).toContain('1\r\nÃ\r\n1\r\n¥\r\n1\r\nb')
  expect(await (await fetch(server.origin)).text()).toBe('data: å🫐\n\ndata: å\n\n')
})

test('holds a slow answer until it is released', async () => {
  await using server = await startFixture([
    { on: 'GET /', delayMs: 8000, text: 'slow' },
    { on: 'GET /body', holdAt: 'body', text: 'slow body' },
    { on: 'GET /events', holdAt: 1, sse: ['data: 1\n\n', 'data: 2\n\n'] },
  ])
  let settled = false
  const slow = fetch(server.origin).finally(() => (settled = true))
  const body = await fetch(`${server.origin}/body`)
  const events = await fetch(`${server.origin}/events`)
  const reader = events.body?.getReader()
  const first = await reader?.read()

  await server.held(3)
  expect(settled).toBe(false)
  expect(new TextDecoder().decode(first?.value)).toBe('data: 1\n\n')

  server.release()
  expect(await (await slow).text()).toBe('slow')
  expect(await body.text()).toBe('slow body')
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 2\n\n')
})

test('says when a client went away before the answer', async () => {
  await using server = await startFixture([{ on: 'GET /', delayMs: 8000, text: 'slow' }])
  const abort = new AbortController()
  const gone = fetch(server.origin, { signal: abort.signal }).catch((error: Error) => error.name)

  await server.held()
  abort.abort()

  expect(await gone).toBe('AbortError')
  await expect.poll(() => server.requests[0]?.aborted).toBe(true)
})

test('drops a connection, and answers from the request where a test asks for it', async () => {
  await using server = await startFixture([
    { on: 'GET /drop', drop: true },
    { on: 'POST /rpc', reply: (request) => ({ status: 202, json: { got: request.rpc?.params } }) },
  ])

  await expect(fetch(`${server.origin}/drop`)).rejects.toThrow('fetch failed')
  const answer = await rpc(server.origin, 'x', { params: [1] })
  expect([answer.status, await answer.json()]).toEqual([202, { got: [1] }])
})

test('serves a public name over TLS', async () => {
  await using server = await startFixture([{ on: 'GET /', json: '$CARD03' }], {
    tls: testTls,
    host: 'desk.example',
  })
  expect(server.url).toMatch(/^https:\/\/desk\.example:\d+$/)

  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connectTls({
      host: 'desk.example',
      servername: 'desk.example',
      port: Number(new URL(server.url).port),
      ca: testCa,
      lookup: loopbackLookup,
    })
    socket.on('error', reject)
    let text = ''
    socket.on('data', (chunk) => (text += String(chunk)))
    socket.on('end', () => resolve(text))
    socket.write('GET / HTTP/1.1\r\nHost: desk.example\r\nConnection: close\r\n\r\n')
  })

  expect(answer).toContain(`"url":"${server.url}/rpc"`)
})

test('ends while a request is still being held', async () => {
  const server = await startFixture([{ on: 'GET /', delayMs: 8000 }])
  const pending = fetch(server.origin).catch((error: Error) => error.message)
  await server.held()

  await server.close()

  expect(await pending).toBe('fetch failed')
})

async function readRaw(origin: string, path: string): Promise<Buffer> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: helpdesk\r\nConnection: close\r\n\r\n`)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
