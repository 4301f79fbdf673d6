import { describe, expect, test } from 'vitest'
import type { A2AStream } from '../../../src/client/types.ts'
import type { StreamEvent } from '../../../src/protocol/model.ts'
import { startFixture, type FixtureExchange } from '../../support/fixtureServer.ts'
import {
  artifacts03,
  card03,
  card10,
  failure,
  handleOf,
  methods,
  posts,
  result,
  rpcError,
  task03,
} from '../support.ts'

const on = (rpc: string, ...answer: object[]) =>
  Object.assign({ on: 'POST /rpc', rpc }, ...answer) as FixtureExchange
const frame = (value: unknown): string =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', id: '$id', result: value })}\n\n`
const status03 = (state: string, final = false) => ({
  kind: 'status-update',
  taskId: 't1',
  contextId: 'c1',
  status: { state },
  final,
})
const artifact03 = (text: string, more: object = {}) => ({
  kind: 'artifact-update',
  taskId: 't1',
  contextId: 'c1',
  artifact: { artifactId: 'a1', parts: [{ kind: 'text', text }] },
  ...more,
})
const status10 = (state: string) => ({
  statusUpdate: { taskId: 't1', contextId: 'c1', status: { state: `TASK_STATE_${state}` } },
})
const task10 = (state: string) => ({
  task: { id: 't1', contextId: 'c1', status: { state: `TASK_STATE_${state}` } },
})

