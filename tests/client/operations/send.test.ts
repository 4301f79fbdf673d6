import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { startFixture, type Fixture } from '../../support/fixtureServer.ts'
import {
  artifacts03,
  card03,
  card10,
  failure,
  handleOf,
  message03,
  message10,
  methods,
  posts,
  result,
  rpcError,
  task03,
} from '../support.ts'

const on = (rpc: string, ...answer: object[]) => Object.assign({ on: 'POST /rpc', rpc }, ...answer)
const ids = (findings: readonly { id: string }[]) => findings.map(({ id }) => id)

describe('H04: the next message', () => {
  const fixture: Fixture = {
    exchange: [
      card03(),
      on('message/send', { turn: 1 }, result(task03('completed', artifacts03('one')))),
      on('message/send', { turn: 2, ifBodyHas: '"taskId":"t1"' }, rpcError(-32602, 'task t1 is finished')),
      on('message/send', { turn: 2 }, result({ ...task03('completed', artifacts03('two')), id: 't2' })),
    ],
  }

  test('after a completed task keeps the context only', async () => {
    await using helpdesk = await startFixture(fixture)
    const agent = handleOf(helpdesk)

    const one = await agent.send('first')
    const two = await agent.send('second', { after: one })

    expect([one.text, two.text]).toEqual(['one', 'two'])
    const { message } = posts(helpdesk)[1]?.rpc?.params as { message: object }
    expect(message).toMatchObject({ contextId: 'c1' })
    expect(message).not.toHaveProperty('taskId')
  })

  test.each([
    ['completed', false],
    ['failed', false],
    ['canceled', false],
    ['rejected', false],
    ['input-required', true],
    ['auth-required', true],
  ])('after %s: the task continues: %s', async (state, goesOn) => {
    await using helpdesk = await startFixture([card03(), on('message/send', result(task03(state)))])
    const agent = handleOf(helpdesk)

    await agent.send('second', { after: await agent.send('first') })

    const { message } = posts(helpdesk)[1]?.rpc?.params as { message: object }
    expect(message).toMatchObject({ contextId: 'c1', ...(goesOn && { taskId: 't1' }) })
    expect('taskId' in message).toBe(goesOn)
  })

  test('uses the task id from the options as it is', async () => {
    await using helpdesk = await startFixture([card03(), on('message/send', result(task03('completed')))])

    await handleOf(helpdesk).send('again', { taskId: 't9', contextId: 'c9', referenceTaskIds: ['t8'] })

    expect(posts(helpdesk)[0]?.rpc?.params).toMatchObject({
      message: { taskId: 't9', contextId: 'c9', referenceTaskIds: ['t8'] },
    })
  })

  test('an answer in another context is a warning', async () => {
    await using helpdesk = await startFixture([card03(), on('message/send', result(task03('completed')))])

    const reply = await handleOf(helpdesk).send('again', { contextId: 'c0' })

    expect(reply.findings).toMatchObject([
      {
        id: 'wire/context-changed',
        level: 'warning',
        message: 'the message continued context "c0", but the answer is in context "c1"',
      },
    ])
  })
})

