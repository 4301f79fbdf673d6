import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, test } from 'vitest'
import '../../src/vitest.ts'
import { a2aAgent } from '../../src/agent/a2aAgent.ts'
import { startAgentFrom, startDeployer, startStudio } from '../../src/testing/index.ts'
import { CARD03 } from '../support/fixture.ts'
import { testCa, testTls } from '../support/tls.ts'
import { guarded, guardedCard } from './guarded.ts'
import { echoAgent, failureOf, misuse, wireMessage } from './support.ts'

const credentials = { bearer: 't0ken' }
const open = (): ReturnType<typeof echoAgent> => echoAgent(wireMessage('hi'))

test('passes for agents that reject unauthenticated requests, over every binding', async () => {
  await using both = await startAgentFrom({ token: 't0ken' })
  await using third = await startAgentFrom({ token: 't0ken', dialect: '0.3' })
  await using deployer = await startDeployer()
  await using studio = await startStudio({ token: 't0ken' })

  await expect(both.url).toRequireAuthentication({ credentials })
  await expect(third.url).toRequireAuthentication({ credentials })
  await expect(deployer.url).toRequireAuthentication()
  await expect(studio.url).toRequireAuthentication({ credentials })
})

test('uses the credentials of the handle as valid ones, and sends none of them in anonymous or random requests', async () => {
  await using server = await guarded()
  await using agent = a2aAgent(server.origin, {
    headers: { authorization: 'Bearer t0ken', 'x-tenant': 'acme' },
  })

  await expect(agent).toRequireAuthentication()

  const posts = server.requests.filter(({ method }) => method === 'POST')
  expect(posts.map(({ rpc, headers }) => [rpc?.method, headers.authorization])).toEqual([
    ['tasks/get', undefined],
    ['tasks/get', 'Bearer'],
    ['tasks/get', expect.stringMatching(/^Bearer [\da-f]{32}$/)],
    ['tasks/get', 'Bearer t0ken'],
    ['message/send', undefined],
    ['message/send', 'Bearer'],
    ['message/send', expect.stringMatching(/^Bearer [\da-f]{32}$/)],
    ['message/send', 'Bearer t0ken'],
  ])
  // What does not say who calls goes along with every request.
  expect(new Set(posts.map(({ headers }) => headers['x-tenant']))).toEqual(new Set(['acme']))
})

test('a name and a password in the address are good credentials, too', async () => {
  const basic = {
    ...guardedCard,
    securitySchemes: { helpdesk: { type: 'http', scheme: 'basic' } },
    security: [{ helpdesk: [] }],
  }
  const authorization = `Basic ${Buffer.from('me:t0psecret').toString('base64')}`
  await using server = await guarded(
    [
      {
        on: 'POST /rpc',
        times: '*',
        needs: { authorization },
        else: { status: 401, headers: { 'www-authenticate': 'Basic realm="helpdesk"' } },
        json: { jsonrpc: '2.0', id: '$id', error: { code: -32001, message: 'Task not found' } },
      },
    ],
    basic,
  )

  const url = server.origin.replace('http://', 'http://me:t0psecret@')
  const failure = await failureOf(() => expect(url).not.toRequireAuthentication())

  expect(failure).toContain(
    'Received: 6 unauthenticated requests rejected, 2 authenticated requests served; the card requires "helpdesk"',
  )
  expect(failure).not.toContain('t0psecret')
  expect(failure).not.toContain(authorization)
})

test('calls only the given operations and interfaces', async () => {
  await using server = await guarded()

  await expect(server.origin).toRequireAuthentication({
    credentials,
    operations: ['cancelTask'],
    interfaces: 'first',
  })

  expect(new Set(server.requests.flatMap(({ rpc }) => rpc?.method ?? []))).toEqual(new Set(['tasks/cancel']))
})

