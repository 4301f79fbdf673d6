import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createAgent } from '../../../src/agent/handle.ts'
import type { A2AAgent } from '../../../src/agent/types.ts'
import type { AgentOptions } from '../../../src/client/types.ts'
import { systemClock, type Clock } from '../../../src/core/clock.ts'
import { systemDeps } from '../../../src/core/deps.ts'
import { watchedClock } from '../../support/watchedClock.ts'
import { failure, endsAt } from '../support.ts'

// Tests that an open connection blocks nothing.

/** An agent that answers each POST with an event stream in which `chunk` is repeated for ever. */
async function endless(chunk: string): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(404).end()
      return
    }
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const timer = setInterval(() => response.write(chunk), 5)
    response.on('close', () => clearInterval(timer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const handle = (url: string, options: AgentOptions, clock: Clock = systemClock) =>
  createAgent(url, { endpoint: url, version: '0.3', ...options }, systemDeps({ clock, env: {} }))

/** What asking fails with when a second has gone by since its stream was open. */
async function givenUp(
  { url }: { url: string },
  options: AgentOptions,
  ask: (agent: A2AAgent, now: number) => Promise<unknown>,
): Promise<Record<string, unknown>> {
  const clock = watchedClock()
  const failing = failure(ask(handle(url, { ...options, ...clock.options }, clock), clock.now()))
  await clock.silent(1)
  await clock.advance(1000)
  return failing
}

const working = `data: ${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  result: { kind: 'task', id: 't1', contextId: 'c1', status: { state: 'working' } },
})}\n\n`

test.each([
  ['comments only', ': ping\n\n'],
  ['an event that never ends', 'data: xxxx'],
])('a stream of %s ends after requestTimeoutMs', async (_, chunk) => {
  await using helpdesk = await endless(chunk)
  const expected = {
    name: 'A2AConnectionError',
    code: 'TIMEOUT',
    message: expect.stringMatching(
      /^the event stream of POST http:\/\/127\.0\.0\.1:\d+\/? stayed open for 1000 ms without a Task or a Message \(option requestTimeoutMs\)$/,
    ),
    fix: 'Let the agent send its Task first; if it is that slow, raise requestTimeoutMs.',
  }
  const options = { requestTimeoutMs: 1000, waitMs: 60_000 }
  expect(await givenUp(helpdesk, options, (agent) => agent.send('ping'))).toMatchObject(expected)
  expect(await givenUp(helpdesk, options, (agent) => agent.getTask('t1'))).toMatchObject(expected)
})

test('if the deadline comes first, the error names it', async () => {
  await using helpdesk = await endless(': ping\n\n')
  const send = givenUp(helpdesk, {}, (agent, now) => agent.send('ping', { signal: endsAt(now + 500) }))
  expect(await send).toMatchObject({
    code: 'DEADLINE',
    message: expect.stringMatching(
      /stayed open for 500 ms without a Task or a Message \(option deadlineMs\)$/,
    ),
  })
  const stream = givenUp(helpdesk, {}, (agent, now) =>
    agent.stream('ping', { signal: endsAt(now + 500) }).reply(),
  )
  expect(await stream).toMatchObject({
    code: 'DEADLINE',
    message: expect.stringMatching(
      /stayed open for 450 ms without a Task or a Message \(option deadlineMs\)$/,
    ),
  })
})

test('returns a task that keeps working in a stream before the deadline', async () => {
  await using helpdesk = await endless(working)
  const clock = watchedClock()
  const agent = handle(helpdesk.url, clock.options, clock)
  const sending = agent.send('ping', { signal: endsAt(clock.now() + 500) })
  await clock.silent(2)
  await clock.advance(450)

  expect((await sending).findings).toMatchObject([
    { message: 'task t1 still working after 450 ms of the event stream that answered' },
  ])
})

test('a task that keeps working in a stream is returned after waitMs', async () => {
  await using helpdesk = await endless(working)

  const reply = await handle(helpdesk.url, { waitMs: 100 }).send('ping')

  expect(reply).toMatchObject({ state: 'working', unsettled: true, taskId: 't1' })
  expect(reply.findings).toMatchObject([
    {
      id: 'wire/unsettled',
      message: expect.stringMatching(
        /^task t1 still working after \d{3,} ms of the event stream that answered$/,
      ),
    },
  ])
})

test('returns the task at its first event without waiting', async () => {
  await using helpdesk = await endless(working)

  const reply = await handle(helpdesk.url, { waitMs: 60_000 }).send('ping', { noWait: true })

  expect(reply).toMatchObject({ state: 'working', unsettled: true })
})