describe('an answer that comes as an event stream', () => {
  const event = (value: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', id: '$id', result: value })}\n\n`

  test('and closes while the task works is followed by get-task', async () => {
    await using helpdesk = await startFixture([
      card03(),
      on('message/send', { sse: [event(task03('working'))] }),
      on('tasks/get', result(task03('completed', artifacts03('hi')))),
    ])

    expect(await handleOf(helpdesk).send('ping')).toMatchObject({ text: 'hi', unsettled: false })
    expect(methods(helpdesk)).toEqual(['message/send', 'tasks/resubscribe', 'tasks/get'])
  })

  test('is done at input-required, even if the connection stays open', async () => {
    await using helpdesk = await startFixture([
      card03(),
      on('message/send', { holdAt: 1, sse: [event(task03('input-required')), event(task03('completed'))] }),
    ])

    expect(await handleOf(helpdesk).send('ping')).toMatchObject({ state: 'input-required' })
  })

  test('without any event is not a reply', async () => {
    await using helpdesk = await startFixture([card03(), on('message/send', { sse: [''] })])

    expect(await failure(handleOf(helpdesk).send('ping'))).toMatchObject({
      name: 'A2AReplyError',
      code: 'BAD_REPLY',
      message: expect.stringContaining('the stream ended without any event') as string,
    })
  })

  test('and carries an error fails with it', async () => {
    const error = { jsonrpc: '2.0', id: '$id', error: { code: -32603, message: 'boom' } }
    await using helpdesk = await startFixture([
      card03(),
      on('message/send', { sse: [event(task03('working')), `data: ${JSON.stringify(error)}\n\n`] }),
    ])

    expect(await failure(handleOf(helpdesk).send('ping'))).toMatchObject({
      code: 'RPC_ERROR',
      rpcCode: -32603,
    })
  })
})

describe('what is sent', () => {
  test.each([
    ['1.0', card10(), 'SendMessage', message10('ok'), 'a2a-extensions'],
    ['0.3', card03(), 'message/send', message03('ok'), 'x-a2a-extensions'],
  ])('extensions in the header of %s', async (_, card, method, answer, header) => {
    await using helpdesk = await startFixture([card, on(method, result(answer))])

    await handleOf(helpdesk, { extensions: ['urn:a', 'urn:b'] }).send('ping')

    expect(posts(helpdesk)[0]?.headers[header]).toBe('urn:a,urn:b')
  })

  test('tenant, metadata and configuration', async () => {
    await using helpdesk = await startFixture([card10(), on('SendMessage', result(message10('ok')))])

    await handleOf(helpdesk, { tenant: 'blue' }).send('ping', {
      metadata: { trace: 1 },
      configuration: { acceptedOutputModes: ['text/plain'], historyLength: 2 },
    })

    expect(posts(helpdesk)[0]?.rpc?.params).toMatchObject({
      tenant: 'blue',
      metadata: { trace: 1 },
      configuration: { acceptedOutputModes: ['text/plain'], historyLength: 2 },
    })
  })

  test.each([[[]], [[42]], [[{ kind: 'image' }]], [null]])('no message of %j', async (input) => {
    await using helpdesk = await startFixture([card10()])

    expect(await failure(handleOf(helpdesk).send(input as never))).toMatchObject({
      name: 'A2AUsageError',
      code: 'BAD_OPTIONS',
      message: expect.stringMatching(/received .+$/) as string,
    })
    expect(posts(helpdesk)).toEqual([])
  })
})

test('a reply has only its own requests, not concurrent ones', async () => {
  await using helpdesk = await startFixture([
    card03(),
    on('message/send', { times: '*' }, result(message03('hi'))),
  ])
  const agent = handleOf(helpdesk)

  const replies = await Promise.all([agent.send('one'), agent.send('two')])

  for (const reply of replies) expect(reply.exchanges).toHaveLength(1)
  expect(agent.exchanges).toHaveLength(3)
  expect(ids(replies[0].findings)).toEqual([])
})

describe('getTask', () => {
  test('gives the task', async () => {
    await using helpdesk = await startFixture([card03(), on('tasks/get', result(task03('working')))])

    expect(await handleOf(helpdesk).getTask('t1')).toMatchObject({ id: 't1', status: { state: 'working' } })
    expect(posts(helpdesk)[0]?.rpc?.params).toEqual({ id: 't1' })
  })

  test('reports a missing task', async () => {
    await using helpdesk = await startFixture([card03(), on('tasks/get', rpcError(-32001, 'Task not found'))])

    expect(await failure(handleOf(helpdesk).getTask('t1'))).toMatchObject({ rpcCode: -32001 })
  })
})

describe('over HTTP+JSON', () => {
  const rest = {
    supportedInterfaces: [
      {
        url: 'http://127.0.0.1:4100/rest',
        protocolBinding: 'HTTP+JSON',
        protocolVersion: '1.0',
        tenant: 'blue',
      },
    ],
  }
  const task = (state: string, more: object = {}) => ({
    id: 't1',
    contextId: 'c1',
    status: { state },
    ...more,
  })

  test('a 1.0 task is sent and polled below its tenant', async () => {
    await using helpdesk = await startFixture([
      card10(rest),
      { on: 'POST /rest/blue/message:send', json: { task: task('TASK_STATE_SUBMITTED') } },
      {
        on: 'GET /rest/blue/tasks/t1',
        json: task('TASK_STATE_COMPLETED', { artifacts: [{ artifactId: 'a', parts: [{ text: 'hi' }] }] }),
      },
    ])

    const reply = await handleOf(helpdesk).send('ping')

    expect(reply).toMatchObject({ text: 'hi', dialect: '1.0', wait: { polls: 1 }, findings: [] })
    expect(helpdesk.requests.slice(1).every(({ headers }) => headers['a2a-version'] === '1.0')).toBe(true)
  })

  test('an unknown task does not prove an unknown path', async () => {
    const details = [{ '@type': 'x', reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' }]
    await using helpdesk = await startFixture([
      card10(rest),
      {
        on: 'GET /rest/blue/tasks/t9',
        status: 404,
        json: { error: { code: 404, status: 'NOT_FOUND', message: 'no task t9', details } },
      },
    ])

    expect(await failure(handleOf(helpdesk).getTask('t9'))).toMatchObject({
      code: 'RPC_ERROR',
      rpcCode: -32001,
    })
    expect(helpdesk.requests).toHaveLength(2)
  })
})

test('a connection that breaks within the stream is a warning, because polling shows how the task continued', async () => {
  const answer = (id: unknown, value: object) => JSON.stringify({ jsonrpc: '2.0', id, result: value })
  const server = createServer((request, response) => {
    if (request.method === 'GET') return void response.writeHead(404).end()
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { id, method } = JSON.parse(body) as { id: unknown; method: string }
      if (method === 'message/send') {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(`data: ${answer(id, task03('working'))}\n\n`, () => response.destroy())
      } else {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(answer(id, task03('completed', artifacts03('hi'))))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const agent = handleOf({ url }, { endpoint: url, version: '0.3' })

  const reply = await agent.send('ping')
  await agent.close()
  server.close()

  expect(reply).toMatchObject({ text: 'hi', state: 'completed' })
  expect(reply.findings).toMatchObject([
    {
      id: 'wire/stream-cut',
      level: 'warning',
      message: expect.stringMatching(/^the event stream broke off while task t1 was working: /) as string,
    },
  ])
})

test('an agent that changed its dialect in the meantime is detected again', async () => {
  await using helpdesk = await startFixture([
    card03(),
    on('message/send', { times: 1 }, result(message03('old'))),
    on('message/send', rpcError(-32601, 'Method not found')),
    on('tasks/send', rpcError(-32601, 'Method not found')),
    on('SendMessage', result(message10('new'))),
  ])
  const agent = handleOf(helpdesk)

  expect((await agent.send('one')).text).toBe('old')
  const second = await agent.send('two')

  expect(second).toMatchObject({ text: 'new', dialect: '1.0', declared: '0.3' })
  expect(methods(helpdesk)).toEqual(['message/send', 'message/send', 'tasks/send', 'SendMessage'])
})
