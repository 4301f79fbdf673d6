import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { startFixture, type FixtureExchange } from '../../support/fixtureServer.ts'
import { manualClock } from '../../support/manualClock.ts'
import { watchedClock } from '../../support/watchedClock.ts'
import { card03, card10, handleOf, methods, result, rpcError } from '../support.ts'

const on = (rpc: string, ...answer: object[]) =>
  Object.assign({ on: 'POST /rpc', rpc }, ...answer) as FixtureExchange
const frame = (value: unknown): string =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', id: '$id', result: value })}\n\n`
const task10 = (state: string, more: object = {}) => ({
  id: 't1',
  contextId: 'c1',
  status: { state: `TASK_STATE_${state}` },
  ...more,
})
const status10 = (state: string, more: object = {}) => ({
  statusUpdate: { taskId: 't1', contextId: 'c1', status: { state: `TASK_STATE_${state}`, ...more } },
})
const artifact10 = {
  artifactUpdate: { taskId: 't1', contextId: 'c1', artifact: { artifactId: 'a', parts: [{ text: 'hi' }] } },
}
const text10 = { artifacts: [{ artifactId: 'a', parts: [{ text: 'hi' }] }] }

describe('waiting for a task by its events', () => {
  test('a snapshot and what follows it are the answer; nothing is polled', async () => {
    const says = { message: { messageId: 'm9', role: 'ROLE_AGENT', parts: [{ text: 'almost' }] } }
    await using helpdesk = await startFixture([
      card10(),
      on('SendMessage', result({ task: task10('SUBMITTED') })),
      on('SubscribeToTask', {
        sse: [{ task: task10('WORKING') }, status10('WORKING', says), artifact10, status10('COMPLETED')].map(
          frame,
        ),
      }),
    ])

    const reply = await handleOf(helpdesk).send('ping')

    expect(reply).toMatchObject({
      text: 'hi',
      state: 'completed',
      progress: ['almost'],
      unsettled: false,
      wait: { polls: 0, subscribed: true },
      findings: [],
    })
    expect(methods(helpdesk)).toEqual(['SendMessage', 'SubscribeToTask'])
    expect(reply.exchanges.map(({ purpose }) => purpose)).toEqual(['SendMessage', 'SubscribeToTask'])
  })

  test('without a snapshot the task is fetched once more, for what was missed', async () => {
    const done = {
      kind: 'status-update',
      taskId: 't1',
      contextId: 'c1',
      status: { state: 'completed' },
      final: true,
    }
    await using helpdesk = await startFixture([
      card03(),
      on('message/send', result({ kind: 'task', id: 't1', contextId: 'c1', status: { state: 'working' } })),
      on('tasks/resubscribe', { sse: [frame(done)] }),
      on(
        'tasks/get',
        result({
          kind: 'task',
          id: 't1',
          contextId: 'c1',
          status: { state: 'completed' },
          artifacts: [{ artifactId: 'a', parts: [{ kind: 'text', text: 'hi' }] }],
        }),
      ),
    ])

    const reply = await handleOf(helpdesk).send('ping')

    expect(reply).toMatchObject({ text: 'hi', wait: { polls: 1, subscribed: true }, findings: [] })
    expect(methods(helpdesk)).toEqual(['message/send', 'tasks/resubscribe', 'tasks/get'])
  })

  test.each([
    ['input-required', 'INPUT_REQUIRED'],
    ['auth-required', 'AUTH_REQUIRED'],
  ])('ends at %s, even if the connection stays open', async (state, wire) => {
    await using helpdesk = await startFixture([
      card10(),
      on('SendMessage', result({ task: task10('WORKING') })),
      on('SubscribeToTask', {
        holdAt: 2,
        sse: [{ task: task10('WORKING') }, status10(wire), status10('WORKING')].map(frame),
      }),
    ])

    expect(await handleOf(helpdesk).send('ping')).toMatchObject({ state, unsettled: false })
    await expect.poll(() => helpdesk.requests.at(-1)?.aborted).toBe(true)
  })

  test.each([
    ['the agent knows no subscriptions', rpcError(-32601, 'Method not found'), 1],
    ['the task is over already', rpcError(-32004, 'the task is completed'), 1],
    ['the task is over already, as some say it', rpcError(-32602, 'the task is completed'), 1],
    ['the stream breaks off', { holdAt: 1, drop: true }, 1],
    ['the stream is closed in the middle of the task', { sse: [frame({ task: task10('WORKING') })] }, 1],
    ['the answer is one plain task', result({ task: task10('WORKING') }), 1],
  ])('falls back to polling when %s', async (_, answer, polls) => {
    await using helpdesk = await startFixture([
      card10(),
      on('SendMessage', result({ task: task10('WORKING') })),
      on('SubscribeToTask', answer),
      on('GetTask', result(task10('COMPLETED', text10))),
    ])

    const reply = await handleOf(helpdesk).send('ping')

    expect(reply).toMatchObject({ text: 'hi', state: 'completed', unsettled: false, wait: { polls } })
    expect(methods(helpdesk)).toEqual(['SendMessage', 'SubscribeToTask', 'GetTask'])
  })

  test('an agent without subscriptions is asked for one only once', async () => {
    await using helpdesk = await startFixture([
      card10(),
      on('SendMessage', { times: '*', ...result({ task: task10('WORKING') }) }),
      on('SubscribeToTask', { times: '*', ...rpcError(-32601, 'Method not found') }),
      on('GetTask', { times: '*', ...result(task10('COMPLETED', text10)) }),
    ])
    const agent = handleOf(helpdesk)
    await agent.send('ping')
    await agent.send('ping')

    expect(methods(helpdesk).filter((method) => method === 'SubscribeToTask')).toHaveLength(1)
  })

  test('an agent that declares no streaming is only polled', async () => {
    await using helpdesk = await startFixture([
      card10({ capabilities: {} }),
      on('SendMessage', result({ task: task10('WORKING') })),
      on('GetTask', result(task10('COMPLETED', text10))),
    ])

    expect(await handleOf(helpdesk).send('ping')).toMatchObject({ text: 'hi' })
    expect(methods(helpdesk)).toEqual(['SendMessage', 'GetTask'])
  })

  test('detects a subscription that never sends the end', async () => {
    const clock = watchedClock()
    await using helpdesk = await startFixture([
      card10(),
      on('SendMessage', result({ task: task10('WORKING') })),
      on('SubscribeToTask', {
        holdAt: 1,
        sse: [frame({ task: task10('WORKING') }), frame(status10('COMPLETED'))],
      }),
      on('GetTask', result(task10('COMPLETED', text10))),
    ])
    const sending = handleOf(helpdesk, clock.options, { deps: { clock } }).send('ping')
    // One before its first event, one after.
    await clock.silent(2)
    await clock.advance(5000)
    // The news may be on their way: one is for the first event, one for the open subscription.
    await clock.set(250, 3)
    await clock.advance(250)

    const reply = await sending

    expect(reply).toMatchObject({ text: 'hi', state: 'completed', wait: { polls: 1, subscribed: true } })
    expect(reply.findings).toMatchObject([
      {
        id: 'wire/silent-subscription',
        level: 'warning',
        message: 'SubscribeToTask did not report within 5000 ms that task t1 is completed',
      },
    ])
  })

  test('a task that never ends is reported as stuck, with what was seen', async () => {
    const stuck = task10('WORKING')
    const timestamp = '2026-01-01T00:00:00.000Z'
    const status = { ...stuck.status, timestamp }
    const clock = watchedClock()
    await using helpdesk = await startFixture([
      card10(),
      on('SendMessage', result({ task: { ...stuck, status } })),
      on('SubscribeToTask', {
        holdAt: 1,
        sse: [frame({ task: { ...stuck, status } }), frame(status10('COMPLETED'))],
      }),
      on('GetTask', { times: '*', ...result({ ...stuck, status }) }),
    ])
    const sending = handleOf(helpdesk, { ...clock.options, waitMs: 4000 }, { deps: { clock } }).send('ping')
    await clock.silent(2)
    await clock.advance(4000)

    const reply = await sending

    expect(reply).toMatchObject({ state: 'working', unsettled: true, wait: { subscribed: true } })
    expect(reply.findings).toMatchObject([
      {
        id: 'wire/unsettled',
        message: `task t1 still working after 4000 ms and 0 polls and 1 event; status unchanged since ${timestamp}`,
      },
    ])
  })
})

test('the completion of a slow task is seen at once', async () => {
  let subscriber: ServerResponse | undefined
  const json = (response: ServerResponse, value: unknown): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      const { port } = server.address() as AddressInfo
      const url = `http://127.0.0.1:${port}/rpc`
      json(response, {
        ...slowCard,
        supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      })
      return
    }
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { id, method } = JSON.parse(body) as { id: unknown; method: string }
      if (method === 'SendMessage')
        json(response, { jsonrpc: '2.0', id, result: { task: task10('WORKING') } })
      else {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(frame({ task: task10('WORKING') }))
        subscriber = response
      }
    })
  })
  const slowCard = {
    name: 'Slow',
    description: 'Slow',
    version: '1',
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const clock = manualClock()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const sending = handleOf({ url }, {}, { deps: { clock } }).send('ping')
  await expect.poll(() => subscriber !== undefined).toBe(true)

  const before = clock.now()
  subscriber?.write(frame(status10('COMPLETED')))
  const reply = await sending

  expect(reply).toMatchObject({ state: 'completed', wait: { polls: 0 } })
  // Nothing was slept for, and no timer had to fire: the clock stands still.
  expect([clock.sleeps, clock.now()]).toEqual([[], before])
  server.closeAllConnections()
  server.close()
})
