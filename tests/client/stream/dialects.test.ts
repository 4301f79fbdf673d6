import { describe, expect, test } from 'vitest'
import type { AgentOptions } from '../../../src/client/types.ts'
import { startFixture, type FixtureExchange } from '../../support/fixtureServer.ts'
import { watchedClock } from '../../support/watchedClock.ts'
import { card03, card10, failure, handleOf, methods, posts, rpcError } from '../support.ts'

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const rpcEvent = (value: unknown): string => event({ jsonrpc: '2.0', id: '$id', result: value })
const rest = 'http://127.0.0.1:4100/rest'

const events01 = [
  { id: 't1', status: { state: 'working' }, final: false },
  {
    id: 't1',
    artifact: { parts: [{ type: 'text', text: 'Hel' }], index: 0, append: false, lastChunk: false },
  },
  { id: 't1', artifact: { parts: [{ type: 'text', text: 'lo' }], index: 0, append: true, lastChunk: true } },
  { id: 't1', status: { state: 'completed' }, final: true },
]
const ids = { taskId: 't1', contextId: 'c1' }
const events03 = [
  { kind: 'task', id: 't1', contextId: 'c1', status: { state: 'submitted' } },
  { kind: 'artifact-update', ...ids, artifact: { artifactId: 'a', parts: [{ kind: 'text', text: 'Hel' }] } },
  {
    kind: 'artifact-update',
    ...ids,
    append: true,
    lastChunk: true,
    artifact: { artifactId: 'a', parts: [{ kind: 'text', text: 'lo' }] },
  },
  { kind: 'status-update', ...ids, status: { state: 'completed' }, final: true },
]
const eventsProto = (final: object) => [
  { task: { id: 't1', contextId: 'c1', status: { state: 'TASK_STATE_SUBMITTED' } } },
  { artifactUpdate: { ...ids, artifact: { artifactId: 'a', parts: [{ text: 'Hel' }] } } },
  {
    artifactUpdate: {
      ...ids,
      append: true,
      lastChunk: true,
      artifact: { artifactId: 'a', parts: [{ text: 'lo' }] },
    },
  },
  { statusUpdate: { ...ids, status: { state: 'TASK_STATE_COMPLETED' }, ...final } },
]

const rows: [string, FixtureExchange, AgentOptions, string, object, string, string[], unknown][] = [
  [
    '0.1',
    card03(),
    { version: '0.1' },
    'POST /rpc',
    { rpc: 'tasks/sendSubscribe' },
    'tasks/sendSubscribe',
    events01.map(rpcEvent),
    { id: 'm2', sessionId: 'm3', message: { role: 'user', parts: [{ type: 'text', text: 'ping' }] } },
  ],
  [
    '0.3',
    card03(),
    {},
    'POST /rpc',
    { rpc: 'message/stream' },
    'message/stream',
    events03.map(rpcEvent),
    {
      message: { kind: 'message', messageId: 'm1', role: 'user', parts: [{ kind: 'text', text: 'ping' }] },
      configuration: { blocking: true },
    },
  ],
  [
    '0.3',
    card03({ url: rest, preferredTransport: 'HTTP+JSON' }),
    { binding: 'HTTP+JSON' },
    'POST /rest/v1/message:stream',
    {},
    'POST /v1/message:stream',
    eventsProto({ final: true }).map(event),
    {
      message: { messageId: 'm1', role: 'ROLE_USER', content: [{ text: 'ping' }] },
      configuration: { blocking: true },
    },
  ],
  [
    '1.0',
    card10(),
    {},
    'POST /rpc',
    { rpc: 'SendStreamingMessage' },
    'SendStreamingMessage',
    eventsProto({}).map(rpcEvent),
    { message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'ping' }] } },
  ],
  [
    '1.0',
    card10({
      supportedInterfaces: [
        { url: rest, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: 'blue' },
      ],
    }),
    {},
    'POST /rest/blue/message:stream',
    {},
    'POST /blue/message:stream',
    eventsProto({}).map(event),
    { tenant: 'blue', message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'ping' }] } },
  ],
]

