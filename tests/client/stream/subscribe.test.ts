import { describe, expect, test } from 'vitest'
import type { A2AStream } from '../../../src/client/types.ts'
import { startFixture, type FixtureExchange } from '../../support/fixtureServer.ts'
import { card03, card10, failure, handleOf, methods, posts, rpcError } from '../support.ts'

const frame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const enveloped = (value: unknown): string => frame({ jsonrpc: '2.0', id: '$id', result: value })
const on = (where: string, answer: object): FixtureExchange => Object.assign({ on: where }, answer)

const task03 = { kind: 'task', id: 't1', contextId: 'c1', status: { state: 'working' } }
const done03 = {
  kind: 'status-update',
  taskId: 't1',
  contextId: 'c1',
  status: { state: 'completed' },
  final: true,
}
const task10 = { task: { id: 't1', contextId: 'c1', status: { state: 'TASK_STATE_WORKING' } } }
const done10 = { statusUpdate: { taskId: 't1', contextId: 'c1', status: { state: 'TASK_STATE_COMPLETED' } } }

const rest03 = card03({
  url: 'http://127.0.0.1:4100/rest',
  preferredTransport: 'HTTP+JSON',
})
const rest10 = card10({
  supportedInterfaces: [
    {
      url: 'http://127.0.0.1:4100/rest',
      protocolBinding: 'HTTP+JSON',
      protocolVersion: '1.0',
      tenant: 'blue',
    },
  ],
})

async function types(stream: A2AStream): Promise<string[]> {
  const seen: string[] = []
  for await (const event of stream) seen.push(event.type)
  return seen
}

describe('a subscription over JSON-RPC', () => {
  test.each([
    [
      '0.1',
      'tasks/resubscribe',
      { version: '0.1' as const },
      [{ id: 't1', status: { state: 'completed' }, final: true }],
    ],
    ['0.3', 'tasks/resubscribe', {}, [task03, done03]],
  ])('%s: %s', async (dialect, rpc, options, events) => {
    await using helpdesk = await startFixture([
      card03(),
      Object.assign(on('POST /rpc', { rpc, sse: events.map(enveloped) })),
    ])
    const stream = handleOf(helpdesk, options).subscribe('t1')

    expect(await types(stream)).toHaveLength(events.length)
    expect(stream).toMatchObject({ ended: 'final', dialect, method: rpc, findings: [] })
    expect(posts(helpdesk)[0]).toMatchObject({ rpc: { method: rpc, params: { id: 't1' } } })
    expect(posts(helpdesk)[0]?.headers.accept).toBe('text/event-stream')
  })

  test('1.0: SubscribeToTask', async () => {
    await using helpdesk = await startFixture([
      card10(),
      on('POST /rpc', { rpc: 'SubscribeToTask', sse: [enveloped(task10), enveloped(done10)] }),
    ])
    const stream = handleOf(helpdesk).subscribe('t1')

    expect(await stream.reply()).toMatchObject({ state: 'completed', taskId: 't1', dialect: '1.0' })
    expect(stream.ended).toBe('terminal')
    expect(posts(helpdesk)[0]?.rpc?.params).toEqual({ id: 't1' })
    expect(posts(helpdesk)[0]?.headers['a2a-version']).toBe('1.0')
  })

  test('falls back to another dialect on proof, as send does', async () => {
    await using helpdesk = await startFixture([
      card10(),
      on('POST /rpc', { rpc: 'SubscribeToTask', ...rpcError(-32601, 'Method not found') }),
      on('POST /rpc', { rpc: 'tasks/resubscribe', sse: [enveloped(task03), enveloped(done03)] }),
    ])
    const stream = handleOf(helpdesk).subscribe('t1')

    expect(await stream.reply()).toMatchObject({ state: 'completed', dialect: '0.3', declared: '1.0' })
    expect(methods(helpdesk)).toEqual(['SubscribeToTask', 'tasks/resubscribe'])
    expect(stream.findings).toMatchObject([{ id: 'wire/fallback' }])
  })

  test('no other dialect is tried once the agent has answered in one', async () => {
    await using helpdesk = await startFixture([
      card03(),
      on('POST /rpc', { rpc: 'tasks/get', json: { jsonrpc: '2.0', id: '$id', result: task03 } }),
      on('POST /rpc', { rpc: 'tasks/resubscribe', ...rpcError(-32601, 'Method not found') }),
    ])
    const agent = handleOf(helpdesk)
    await agent.getTask('t1')

    expect(await failure(agent.subscribe('t1').open())).toMatchObject({
      code: 'RPC_ERROR',
      rpcCode: -32601,
      message: expect.stringContaining('the card declares streaming') as string,
    })
    expect(methods(helpdesk)).toEqual(['tasks/get', 'tasks/resubscribe'])
  })

  test('an error within the stream is thrown at its position', async () => {
    await using helpdesk = await startFixture([
      card10(),
      on('POST /rpc', {
        rpc: 'SubscribeToTask',
        sse: [
          enveloped(task10),
          frame({ jsonrpc: '2.0', id: '$id', error: { code: -32603, message: 'the worker died' } }),
        ],
      }),
    ])
    const stream = handleOf(helpdesk).subscribe('t1')

    expect(await failure(types(stream))).toMatchObject({
      code: 'RPC_ERROR',
      rpcCode: -32603,
      message: expect.stringContaining('the worker died') as string,
    })
    expect(stream.soFar()).toMatchObject({ state: 'working' })
    expect(await failure(stream.reply())).toMatchObject({ rpcCode: -32603 })
  })
})