test('finds a guarded Express app', async () => {
  const app = express()
  app.use(express.json())
  app.get('/.well-known/agent-card.json', (_req, res) => void res.json(guardedCard))
  app.post('/rpc', (req, res) => {
    if (req.headers.authorization !== 'Bearer t0ken') {
      res.status(401).set('WWW-Authenticate', 'Bearer realm="helpdesk"').json({ error: 'unauthorized' })
      return
    }
    const { id, method } = req.body as { id: number; method: string }
    res.json(
      method === 'message/send'
        ? { jsonrpc: '2.0', id, result: wireMessage('hi') }
        : { jsonrpc: '2.0', id, error: { code: -32001, message: 'Task not found' } },
    )
  })

  await expect(app).toRequireAuthentication({ credentials })
})

test('fails with the whole message', async () => {
  await using server = await echoAgent(wireMessage('hi'), [
    { on: 'GET /.well-known/agent-card.json', json: guardedCard },
    { on: 'POST /rpc', rpc: 'tasks/get', status: 404, text: 'no' },
  ])

  expect(await failureOf(() => expect(server.origin).toRequireAuthentication())).toMatchInlineSnapshot(`
    "[failed] expect(agent).toRequireAuthentication()

    Agent:    Echo Desk (http://127.0.0.1:<port>)
    Expected: requests that are rejected without valid credentials and served with them
    Received: the card requires "bearer", but message/send without credentials was answered with HTTP 200 and a result   auth/not-enforced
    Fix:      Check credentials first on every route of the agent, and answer HTTP 401 without them.

      · no credentials are configured, so requests with valid ones were not tested   auth/good-not-tried
          Pass the option credentials, or pass credentials or headers to a2aAgent().

    Exchanges
      GET http://127.0.0.1:<port>/.well-known/agent-card.json → 200 application/json <n> B <n> ms
      POST http://127.0.0.1:<port>/rpc → 404 <n> B <n> ms
      POST http://127.0.0.1:<port>/rpc → 200 application/json <n> B <n> ms
        received {"jsonrpc":"2.0","id":2,"result":{"kind":"message","messageId":"m1","role":"agent","contextId":"c1","parts":[{"kind":"text","text":"hi"}]}}

      curl http://127.0.0.1:<port>/rpc -H 'accept: application/json' -H 'content-type: application/json' --data-raw '{"jsonrpc":"2.0","id":2,"method":"message/send","params":{"message":{"kind":"message","messageId":"<id>","role":"user","parts":[{"kind":"text","text":"Hello"}]},"configuration":{"blocking":true}}}'"
  `)
})

test('reports further findings', async () => {
  await using refusing = await startAgentFrom({ token: 't0ken', dialect: '0.3' })

  const failure = await failureOf(() =>
    expect(refusing.url).toRequireAuthentication({ credentials: { bearer: 'S3cret-other' } }),
  )

  expect(failure).toContain(
    'Received: tasks/get with the given credentials was answered with HTTP 401   auth/good-not-served',
  )
  expect(failure).toContain('message/send with the given credentials was answered with HTTP 401')
  expect(failure).not.toContain('S3cret')
})

test('reports a card that leaves open whether credentials are needed', async () => {
  const optional = { ...guardedCard, security: [] }
  await using server = await echoAgent(wireMessage('hi'), [
    { on: 'GET /.well-known/agent-card.json', json: optional, times: '*' },
  ])

  const failure = await failureOf(() => expect(server.origin).not.toRequireAuthentication())

  expect(failure).toContain('Received: an agent whose card allows calls without credentials')
  expect(failure).toContain(
    '! schemes are declared, but nothing requires them (security / securityRequirements is empty)   auth/optional',
  )
  expect(await failureOf(() => expect(server.origin).toRequireAuthentication({ required: true }))).toContain(
    'Received: credentials are required (required: true), but message/send without credentials was answered with HTTP 200 and a result',
  )
})

test('.not fails with what was refused', async () => {
  await using server = await guarded()

  const failure = await failureOf(() => expect(server.origin).not.toRequireAuthentication({ credentials }))

  expect(failure).toContain(
    'Expected: not requests that are rejected without valid credentials and served with them',
  )
  expect(failure).toContain(
    'Received: 6 unauthenticated requests rejected, 2 authenticated requests served; the card requires "bearer"',
  )
  expect(failure).not.toContain('t0ken')
})