describe('stream()', () => {
  test.each(rows)(
    '%s: as the version has it (%#)',
    async (dialect, card, options, on, more, method, sse, body) => {
      await using helpdesk = await startFixture([card, { on, ...more, sse }])
      const stream = handleOf(helpdesk, options).stream('ping')
      const reply = await stream.reply()

      expect(reply).toMatchObject({ text: 'Hello', state: 'completed', taskId: 't1', dialect, findings: [] })
      expect(reply.contextId).toBe(dialect === '0.1' ? 'm3' : 'c1')
      expect(stream).toMatchObject({ method, closed: true, ended: dialect === '1.0' ? 'terminal' : 'final' })
      const [sent] = posts(helpdesk)
      expect(sent?.rpc === undefined ? JSON.parse(sent?.body ?? '') : sent.rpc.params).toEqual(body)
      expect(sent?.headers.accept).toBe('text/event-stream')
      expect(sent?.headers['a2a-version']).toBe(dialect === '1.0' ? '1.0' : undefined)
    },
  )

  test.each(rows.filter(([dialect]) => dialect !== '0.1'))(
    '%s: extensions are sent in the header (%#)',
    async (dialect, card, options, on, more, _method, sse) => {
      await using helpdesk = await startFixture([card, { on, ...more, sse }])

      await handleOf(helpdesk, { ...options, extensions: ['urn:a', 'urn:b'] })
        .stream('ping')
        .reply()

      const { headers } = posts(helpdesk)[0]!
      const names = ['a2a-extensions', 'x-a2a-extensions']
      const own = dialect === '1.0' ? 0 : 1
      expect([headers[names[own]!], headers[names[1 - own]!]]).toEqual(['urn:a,urn:b', undefined])
    },
  )

  test.each([
    ['message/stream', '0.3', events03],
    ['tasks/sendSubscribe', '0.1', events01],
  ])('falls back to %s on proof', async (rpc, dialect, events) => {
    await using helpdesk = await startFixture([
      card10(),
      { on: 'POST /rpc', rpc, sse: events.map(rpcEvent) },
      { on: 'POST /rpc', times: '*', ...rpcError(-32601, 'Method not found') },
    ])
    const stream = handleOf(helpdesk).stream('ping')

    expect(await stream.reply()).toMatchObject({ text: 'Hello', dialect, declared: '1.0' })
    expect(stream.findings[0]).toMatchObject({
      id: 'wire/fallback',
      message: expect.stringContaining(
        `card says 1.0, but SendStreamingMessage → -32601 and ${rpc} works`,
      ) as string,
    })
    expect(methods(helpdesk).at(-1)).toBe(rpc)
  })

  test('and reports everything that was tried', async () => {
    await using helpdesk = await startFixture([
      card10(),
      { on: 'POST /rpc', times: '*', ...rpcError(-32601, 'Method not found') },
    ])

    expect(await failure(handleOf(helpdesk).stream('ping').open())).toMatchObject({
      code: 'RPC_ERROR',
      message: expect.stringMatching(
        /SendStreamingMessage was answered with error -32601 .*; then message\/stream → -32601, tasks\/sendSubscribe → -32601; the card declares streaming$/,
      ) as string,
    })
  })

  test('never after an error that says nothing about the method', async () => {
    await using helpdesk = await startFixture([
      card10(),
      { on: 'POST /rpc', times: '*', ...rpcError(-32603, 'boom') },
    ])

    expect(await failure(handleOf(helpdesk).stream('ping').open())).toMatchObject({ rpcCode: -32603 })
    expect(methods(helpdesk)).toEqual(['SendStreamingMessage'])
  })

  test('shares what it learns with send()', async () => {
    await using helpdesk = await startFixture([
      card10(),
      { on: 'POST /rpc', rpc: 'message/stream', sse: events03.map(rpcEvent) },
      {
        on: 'POST /rpc',
        rpc: 'message/send',
        json: { jsonrpc: '2.0', id: '$id', result: { ...events03[0], status: { state: 'completed' } } },
      },
      { on: 'POST /rpc', times: '*', ...rpcError(-32601, 'Method not found') },
    ])
    const agent = handleOf(helpdesk)
    await agent.stream('ping').reply()
    await agent.send('ping')

    expect(methods(helpdesk)).toEqual(['SendStreamingMessage', 'message/stream', 'message/send'])
  })

  test('continues a conversation, and registers a push config', async () => {
    await using helpdesk = await startFixture([
      card03(),
      { on: 'POST /rpc', rpc: 'message/stream', sse: events03.map(rpcEvent) },
    ])
    const pushConfig = {
      url: 'https://me.test/hook',
      authentication: { scheme: 'Bearer', credentials: 's3cret' },
    }
    const agent = handleOf(helpdesk)
    const reply = await agent
      .stream('ping', { contextId: 'c0', metadata: { a: 1 }, configuration: { pushConfig } })
      .reply()

    expect(posts(helpdesk)[0]?.rpc?.params).toMatchObject({
      message: { contextId: 'c0' },
      metadata: { a: 1 },
      configuration: {
        pushNotificationConfig: {
          url: pushConfig.url,
          authentication: { schemes: ['Bearer'], credentials: 's3cret' },
        },
      },
    })
    expect(reply.findings).toMatchObject([{ id: 'wire/context-changed' }])
  })
})