async function collect(stream: A2AStream): Promise<StreamEvent[]> {
  const events: StreamEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

describe('message/stream', () => {
  const sse = [
    frame(task03('submitted')),
    frame(status03('working')),
    frame(artifact03('Hel')),
    frame(artifact03('lo', { append: true, lastChunk: true })),
    frame(status03('completed', true)),
  ]

  test('nothing is sent before the first pull', async () => {
    await using helpdesk = await startFixture([card03(), on('message/stream', { sse })])
    const stream = handleOf(helpdesk).stream('ping')

    expect(helpdesk.requests).toEqual([])
    expect(stream.ended).toBeUndefined()

    const events = await collect(stream)

    expect(events.map(({ type }) => type)).toEqual(['task', 'status', 'artifact', 'artifact', 'status'])
    expect(stream).toMatchObject({
      ended: 'final',
      closed: true,
      streamed: true,
      dialect: '0.3',
      method: 'message/stream',
      findings: [],
    })
    expect(stream.timings.events).toHaveLength(5)
    expect(stream.exchange).toMatchObject({ purpose: 'message/stream', status: 200 })
    expect(posts(helpdesk)[0]?.headers.accept).toBe('text/event-stream')
    expect(posts(helpdesk)[0]?.rpc?.params).toMatchObject({
      message: { kind: 'message', messageId: 'm1', parts: [{ kind: 'text', text: 'ping' }] },
      configuration: { blocking: true },
    })
  })

  test('reply() reads to the end and folds', async () => {
    await using helpdesk = await startFixture([card03(), on('message/stream', { sse })])

    const reply = await handleOf(helpdesk).stream('ping').reply()

    expect(reply).toMatchObject({
      kind: 'task',
      text: 'Hello',
      state: 'completed',
      contextId: 'c1',
      dialect: '0.3',
      declared: '0.3',
      unsettled: false,
      findings: [],
    })
    expect(reply.exchanges).toHaveLength(1)
  })

  test('reply() continues where a loop stopped', async () => {
    await using helpdesk = await startFixture([card03(), on('message/stream', { sse })])
    const stream = handleOf(helpdesk).stream('ping')
    const first = await stream[Symbol.asyncIterator]().next()

    expect(first.value).toMatchObject({ type: 'task' })
    expect(stream.soFar()).toMatchObject({ state: 'submitted', unsettled: true })
    expect(await stream.reply()).toMatchObject({ text: 'Hello' })
    expect(await stream.reply()).toMatchObject({ text: 'Hello' })
  })

  test('open() waits for the head only', async () => {
    await using helpdesk = await startFixture([card03(), on('message/stream', { holdAt: 1, sse })])
    const stream = handleOf(helpdesk).stream('ping')

    await stream.open()

    expect(stream.timings.openedAt).toBeTypeOf('number')
    expect(stream.timings.events).toEqual([])
    expect(stream.soFar()).toBeUndefined()
    helpdesk.release()
    expect(await stream.reply()).toMatchObject({ state: 'completed' })
  })

  test('leaving a loop closes the connection', async () => {
    await using helpdesk = await startFixture([card03(), on('message/stream', { holdAt: 1, sse })])
    const stream = handleOf(helpdesk).stream('ping')

    for await (const event of stream) {
      expect(event.type).toBe('task')
      break
    }

    expect(stream).toMatchObject({ ended: 'aborted', closed: false })
    await expect.poll(() => posts(helpdesk)[0]?.aborted).toBe(true)
  })

  test('abort() ends reading without an error, and frees the socket', async () => {
    await using helpdesk = await startFixture([card03(), on('message/stream', { holdAt: 2, sse })])
    const stream = handleOf(helpdesk).stream('ping')
    const events: string[] = []
    for await (const event of stream) {
      events.push(event.type)
      if (events.length === 2) stream.abort()
    }

    expect(events).toEqual(['task', 'status'])
    expect(stream).toMatchObject({ ended: 'aborted', closed: false })
    await expect.poll(() => posts(helpdesk)[0]?.aborted).toBe(true)
    expect(await stream.reply()).toMatchObject({ state: 'working', unsettled: true })
  })

  test('a signal ends it with its reason', async () => {
    await using helpdesk = await startFixture([card03(), on('message/stream', { holdAt: 1, sse })])
    const control = new AbortController()
    const stream = handleOf(helpdesk).stream('ping', { signal: control.signal })
    await stream[Symbol.asyncIterator]().next()
    control.abort(new Error('enough'))

    const error = await failure(collect(stream))

    expect(error).toMatchObject({ code: 'ABORTED', message: expect.stringContaining('enough') as string })
    expect(await failure(stream.reply())).toMatchObject({ code: 'ABORTED' })
    expect(stream.ended).toBeUndefined()
  })
})

describe('how a stream ends', () => {
  test.each([
    ['final', card03(), 'message/stream', [task03('working'), status03('completed', true)]],
    ['terminal', card10(), 'SendStreamingMessage', [task10('WORKING'), status10('COMPLETED')]],
    ['interrupted', card10(), 'SendStreamingMessage', [task10('WORKING'), status10('INPUT_REQUIRED')]],
    [
      'message',
      card10(),
      'SendStreamingMessage',
      [{ message: { messageId: 'm2', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } }],
    ],
    ['closed', card10(), 'SendStreamingMessage', [task10('WORKING')]],
    ['closed', card10(), 'SendStreamingMessage', [task10('WORKING'), status10('AUTH_REQUIRED')]],
  ])('%s', async (ended, card, method, results) => {
    await using helpdesk = await startFixture([card, on(method, { sse: results.map(frame) })])
    const stream = handleOf(helpdesk).stream('ping')

    expect(await collect(stream)).toHaveLength(results.length)
    expect(stream).toMatchObject({ ended, closed: true, findings: [] })
  })

  test('a last snapshot of the task may follow', async () => {
    const snapshot = {
      task: { ...task10('COMPLETED').task, artifacts: [{ artifactId: 'a', parts: [{ text: 'all' }] }] },
    }
    await using helpdesk = await startFixture([
      card10(),
      on('SendStreamingMessage', { sse: [task10('WORKING'), status10('COMPLETED'), snapshot].map(frame) }),
    ])

    expect(await handleOf(helpdesk).stream('ping').reply()).toMatchObject({ text: 'all', findings: [] })
  })

  test.each([
    ['a status update (completed) came after the stream had ended (a terminal state)', status10('COMPLETED')],
    ['state "working" was reported after the terminal state "completed"', status10('WORKING')],
    [
      'an update of artifact a1 came after the stream had ended (a terminal state)',
      {
        artifactUpdate: {
          taskId: 't1',
          contextId: 'c1',
          artifact: { artifactId: 'a1', parts: [{ text: 'x' }] },
        },
      },
    ],
  ])('%s', async (message, late) => {
    await using helpdesk = await startFixture([
      card10(),
      on('SendStreamingMessage', { sse: [task10('WORKING'), status10('COMPLETED'), late].map(frame) }),
    ])
    const stream = handleOf(helpdesk).stream('ping')

    expect(await stream.reply()).toMatchObject({ state: 'completed', unsettled: false })
    expect(stream.findings).toMatchObject([{ id: 'wire/after-end', level: 'warning', message }])
    expect(stream.findings).toHaveLength(1)
  })
})

describe('rejected before the stream starts', () => {
  const streaming = (answer: object): FixtureExchange[] => [card03(), on('message/stream', answer)]

  test('D01: the HTTP status comes first', async () => {
    await using helpdesk = await startFixture(
      streaming({
        status: 401,
        headers: { 'content-type': 'application/json', 'www-authenticate': 'Bearer realm="helpdesk"' },
        json: { error: 'token expired' },
      }),
    )

    const error = await failure(handleOf(helpdesk).stream('ping').open())

    expect(error).toMatchObject({ code: 'HTTP_STATUS', status: 401 })
    expect(error['message']).toContain('HTTP 401')
    expect(error['message']).toContain('token expired')
    expect(error['message']).toContain('Bearer realm="helpdesk"')
    expect(error['message']).not.toContain('event-stream')
  })

  test('D02: a plain JSON-RPC error', async () => {
    await using helpdesk = await startFixture(streaming(rpcError(-32004, 'streaming is off')))

    const error = await failure(handleOf(helpdesk).stream('ping').reply())

    expect(error).toMatchObject({ code: 'RPC_ERROR', rpcCode: -32004 })
    expect(error['message']).toContain('streaming is off')
    expect(error['message']).toContain('answered with application/json, not text/event-stream')
    expect(error['message']).toContain('the card declares streaming')
  })

  test('D02: the same as the only event', async () => {
    await using helpdesk = await startFixture(
      streaming({
        sse: [
          `data: ${JSON.stringify({ jsonrpc: '2.0', id: '$id', error: { code: -32004, message: 'off' } })}\n\n`,
        ],
      }),
    )

    expect(await failure(handleOf(helpdesk).stream('ping').reply())).toMatchObject({ rpcCode: -32004 })
  })

  test('D02: a unary result is one event, with a warning', async () => {
    await using helpdesk = await startFixture(streaming(result(task03('completed', artifacts03('hi')))))
    const stream = handleOf(helpdesk).stream('ping')

    expect(await stream.reply()).toMatchObject({ text: 'hi', state: 'completed' })
    expect(stream).toMatchObject({ streamed: false, ended: 'terminal' })
    expect(stream.timings.events).toHaveLength(1)
    expect(stream.findings).toMatchObject([{ id: 'wire/stream-as-json', level: 'warning' }])
  })

  test('D02: an empty stream', async () => {
    await using helpdesk = await startFixture(streaming({ sse: [''] }))

    expect(await failure(handleOf(helpdesk).stream('ping').reply())).toMatchObject({
      code: 'BAD_REPLY',
      message: expect.stringContaining('the stream ended without any event') as string,
    })
  })

  test('a card that does not declare streaming is respected, unless forced', async () => {
    await using helpdesk = await startFixture([
      card03({ capabilities: {} }),
      on('message/stream', { sse: [frame(status03('completed', true))] }),
    ])
    const agent = handleOf(helpdesk)

    expect(await failure(agent.stream('ping').open())).toMatchObject({
      name: 'A2AUsageError',
      code: 'NOT_DECLARED',
      message: 'capabilities.streaming is not declared in the agent card, so message/stream was not called',
      fix: 'Set capabilities.streaming to true once the agent has it, or pass force: true to call it anyway.',
    })
    expect(methods(helpdesk)).toEqual([])
    expect(await agent.stream('ping', { force: true }).reply()).toMatchObject({ state: 'completed' })
  })
})

describe('a stream under a wrong content type', () => {
  test.each(['', 'text/html; charset=utf-8', 'application/octet-stream', 'application/json'])(
    '"%s" is read with a warning',
    async (type) => {
      await using helpdesk = await startFixture([
        card03(),
        on('message/stream', {
          headers: type === '' ? {} : { 'content-type': type },
          text: frame(task03('working')) + frame(status03('completed', true)),
          oneByteChunks: true,
        }),
      ])
      const stream = handleOf(helpdesk).stream('ping')

      expect(await stream.reply()).toMatchObject({ state: 'completed' })
      expect(stream).toMatchObject({ streamed: true, ended: 'final' })
      expect(stream.findings).toMatchObject([{ id: 'wire/content-type', level: 'warning' }])
      expect(stream.findings[0]?.message).toContain(
        type === '' ? 'has no content type' : `has the content type "${type.split(';')[0]}"`,
      )
    },
  )

  test('a web page is not a stream', async () => {
    await using helpdesk = await startFixture([
      card03(),
      on('message/stream', {
        headers: { 'content-type': 'text/html' },
        text: '<!doctype html><title>Log in</title>',
      }),
    ])

    expect(await failure(handleOf(helpdesk).stream('ping').open())).toMatchObject({
      code: 'NOT_JSON',
      message: expect.stringContaining('an HTML page titled "Log in"') as string,
    })
  })

  test('an empty answer is not a stream', async () => {
    await using helpdesk = await startFixture([card03(), on('message/stream', { status: 204 })])

    expect(await failure(handleOf(helpdesk).stream('ping').open())).toMatchObject({
      code: 'NOT_JSON',
      message: expect.stringContaining('answered HTTP 204 with an empty body') as string,
    })
  })
})