test('.not passes for an open agent, but not for something other than an agent', async () => {
  await using server = await echoAgent(wireMessage('hi'), [
    { on: 'GET /.well-known/agent-card.json', json: guardedCard },
  ])
  await using page = await guarded([{ on: 'POST /rpc', times: '*', status: 502, text: 'bad gateway' }])

  await expect(server.origin).not.toRequireAuthentication()
  expect(await failureOf(() => expect(page.origin).not.toRequireAuthentication())).toContain(
    '[error] expect(agent).not.toRequireAuthentication()',
  )
})

test('a card that declares nothing is an error, negated or not', async () => {
  await using server = await open()

  for (const polarity of [expect(server.origin), expect(server.origin).not]) {
    expect(await failureOf(() => polarity.toRequireAuthentication())).toMatch(
      /^\[error\] [^]*Error: the card declares no authentication, so there is nothing to require\nFix: {3}Declare securitySchemes/,
    )
  }
  expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'GET'])
})

test('credentials that may not go to the address of the card are an error, not a fault of the agent', async () => {
  await using elsewhere = await guarded()
  await using server = await guarded([], { ...guardedCard, url: `${elsewhere.origin}/rpc` })

  const failure = await failureOf(() => expect(server.origin).toRequireAuthentication({ credentials }))

  expect(failure).toMatch(/^\[error\]/)
  expect(failure).toContain("because it is not the agent's own origin")
  expect(failure).toContain('trustedOrigins')
  expect(elsewhere.requests.some(({ headers }) => headers.authorization === 'Bearer t0ken')).toBe(false)
})

test.each([
  [
    { operation: ['send'] },
    'toRequireAuthentication(): there is no option `operation`. Did you mean `operations`?',
  ],
  [
    { operations: ['sendMessage'] },
    'toRequireAuthentication(): `operations[0]` must be "getTask", "send", "stream", "subscribe", "cancelTask", "listTasks" or "extendedCard"; received "sendMessage".',
  ],
  [
    { credentials: 'S3cret' },
    'must be an object of strings or functions, by the names of the security schemes',
  ],
  [
    { interfaces: 'both' },
    'toRequireAuthentication(): `interfaces` must be "all" or "first"; received "both".',
  ],
  [
    { credentials: { oauth: 'x' } },
    'credentials names the scheme "oauth", which the agent card does not declare: it has "bearer"',
  ],
])('misuse: %j', async (options, message) => {
  await using server = await guarded()

  const failure = await failureOf(() => misuse(expect(server.origin).not, 'toRequireAuthentication')(options))

  expect(failure).toMatch(/^\[error\]/)
  expect(failure).toContain(message)
  expect(failure).not.toContain('S3cret')
})

test('a client certificate is not sent in unauthenticated requests, and a failed handshake is a rejection', async () => {
  const schemes = { securitySchemes: { tls: { type: 'mutualTLS' } }, security: [{ tls: [] }] }
  const card = { ...CARD03, ...schemes, capabilities: {} }
  const answer = (body: string): object => ({ jsonrpc: '2.0', id: (JSON.parse(body) as { id: number }).id })
  const server = createServer(
    { ...testTls, ca: testCa, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      const { port } = server.address() as AddressInfo
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        const json =
          request.method === 'GET'
            ? { ...card, url: `https://localhost:${port}/rpc` }
            : { ...answer(body), result: wireMessage('hi') }
        response.setHeader('content-type', 'application/json').end(JSON.stringify(json))
      })
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `https://localhost:${(server.address() as AddressInfo).port}`
  const shown = { ca: testCa, cert: testTls.cert, key: testTls.key }
  try {
    await using agent = a2aAgent(url, { tls: shown })

    expect(await failureOf(() => expect(agent).not.toRequireAuthentication())).toContain(
      'Received: 2 unauthenticated requests rejected, 2 authenticated requests served; the card requires "tls"',
    )
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
