import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import '../../src/vitest.ts'
import { startFixture, type FixtureExchange, type FixtureServer } from '../support/fixtureServer.ts'
import { handleOf, posts } from './support.ts'

interface Recorded {
  n: number
  request: {
    path: string
    headers: Record<string, string>
    body: { params: { message: { messageId: string } } }
  }
  response: { status: number; headers: Record<string, string>; body: unknown; events?: unknown[] }
  eventsOfExchange8AfterApproval?: unknown[]
}

// The recorded agents stand on three ports of localhost; here each has its own port.
const text = readFileSync(new URL('../fixtures/trace.json', import.meta.url), 'utf8').replaceAll(
  'http://localhost:',
  'http://127.0.0.1:',
)
const exchanges = JSON.parse(text) as Recorded[]
const recorded = (n: number): Recorded => exchanges.find((exchange) => exchange.n === n)!
const messageId = (n: number): string => recorded(n).request.body.params.message.messageId

function served(port: number, card: number, ...answers: number[]): FixtureExchange[] {
  const entry = (n: number, on: string): FixtureExchange => ({
    on,
    port,
    status: recorded(n).response.status,
    headers: recorded(n).response.headers,
    text: JSON.stringify(recorded(n).response.body),
    times: 1,
  })
  return [
    entry(card, 'GET /.well-known/agent-card.json'),
    ...answers.map((n) => entry(n, 'POST /a2a/jsonrpc')),
  ]
}

/** Our request against the recorded one: its body byte for byte, and each of its headers but the host. */
function expectSameRequest(server: FixtureServer, at: number, n: number): void {
  const { request } = recorded(n)
  const sent = posts(server)[at]!
  expect(`${sent.method} ${sent.path}`).toBe(`POST ${request.path}`)
  expect(sent.body).toBe(JSON.stringify(request.body))
  for (const [name, value] of Object.entries(request.headers)) {
    if (name !== 'Host') expect(sent.headers[name.toLowerCase()]).toBe(value)
  }
}

test.each([
  [1, 41241, 'run-tests'],
  [2, 41242, 'review-diff'],
])('exchange %i: the card is asked for as recorded, and it is valid', async (n, port, skill) => {
  await using server = await startFixture(served(port, n), { ports: [port] })
  const agent = handleOf({ url: server.origins[port]! })

  await expect(agent).toHaveValidAgentCard({ failOn: 'warning' })
  await expect(agent).toAdvertiseSkill(skill)

  const { path, headers } = recorded(n).request
  expect(server.requests.map((sent) => `${sent.method} ${sent.path}`)).toEqual([`GET ${path}`])
  expect(server.requests[0]?.headers.accept).toBe(headers['Accept'])
  const { discovery } = await agent.card()
  expect(discovery.found?.json).toEqual(JSON.parse(server.fill(JSON.stringify(recorded(n).response.body))))
})

test('exchange 4: a task of the test-runner that is completed at once', async () => {
  await using server = await startFixture(served(41241, 1, 4), { ports: [41241] })
  const agent = handleOf({ url: server.origins[41241]! }, {}, { ids: [messageId(4)] })

  const reply = await agent.send('Run the unit tests for payments-api at commit a41d7c3')

  expectSameRequest(server, 0, 4)
  expect(reply).toMatchObject({
    kind: 'task',
    text:
      'collected 13 items\n' +
      'tests/test_charges.py ........ [ 61%]\n' +
      'tests/test_refunds.py ..... [100%]\n' +
      '13 passed in 4.38s\n',
    state: 'completed',
    contextId: '59e43731-246c-459c-b5c6-bf83035578ba',
    taskId: '954267b7-cd3e-4468-84b2-bba1a2bd61f2',
    data: [{ passed: 13, failed: 0 }],
    files: [],
    progress: [],
    dialect: '1.0',
    declared: '1.0',
    unsettled: false,
    wait: { polls: 0, ms: 0 },
    findings: [],
    agent: `test-runner (${server.origins[41241]})`,
  })
  expect(reply).toHaveArtifact('test-log.txt', '13 passed in 4.38s')
  expect(reply).toHaveArtifact('summary.json', { passed: 13, failed: 0 })
  expect(reply.artifacts.map(({ name }) => name)).toEqual(['test-log.txt', 'summary.json'])
  expect(reply.task?.history).toHaveLength(2)
})