describe('a subscription over HTTP+JSON', () => {
  const sse03 = [
    frame({ task: { ...task03, kind: undefined } }),
    frame({ statusUpdate: { ...done03, kind: undefined } }),
  ]
  const sse10 = [frame(task10), frame(done10)]

  test.each([
    ['0.3', rest03, '/rest/v1/tasks/t1:subscribe', sse03],
    ['1.0', rest10, '/rest/blue/tasks/t1:subscribe', sse10],
  ])('%s: by POST', async (dialect, card, path, sse) => {
    await using helpdesk = await startFixture([card, on(`POST ${path}`, { sse })])
    const stream = handleOf(helpdesk, { binding: 'HTTP+JSON' }).subscribe('t1')

    expect(await stream.reply()).toMatchObject({ state: 'completed', dialect })
    expect(stream).toMatchObject({ method: `POST ${path.slice(5)}`, findings: [] })
  })

  test.each([
    ['0.3', rest03, '/rest/v1/tasks/t1:subscribe', sse03, 405],
    ['1.0', rest10, '/rest/blue/tasks/t1:subscribe', sse10, 404],
  ])('%s: by GET where POST is answered with HTTP %i', async (dialect, card, path, sse, status) => {
    await using helpdesk = await startFixture([
      card,
      on(`POST ${path}`, { status }),
      on(`GET ${path}`, { sse }),
    ])
    const agent = handleOf(helpdesk, { binding: 'HTTP+JSON' })
    const stream = agent.subscribe('t1')

    expect(await stream.reply()).toMatchObject({ state: 'completed', dialect })
    expect(stream.method).toBe(`GET ${path.slice(5)}`)
    expect(stream.findings).toMatchObject([
      {
        id: 'wire/subscribe-verb',
        level: 'note',
        message: `POST ${path.slice(5)} was answered with HTTP ${status}, so GET was tried`,
      },
    ])
    // The next one knows.
    await agent.subscribe('t1').reply()
    expect(posts(helpdesk)).toHaveLength(1)
  })

  test('an A2A error is not taken for an unsupported HTTP verb', async () => {
    await using helpdesk = await startFixture([
      rest10,
      on('POST /rest/blue/tasks/t1:subscribe', {
        status: 404,
        json: {
          error: {
            code: 404,
            status: 'NOT_FOUND',
            message: 'no task t1',
            details: [
              {
                '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
                reason: 'TASK_NOT_FOUND',
                domain: 'a2a-protocol.org',
              },
            ],
          },
        },
      }),
    ])

    expect(await failure(handleOf(helpdesk).subscribe('t1').open())).toMatchObject({ rpcCode: -32001 })
    expect(helpdesk.requests.map(({ method }) => method)).toEqual(['GET', 'POST'])
  })

  test('event: error ends it', async () => {
    await using helpdesk = await startFixture([
      rest10,
      on('POST /rest/blue/tasks/t1:subscribe', {
        sse: [frame(task10), `event: error\n${frame({ error: { code: 500, message: 'the worker died' } })}`],
      }),
    ])
    const stream = handleOf(helpdesk).subscribe('t1')

    expect(await failure(stream.reply())).toMatchObject({
      code: 'RPC_ERROR',
      message: expect.stringContaining(
        'SubscribeToTask failed within its stream: "the worker died"',
      ) as string,
    })
  })
})