describe('a stream that is not kept', () => {
  const chunks = 2000
  const big = 'x'.repeat(1000)

  test('knows how it ended, but not what was said', async () => {
    const sse = [
      rpcEvent(events03[0]),
      ...Array.from({ length: chunks }, (_, at) =>
        rpcEvent({
          kind: 'artifact-update',
          ...ids,
          append: at > 0,
          artifact: { artifactId: 'a', parts: [{ kind: 'text', text: big }] },
        }),
      ),
      rpcEvent(events03[3]),
    ]
    await using helpdesk = await startFixture([
      card03(),
      { on: 'POST /rpc', rpc: 'message/stream', sse: [sse.join('')] },
    ])
    const stream = handleOf(helpdesk).stream('ping', { keep: false })
    let bytes = 0
    for await (const one of stream) {
      const [part] = one.type === 'artifact' ? one.artifact.parts : []
      if (part?.kind === 'text') bytes += part.text.length
    }
    const reply = await stream.reply()

    expect(bytes).toBe(chunks * big.length)
    expect(stream.timings.events).toHaveLength(chunks + 2)
    expect(reply).toMatchObject({ state: 'completed', text: '', findings: [] })
    expect(JSON.stringify(reply.task).length).toBeLessThan(chunks * 50)
  })
})

describe('a stream that does not end', () => {
  test('is ended after waitMs, with what was seen', async () => {
    await using helpdesk = await startFixture([
      card03(),
      { on: 'POST /rpc', rpc: 'message/stream', holdAt: 1, sse: events03.map(rpcEvent) },
    ])
    const clock = watchedClock()
    const stream = handleOf(helpdesk, { ...clock.options, waitMs: 60 }, { deps: { clock } }).stream('ping')
    const reading = stream.reply()
    await clock.silent(2)
    await clock.advance(60)
    const reply = await reading

    expect(stream).toMatchObject({ ended: 'aborted', closed: false })
    expect(reply).toMatchObject({ state: 'submitted', unsettled: true })
    expect(reply.findings).toMatchObject([
      {
        id: 'wire/unsettled',
        level: 'error',
        message: 'task t1 still submitted after 60 ms and 1 event',
      },
    ])
  })

  test('is an error that names the option if nothing was said', async () => {
    await using helpdesk = await startFixture([
      card03(),
      { on: 'POST /rpc', rpc: 'message/stream', holdAt: 'body', sse: events03.map(rpcEvent) },
    ])
    const clock = watchedClock()
    const stream = handleOf(helpdesk, { ...clock.options, waitMs: 60 }, { deps: { clock } }).stream('ping')
    const failing = failure(stream.reply())
    await clock.silent(1)
    await clock.advance(60)

    expect(await failing).toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringMatching(
        /stayed open for 60 ms without a Task or a Message \(option waitMs\)$/,
      ) as string,
      fix: 'Let the agent send its Task first; if it is that slow, raise waitMs.',
    })
  })
})
