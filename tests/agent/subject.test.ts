import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import { closeOpened } from '../../src/agent/lifetime.ts'
import { resolveSubject, type Subject } from '../../src/agent/subject.ts'
import type { A2AAgent } from '../../src/agent/types.ts'
import { systemDeps } from '../../src/core/deps.ts'
import { CARD03 } from '../support/fixture.ts'

// Where this card will be deployed; nothing answers there in a test.
const card = { ...CARD03, url: 'https://echo.example.com/rpc' }
const answer = (id: unknown, text: string): object => ({
  jsonrpc: '2.0',
  id,
  result: { kind: 'message', messageId: 'm1', role: 'agent', parts: [{ kind: 'text', text }] },
})
const cardPath = '/.well-known/agent-card.json'

const listener: RequestListener = async (req, res) => {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  const body = req.url === cardPath ? card : answer(JSON.parse(Buffer.concat(chunks).toString()).id, 'node')
  res.setHeader('content-type', 'application/json').end(JSON.stringify(body))
}

async function agentOf(received: unknown): Promise<A2AAgent> {
  const subject = await resolveSubject(received)
  if (subject.kind !== 'agent') throw new Error('It was taken for a card.')
  if (subject.dispose) onTestFinished(subject.dispose)
  return subject.agent
}

async function conversation(received: unknown): Promise<string> {
  const agent = await agentOf(received)
  return `${agent.label().replace(/\d{4,}/, '<port>')}: ${(await agent.send('Hello')).text}`
}

test('an Express app', async () => {
  const app = express()
  app.use(express.json())
  app.get(cardPath, (_req, res) => void res.json(card))
  app.post('/rpc', (req, res) => void res.json(answer(req.body.id, 'express')))

  expect(await conversation(app)).toBe('http://127.0.0.1:<port>: express')
})

test('a Fastify app, calling ready()', async () => {
  const app = fastify()
  app.get(cardPath, async () => card)
  app.post<{ Body: { id: unknown } }>('/rpc', async (request) => answer(request.body.id, 'fastify'))
  onTestFinished(() => app.close())

  expect(await conversation(app)).toContain(': fastify')
})

test('a Fastify app that already listens', async () => {
  const app = fastify()
  app.get(cardPath, async () => card)
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())

  const agent = await agentOf(app)

  expect(agent.url).toBe(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
})

test('a Hono app', async () => {
  const app = new Hono()
  app.get(cardPath, (context) => context.json(card))
  app.post('/rpc', async (context) => context.json(answer((await context.req.json()).id, 'hono')))

  expect(await conversation(app)).toContain(': hono')
})

test('an http.Server that does not listen, and whose own listen() stays free', async () => {
  const server = createServer(listener)

  expect(await conversation(server)).toContain(': node')
  expect(server.listening).toBe(false)
})

