import { connect } from 'node:net'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { closeOpened } from '../../src/agent/lifetime.ts'
import { serveOnLoopback, type LoopbackServer, type NodeListener } from '../../src/agent/loopback.ts'
import { routesHandler, type Routes } from '../../src/agent/routes.ts'
import { toNodeListener, type WebHandler } from '../../src/agent/webHandler.ts'

async function serve(listener: NodeListener): Promise<LoopbackServer> {
  const server = await serveOnLoopback(listener)
  onTestFinished(server.close)
  return server
}

function deferred(): { promise: Promise<unknown>; resolve: (value: unknown) => void } {
  let resolve: (value: unknown) => void = () => undefined
  const promise = new Promise<unknown>((it) => (resolve = it))
  return { promise, resolve }
}

const serveWeb = (handler: WebHandler): Promise<LoopbackServer> => serve(toNodeListener(handler))

test('gives a web handler the request as it was sent', async () => {
  const server = await serveWeb(async (request) =>
    Response.json({
      method: request.method,
      url: request.url,
      twice: request.headers.get('x-twice'),
      body: await request.text(),
    }),
  )
  const headers = new Headers([
    ['x-twice', 'a'],
    ['x-twice', 'b'],
  ])

  const response = await fetch(`${server.origin}/rpc?x=1`, { method: 'POST', body: 'Blåbær', headers })

  expect(server.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(await response.json()).toEqual({
    method: 'POST',
    url: `${server.origin}/rpc?x=1`,
    twice: 'a, b',
    body: 'Blåbær',
  })
})

test('passes on status, headers and several cookies', async () => {
  const server = await serveWeb(() => {
    const headers = new Headers({ 'content-type': 'text/x' })
    headers.append('set-cookie', 'a=1')
    headers.append('set-cookie', 'b=2')
    return new Response(null, { status: 202, headers })
  })

  const response = await fetch(server.origin)

  expect(response.status).toBe(202)
  expect(response.headers.get('content-type')).toBe('text/x')
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
})

test('forwards a stream as it arrives, its head before the first event', async () => {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const server = await serveWeb(
    () =>
      new Response(
        new ReadableStream<Uint8Array>({
          start: (it) => {
            controller = it
          },
        }),
        { headers: { 'content-type': 'text/event-stream' } },
      ),
  )

  const response = await fetch(server.origin)
  const reader = response.body!.getReader()
  controller!.enqueue(Buffer.from('data: 1\n\n'))
  const first = await reader.read()
  controller!.close()

  expect(Buffer.from(first.value ?? []).toString()).toBe('data: 1\n\n')
  expect((await reader.read()).done).toBe(true)
})

test('notifies a handler that the client has gone, and cancels its stream', async () => {
  const cancelled = deferred()
  const aborted = deferred()
  const server = await serveWeb((request) => {
    request.signal.addEventListener('abort', () => aborted.resolve(undefined))
    return new Response(
      new ReadableStream({
        start: (it) => it.enqueue(Buffer.from('x')),
        cancel: (reason) => cancelled.resolve(reason),
      }),
    )
  })
  const client = new AbortController()
  const response = await fetch(server.origin, { signal: client.signal })

  client.abort()

  await expect(response.text()).rejects.toThrow()
  await Promise.all([aborted.promise, cancelled.promise])
  expect(server.failures()).toEqual([])
})

test('answers 500 when a handler throws, and remembers why', async () => {
  const server = await serveWeb(() => {
    throw new TypeError('no skills yet')
  })

  const response = await fetch(`${server.origin}/rpc`, { method: 'POST' })

  expect(response.status).toBe(500)
  expect(await response.text()).toBe('TypeError: no skills yet')
  const [failure] = server.failures()
  expect(failure?.label).toBe('Error in the handler of POST /rpc')
  expect(failure?.text).toMatch(/^TypeError: no skills yet\n\s+at .*serveLoopback\.test\.ts/)
})

test('answers 500 when a handler gives no Response', async () => {
  const server = await serveWeb((() => ({ ok: true })) as unknown as WebHandler)

  const response = await fetch(`${server.origin}/rpc`)

  expect(await response.text()).toBe(
    'TypeError: the handler of GET /rpc returned an object of type Object, not a Response',
  )
})

test('answers 500 when a Node listener rejects', async () => {
  const server = await serve(async () => Promise.reject(new Error('boom')))

  expect((await fetch(server.origin)).status).toBe(500)
  expect(server.failures()).toHaveLength(1)
})

test('closes the connection when a stream breaks after its head', async () => {
  const server = await serveWeb(
    () => new Response(new ReadableStream({ pull: (it) => it.error(new Error('model gone')) })),
  )

  const response = await fetch(server.origin)

  await expect(response.text()).rejects.toThrow('terminated')
  await expect.poll(() => server.failures()[0]?.text).toMatch(/^Error: model gone/)
})

test('close() ends open connections, and can be called twice', async () => {
  const server = await serve(() => undefined)
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1')
  await once(socket, 'connect')
  const ended = once(socket, 'close')
  socket.resume().on('error', () => undefined)

  await Promise.all([server.close(), server.close(), ended])

  expect(server.closed()).toBe(true)
  await expect(fetch(server.origin)).rejects.toThrow('fetch failed')
})

test('everything is closed at the end of a file', async () => {
  const servers = await Promise.all([serve(() => undefined), serve(() => undefined)])

  await closeOpened()

  expect(servers.map((server) => server.closed())).toEqual([true, true])
})

const answer = (text: string) => () => new Response(text)

async function ask(routes: Routes, method: string, path: string): Promise<string> {
  const response = await routesHandler(routes)(new Request(`http://127.0.0.1${path}`, { method }))
  const allow = response.headers.get('allow')
  return `${response.status} ${await response.text()}${allow === null ? '' : ` [${allow}]`}`
}

test.each([
  ['GET', '/.well-known/agent-card.json', '200 card'],
  ['GET', '/.well-known/agent-card.json/', '200 card'],
  ['HEAD', '/api/agent', '200 get'],
  ['POST', '/api/agent?x=1', '200 post'],
  ['DELETE', '/api/agent', '405 /api/agent takes GET, POST. [GET, POST]'],
  ['OPTIONS', '/api/agent', '204  [GET, POST]'],
  ['GET', '/api', '404 No route for /api.'],
  ['GET', '/api/agent/more', '404 No route for /api/agent/more.'],
  ['GET', '/tasks/t%201', '200 {"id":"t 1"}'],
  ['GET', '/files/a/b', '200 {"path":["a","b"]}'],
  ['GET', '/files', '404 No route for /files.'],
])('routes %s %s', async (method, path, expected) => {
  const params: Routes[string] = async (_request, context) => Response.json(await context.params)
  const routes: Routes = {
    '/.well-known/agent-card.json': answer('card'),
    '/api/agent': { GET: answer('get'), POST: answer('post') },
    '/tasks/[id]': params,
    '/files/[...path]': params,
  }

  expect(await ask(routes, method, path)).toBe(expected)
})

test('params can be used as an object and as a promise', async () => {
  const routes: Routes = { '/[id]': (_request, { params }) => new Response(String(params.id)) }

  expect(await ask(routes, 'GET', '/t1')).toBe('200 t1')
})

test.each([
  [{ 'api/agent': answer('') }, 'serveAgent(): the route "api/agent" must be a path that begins with "/".'],
  [
    { '/api/agent': { get: answer('') } },
    'serveAgent(): the route "/api/agent" must be a function (it answers GET) or an object with GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS functions.',
  ],
])('refuses routes that cannot work', (routes, message) => {
  expect(() => routesHandler(routes as Routes)).toThrow(message)
})
