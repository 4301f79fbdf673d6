import express from 'express'
import { expect, test } from 'vitest'
import '../../src/vitest.ts'
import { startAgentFrom, startStudio } from '../../src/testing/index.ts'
import { CARD03 } from '../support/fixture.ts'
import { guarded } from './guarded.ts'
import { echoAgent, failureOf, misuse, wireMessage } from './support.ts'

test('passes for the website of the guide, with and without a token, and for both bindings of 1.0', async () => {
  await using open = await startStudio()
  await using closed = await startStudio({ token: 't0ken' })
  await using both = await startAgentFrom({ cors: true })

  await expect(open.url).toAllowCors({ headers: ['Content-Type', 'Authorization'] })
  await expect(closed.url).toAllowCors({ origin: 'https://app.example.com', methods: ['GET', 'POST'] })
  await expect(both.url).toAllowCors()
})

test('sends what a browser sends', async () => {
  await using server = await guarded()

  await expect(server.origin).toAllowCors({ origin: 'http://localhost:5173' })

  const [, preflight, call, card] = server.requests
  expect([preflight?.method, preflight?.path]).toEqual(['OPTIONS', '/rpc'])
  expect(preflight?.headers).toMatchObject({
    origin: 'http://localhost:5173',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  })
  expect(preflight?.headers['content-type']).toBeUndefined()
  expect([call?.rpc?.method, call?.headers.origin]).toEqual(['tasks/get', 'http://localhost:5173'])
  expect([card?.path, card?.headers.origin]).toEqual([
    '/.well-known/agent-card.json',
    'http://localhost:5173',
  ])
})

test('passes for an Express app that answers each origin by its name', async () => {
  const app = express()
  app.use((req, res, next) => {
    res.set({ 'Access-Control-Allow-Origin': req.headers.origin ?? '', Vary: 'Accept, origin' })
    res.set('Access-Control-Allow-Methods', '*').set('Access-Control-Allow-Headers', '*, authorization')
    if (req.method === 'OPTIONS') res.sendStatus(204)
    else next()
  })
  app.get('/.well-known/agent-card.json', (_req, res) => void res.json(CARD03))

  expect(await failureOf(() => expect(app).not.toAllowCors({ origin: 'https://a.example' }))).toContain(
    'Received: the CORS headers that browsers need at 1 endpoint\n\nExchanges',
  )
})

test('fails with the whole message', async () => {
  await using server = await echoAgent(wireMessage('hi'), [{ on: 'OPTIONS /rpc', status: 405 }])

  expect(await failureOf(() => expect(server.origin).toAllowCors())).toMatchInlineSnapshot(`
    "[failed] expect(agent).toAllowCors()

    Agent:    Echo Desk (http://127.0.0.1:<port>)
    Expected: an agent that pages of https://other-agent.example can call
    Received: OPTIONS http://127.0.0.1:<port>/rpc was answered with HTTP 405; a browser needs 200 or 204 before it sends the POST   cors/preflight
    Fix:      Answer OPTIONS at the endpoint with the three CORS headers.

      ✗ url  the answer to tasks/get has no Access-Control-Allow-Origin, so a browser keeps it from pages of https://other-agent.example   cors/answer  Fetch §3.2, the guide to A2A endpoints
          Answer Access-Control-Allow-Origin: * (or the page's own origin) there, errors included.
      ! GET http://127.0.0.1:<port>/.well-known/agent-card.json has no Access-Control-Allow-Origin, so a browser keeps it from pages of https://other-agent.example   cors/card  Fetch §3.2, the guide to A2A endpoints
          Answer Access-Control-Allow-Origin: * (or the page's own origin) there, errors included.

    Exchanges
      GET http://127.0.0.1:<port>/.well-known/agent-card.json → 200 application/json <n> B <n> ms
      OPTIONS http://127.0.0.1:<port>/rpc → 405 <n> B <n> ms
      POST http://127.0.0.1:<port>/rpc → 404 <n> B <n> ms
      GET http://127.0.0.1:<port>/.well-known/agent-card.json → 200 application/json <n> B <n> ms
        received {"protocolVersion":"0.3.0","name":"Echo Desk","description":"Repeats what it hears","url":"http://127.0.0.1:<port>/rpc","preferredTransport":"JSONRPC","version":"1.0.0","capabilities":{"streaming":true},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"echo","name":"Echo","description":"Echo text","tags":["demo"]}]}

      curl http://127.0.0.1:<port>/.well-known/agent-card.json -H 'accept: application/json' -H 'origin: https://other-agent.example'"
  `)
})

test('.not passes for an agent without CORS, and fails for one with it', async () => {
  await using server = await echoAgent(wireMessage('hi'), [{ on: 'OPTIONS /rpc', status: 404 }])
  await using open = await guarded()

  await expect(server.origin).not.toAllowCors()
  expect(await failureOf(() => expect(open.origin).not.toAllowCors())).toContain(
    'Expected: not an agent that pages of https://other-agent.example can call',
  )
})

test.each([
  [{ origin: 'https://a.example/app' }, 'must be an origin such as "https://app.example.com"'],
  [{ origins: ['https://a.example'] }, 'there is no option `origins`. Did you mean `origin`?'],
  [
    { methods: 'POST' },
    'toAllowCors(): `methods` must be an array, each element a non-empty string; received "POST".',
  ],
])('misuse: %j', async (options, message) => {
  await using server = await guarded()

  const failure = await failureOf(() => misuse(expect(server.origin).not, 'toAllowCors')(options))

  expect(failure).toMatch(/^\[error\]/)
  expect(failure).toContain(message)
})