test.each(['127.0.0.1', '0.0.0.0', '::'])('an http.Server that listens on %s', async (host) => {
  const server = createServer(listener)
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(() => void server.close())

  const agent = await agentOf(server)

  expect(agent.url).toBe(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  expect((await agent.send('Hello')).text).toBe('node')
  expect(server.listening).toBe(true)
})

test('two uses of one app share a server, but not a card', async () => {
  const app = createServer(listener)
  const [first, second] = await Promise.all([agentOf(app), agentOf(app)])

  expect(second.url).toBe(first.url)
  expect(second).not.toBe(first)
})

test('an app whose server was closed with its test file is served again', async () => {
  const app = createServer(listener)
  await agentOf(app)

  await closeOpened()

  expect((await (await agentOf(app)).card()).discovery.found?.json).toMatchObject({ name: 'Echo Desk' })
})

test.each([
  ['http://127.0.0.1:4100', 'http://127.0.0.1:4100'],
  [' HTTPS://agent.example.com/support ', 'HTTPS://agent.example.com/support'],
  [new URL('http://127.0.0.1:4100/card.json'), 'http://127.0.0.1:4100/card.json'],
])('a URL: %s', async (given, url) => {
  expect((await agentOf(given)).url).toBe(url)
  expect(await agentOf(given)).not.toBe(await agentOf(given))
})

test('a handle, even from another copy of the package, is used as it is', async () => {
  const handle = { isA2AAgent: true } as A2AAgent

  expect(await resolveSubject(handle)).toEqual({ kind: 'agent', agent: handle })
})

test.each([
  ['object', CARD03],
  ['text', ` ${JSON.stringify(CARD03)}\n`],
  ['object without a prototype', Object.assign(Object.create(null), CARD03)],
  ['object of a class', Object.assign(new (class AgentCard {})(), CARD03)],
])('a card as %s', async (_kind, given) => {
  expect(await resolveSubject(given)).toMatchObject({ kind: 'card', card: { name: 'Echo Desk' } })
})

test('an object that may not be a card is left to the card rules', async () => {
  const subject: Subject = await resolveSubject({})

  expect(subject).toEqual({ kind: 'card', card: {} })
})

test.each([
  [undefined, 'undefined', 'Was the agent made before the test ran?'],
  [null, 'null', ''],
  [42, 'the number 42', ''],
  [[1, 2], 'an array of 2', ''],
  ['', 'an empty string', ''],
  ['ftp://a.example', '"ftp://a.example"', ''],
  ['http://', '"http://", which is not a valid URL', ''],
  ['localhost:4100/a2a', '"localhost:4100/a2a"', 'Did you mean "http://localhost:4100/a2a"?'],
  ['{"name": ', 'a text that looks like JSON but is not', ''],
  [
    Promise.resolve('http://127.0.0.1'),
    'an object of type Promise',
    'It is a promise: put `await` in front of it.',
  ],
  [(_req: unknown, _res: unknown) => {}, 'a function', 'serveAgent({listener: …}) for (req, res)'],
  [{ GET: () => {} }, 'an object with GET', "For route handlers: serveAgent({routes: {'/api/agent': …}})."],
  [
    { callback() {}, use() {} },
    'an object with callback, use',
    'For a Koa app: expect(await serveAgent({listener: app.callback()})).',
  ],
  [{ getHttpServer() {} }, 'an object with getHttpServer', 'For a NestJS app: expect(app.getHttpServer()).'],
])('%s is refused', async (given, named, hint) => {
  const error = await resolveSubject(given, systemDeps()).catch((thrown: unknown) => thrown)

  expect(error).toMatchObject({ name: 'A2AUsageError', code: 'BAD_SUBJECT' })
  const { message, fix } = error as { message: string; fix: string }
  expect(message).toContain(`expect() received ${named}`)
  expect(message).toContain(hint)
  expect(fix).toContain('serveAgent(')
})

test('the global object is not a server', async () => {
  await expect(resolveSubject(globalThis)).rejects.toMatchObject({ code: 'BAD_SUBJECT' })
})

test('prints the whole error for an unsupported subject', async () => {
  const error = (await resolveSubject(7).catch((thrown: unknown) => thrown)) as {
    message: string
    fix: string
  }

  expect(`${error.message}\n${error.fix}`).toMatchInlineSnapshot(`
    "expect() received the number 7, which is neither an agent nor an agent card.
    Give expect() one of:
      a URL (string or URL): the agent's base URL, or that of its card
      an agent of a2aAgent(…), serveAgent(…) or startAgent(…)
      a card: an object, or its JSON text
      a Node http.Server, an Express or Fastify app, or an object with a \`fetch\` function (Hono, workers)
    Anything else that serves an agent: \`await serveAgent({listener})\`, \`({fetch})\` or \`({routes})\`."
  `)
})

test('a Fastify app that does not start is reported with its own error', async () => {
  const app = fastify()
  app.register(async () => {
    throw new Error('no database')
  })

  await expect(resolveSubject(app)).rejects.toMatchObject({
    name: 'A2AUsageError',
    code: 'BAD_SUBJECT',
    message: 'the Fastify app that expect() received did not start: no database',
  })
})

test('an error is named by its message', async () => {
  await expect(resolveSubject(new Error('could not connect'))).rejects.toThrow(
    'expect() received the error "could not connect", which is neither an agent',
  )
})

test('an object with the global fetch is a client, not a server', async () => {
  await expect(resolveSubject({ fetch: globalThis.fetch })).rejects.toMatchObject({ code: 'BAD_SUBJECT' })
})