test('exchanges 5 and 6: the code-reviewer asks, and the answer continues its task', async () => {
  await using server = await startFixture(served(41242, 2, 5, 6), { ports: [41242] })
  // Its request ids go on from the exchange before.
  let rpcId = 1
  const agent = handleOf(
    { url: server.origins[41242]! },
    {},
    { ids: [messageId(5), messageId(6)], deps: { rpcId: () => ++rpcId } },
  )
  const diff = {
    kind: 'file' as const,
    bytes:
      'LS0tIGEvdGVzdHMvdGVzdF9yZWZ1bmRzLnB5CisrKyBiL3Rlc3RzL3Rlc3RfcmVmdW5kcy5weQpAQCAtMTUsMyArMTUsNyBAQCBkZWYgdGVzdF9m' +
      'dWxsX3JlZnVuZCgpOgorZGVmIHRlc3RfcGFydGlhbF9yZWZ1bmRfa2VlcHNfY2VudHMoKToKKyAgICBhc3NlcnQgcGFydGlhbF9yZWZ1bmQoY2hh' +
      'cmdlKDEwMDApLCA0NTApLm5ldCA9PSA0NTAK',
    name: 'refunds.diff',
    mediaType: 'text/x-diff',
  }

  const question = await agent.send(['Review this diff of payments-api.', diff])

  expectSameRequest(server, 0, 5)
  expect(question).toMatchObject({
    text: 'Which base branch should I compare this diff against?',
    state: 'input-required',
    contextId: '6e9de948-15f7-48c1-a1c1-fdb3a2e385cb',
    taskId: '80bc7784-c3a4-40bf-a87e-2d67b6e4dd84',
    artifacts: [],
    findings: [],
    unsettled: false,
  })

  const review = await agent.send('main', { after: question })

  expectSameRequest(server, 1, 6)
  expect(review).toMatchObject({
    text: '1 finding in tests/test_refunds.py',
    state: 'completed',
    taskId: question.taskId,
    contextId: question.contextId,
    data: [
      {
        base: 'main',
        findings: [
          {
            file: 'tests/test_refunds.py',
            line: 18,
            severity: 'low',
            finding: 'The test name does not say which rounding rule it checks.',
          },
        ],
      },
    ],
    findings: [],
  })
})

test('exchanges 7 to 9: the deployer waits for an operator, and the subscription sees it through', async () => {
  const frames = [
    ...(recorded(8).response.events ?? []),
    ...(recorded(9).eventsOfExchange8AfterApproval ?? []),
  ].map((event) => `data: ${JSON.stringify(event)}\n\n`)
  const entries = served(41243, 3, 7)
  entries.push({
    on: 'POST /a2a/jsonrpc',
    rpc: 'SubscribeToTask',
    port: 41243,
    headers: recorded(8).response.headers,
    sse: frames,
    // Until the operator approves, there is the snapshot only.
    holdAt: 1,
  })
  await using server = await startFixture(entries, { ports: [41243] })
  let rpcId = 3
  const agent = handleOf(
    { url: server.origins[41243]! },
    { credentials: { bearer: 'dpl_test_7c1e4b' } },
    { ids: [messageId(7)], deps: { rpcId: () => ++rpcId } },
  )

  const asked = await agent.send('Deploy build 2026.10.06-1 to staging')

  expectSameRequest(server, 0, 7)
  expect(asked).toMatchObject({ state: 'auth-required', unsettled: false, findings: [] })

  const stream = agent.subscribe(asked.taskId!)
  const events: string[] = []
  for await (const event of stream) {
    events.push(event.type === 'status' ? event.status.state : event.type)
    if (events.length === 1) {
      expect(stream.soFar()).toMatchObject({ state: 'auth-required' })
      server.release()
    }
  }

  expectSameRequest(server, 1, 8)
  expect(events).toEqual(['task', 'working', 'artifact', 'completed'])
  expect(stream).toMatchObject({ ended: 'terminal', closed: true, findings: [] })
  expect(await stream.reply()).toMatchObject({
    text: 'Build 2026.10.06-1 is live on staging',
    state: 'completed',
    taskId: asked.taskId,
    contextId: asked.contextId,
    progress: ['Approved by an operator. Rolling out to staging'],
    data: [{ environment: 'staging', build: '2026.10.06-1', healthChecks: '3 of 3 passing' }],
  })
})
