import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import { a2aAgent } from '../../src/agent/a2aAgent.ts'
import { serveAgent } from '../../src/agent/serve.ts'
import type { Part } from '../../src/protocol/model.ts'
import type { Fixture, FixtureExchange } from '../support/fixtureServer.ts'
import { manualClock } from '../support/manualClock.ts'
import { entry, fixture, open } from './scene.ts'

type Json = Record<string, unknown>

/** Lets the sockets work until something has come about. */
async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => setImmediate(resolve))
}

describe('J01 slow agents against short limits', () => {
  const slow = (change: Partial<FixtureExchange> = {}): Fixture => {
    const scene = fixture('J01')
    Object.assign(entry(scene, 'message/send'), change)
    return scene
  }

  test.each([8000, 30_000, 59_000])('after %i ms an answer is still awaited by default', async (ms) => {
    await using helpdesk = await open(slow())
    const clock = manualClock()
    const time = async (): Promise<void> => {
      await helpdesk.held()
      await clock.advance(ms)
      helpdesk.release()
    }

    await Promise.all([expect(helpdesk.agent({}, { clock })).toReply('ping', 'slow hi'), time()])
  })

  test('the message names the limit, and the outcome is an error, because a silent agent cannot be judged', async () => {
    await using helpdesk = await open(slow())
    const clock = manualClock()
    const checking = helpdesk.failure(() =>
      expect(helpdesk.agent({ requestTimeoutMs: 2000 }, { clock })).toPassSmokeCheck(),
    )

    await helpdesk.held()
    await clock.advance(2000)

    const failure = await checking
    expect(failure).toMatch(/^\[error\] /)
    expect(failure).toContain(
      'no response headers from POST http://127.0.0.1:4100/rpc within 2000 ms (option requestTimeoutMs)',
    )
    expect(failure).not.toContain('This operation was aborted')
  })

  test('headers at once, the body never', async () => {
    await using helpdesk = await open(slow({ holdAt: 'body' }))
    const clock = manualClock()
    const agent = helpdesk.agent({ requestTimeoutMs: 2000 }, { clock })
    const checking = helpdesk.failure(() => expect(agent).toPassSmokeCheck())

    await until(() => agent.exchanges.at(-1)?.status === 200 && agent.exchanges.length === 2)
    await clock.advance(2000)

    const failure = await checking
    expect(failure).toMatch(/^\[error\] /)
    expect(failure).toContain(
      'the answer to POST http://127.0.0.1:4100/rpc did not end within 2000 ms (option requestTimeoutMs)',
    )
  })

  test.each([
    [
      'nothing at all',
      [': hello\n\n', ''],
      { limits: { idleTimeoutMs: 2000 } },
      'nothing arrived on the stream of POST http://127.0.0.1:4100/rpc for 2000 ms (option limits.idleTimeoutMs)',
    ],
    [
      'comments, and no event',
      [': ping\n\n'.repeat(9), ''],
      { requestTimeoutMs: 2000 },
      'the event stream of POST http://127.0.0.1:4100/rpc stayed open for 2000 ms without a Task or a Message (option requestTimeoutMs)',
    ],
  ])('an event stream that says %s', async (_what, sse, options, says) => {
    await using helpdesk = await open(slow({ json: undefined, sse, holdAt: 1 }))
    const clock = manualClock()
    const agent = helpdesk.agent(options, { clock })
    const checking = helpdesk.failure(() => expect(agent).toPassSmokeCheck())

    await until(
      () => agent.exchanges.at(-1)?.status === 200 && agent.exchanges.length === 2 && clock.pending >= 2,
    )
    await clock.advance(2000)

    const failure = await checking
    expect(failure).toMatch(/^\[error\] /)
    expect(failure).toContain(says)
  })

  test("the matcher's own limit ends everything", async () => {
    await using helpdesk = await open(slow())

    const failure = await helpdesk.failure(() =>
      expect(helpdesk.agent()).toPassSmokeCheck({ deadlineMs: 60 }),
    )

    expect(failure).toMatch(/^\[error\] /)
    expect(failure).toMatch(/within \d+ ms/)
    expect(failure).toContain('deadlineMs')
  })
})

describe('J03 large file parts', () => {
  const bytes = Buffer.alloc(1_048_576).toString('base64')
  const png: Part = { kind: 'file', bytes, mediaType: 'image/png', name: 'p.png' }
  const hi03 = { kind: 'message', messageId: 'm2', role: 'agent', parts: [{ kind: 'text', text: 'hi' }] }
  const answering = (result: unknown, rpc = 'message/send'): Fixture => ({
    exchange: [{ on: 'POST /rpc', rpc, json: { jsonrpc: '2.0', id: '$id', result } }],
  })

  test('413 fails with the sizes, and prints no base64', async () => {
    await using helpdesk = await open(fixture('J03'))

    const failure = await helpdesk.failure(() => expect(helpdesk.agent()).toReply(['look', png]))

    const sent = Buffer.byteLength(helpdesk.posts()[0]?.body ?? '')
    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain(
      `HTTP 413 for a request of ${sent} bytes (file part p.png: 1048576 bytes before base64): "Payload Too Large"`,
    )
    expect(failure).not.toContain('AAAAAAAA')
    expect(failure).toContain('<1048576 bytes image/png>')
  })

  test('-32600 with HTTP 200 fails with the sizes, too', async () => {
    const scene = fixture('J03')
    const answer = entry(scene, 'message/send')
    for (const key of ['status', 'headers', 'text']) delete answer[key]
    answer.json = { jsonrpc: '2.0', id: '$id', error: { code: -32600, message: 'content too long' } }
    await using helpdesk = await open(scene)

    const failure = await helpdesk.failure(() => expect(helpdesk.agent()).toReply([png]))

    const sent = Buffer.byteLength(helpdesk.posts()[0]?.body ?? '')
    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain('content too long')
    expect(failure).toContain(`for a request of ${sent} bytes (file part p.png: 1048576 bytes before base64)`)
    expect(helpdesk.methods()).toEqual(['message/send'])
  })

  test.each([
    ['0.3', 'message/send', hi03],
    ['1.0', 'SendMessage', { message: { messageId: 'm2', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } }],
  ] as const)(
    '%s: the part is written as that version does, and no echo is asked for',
    async (version, rpc, result) => {
      const wanted = (fixture('J03')['clientMustSend'] as Record<string, Json>)[version]
      await using helpdesk = await open(answering(result, rpc))

      await expect(helpdesk.agent()).toReply([png], 'hi')
      await expect(helpdesk.agent()).toReply('ping', 'hi')

      const [large, small] = helpdesk
        .posts()
        .map(({ rpc: call }) => call?.params as { message: Json; configuration?: Json })
      expect(JSON.parse(JSON.stringify(large?.message['parts']).replace(bytes, '<base64>'))).toEqual([wanted])
      expect(large?.configuration).toMatchObject({ historyLength: 0 })
      expect(small?.configuration ?? {}).not.toHaveProperty('historyLength')
    },
  )

  const echo = Buffer.alloc(15_000_000).toString('base64')
  const task = (text?: string) => ({
    kind: 'task',
    id: 't1',
    contextId: 'c1',
    status: { state: text === undefined ? 'failed' : 'completed' },
    ...(text !== undefined && { artifacts: [{ artifactId: 'a1', parts: [{ kind: 'text', text }] }] }),
    history: [
      {
        kind: 'message',
        messageId: 'm1',
        role: 'user',
        parts: [{ kind: 'file', file: { bytes: echo, mimeType: 'image/png', name: 'p.png' } }],
      },
    ],
  })

  test('a reply of 20 MB is read', async () => {
    await using helpdesk = await open(answering(task('hi')))

    await expect(helpdesk.agent()).toReply([png], 'hi')
  })

  test('and not printed', async () => {
    await using helpdesk = await open(answering(task()))

    const failure = await helpdesk.failure(() => expect(helpdesk.agent()).toPassSmokeCheck())

    expect(failure).toContain('task t1 ended in state failed')
    expect(failure).not.toContain('AAAAAAAA')
    expect(failure.length).toBeLessThan(5000)
  })

  test('reading has a limit, which the message names', async () => {
    await using helpdesk = await open(answering(task('hi')))

    const failure = await helpdesk.failure(() =>
      expect(helpdesk.agent({ limits: { maxResponseBytes: 1_000_000 } })).toPassSmokeCheck(),
    )

    expect(failure).toMatch(/^\[error\] /)
    expect(failure).toMatch(
      /POST http:\/\/127\.0\.0\.1:4100\/rpc .*larger than 1000000 bytes \(option limits\.maxResponseBytes\)/,
    )
  })
})

describe('J04 localhost is ::1 here and 127.0.0.1 there', () => {
  interface Refusal {
    message: string
    cause: { code: string; address: string; port: number }
  }
  const { base, simulate } = fixture('J04') as unknown as { base: string; simulate: { fetchThrows: Refusal } }
  const refused = (address: string): Error =>
    Object.assign(new Error(`connect ECONNREFUSED ${address}:4100`), {
      ...simulate.fetchThrows.cause,
      address,
    })
  /** Refuses every connection, as the system does where nobody listens. */
  const refusing = (error: Error) => ({
    dispatch(
      _request: unknown,
      handler: { onError?(error: Error): void; onResponseError?(controller: unknown, error: Error): void },
    ) {
      if (handler.onResponseError) handler.onResponseError(undefined, error)
      else handler.onError?.(error)
      return true
    },
  })

  test('one address: the outcome is an error, with what was tried and what to try', async () => {
    await using helpdesk = await open({ exchange: [] })
    const cause = Object.assign(new Error(simulate.fetchThrows.message), { cause: refused('::1') })
    await using agent = a2aAgent(base, { dispatcher: refusing(cause) })

    for (const assertion of [
      () => expect(agent).toPassSmokeCheck(),
      () => expect(agent).not.toPassSmokeCheck(),
      () => expect(agent).toHaveValidAgentCard(),
    ]) {
      const failure = await helpdesk.failure(assertion)
      expect(failure).toMatch(/^\[error\] /)
      expect(failure).toContain('could not connect to localhost:4100 (tried ::1): connection refused')
      expect(failure).toContain('Is the agent running? If it listens on IPv4 only, use http://127.0.0.1:4100')
      expect(failure).not.toContain('fetch failed')
    }
  })

  test('several addresses: all are listed', async () => {
    await using helpdesk = await open({ exchange: [] })
    const all = Object.assign(new AggregateError([refused('::1'), refused('127.0.0.1')]), {
      code: 'ECONNREFUSED',
    })
    await using agent = a2aAgent(base, { dispatcher: refusing(all) })

    const failure = await helpdesk.failure(() => expect(agent).toPassSmokeCheck())

    expect(failure).toMatch(/^\[error\] /)
    expect(failure).toContain(
      'could not connect to localhost:4100 (tried ::1, 127.0.0.1): connection refused',
    )
    expect(failure).not.toContain('IPv4 only')
  })

  test('our own servers listen on 127.0.0.1 and say so', async () => {
    await using agent = await serveAgent({ fetch: () => new Response('', { status: 404 }) })

    expect(new URL(agent.url).hostname).toBe('127.0.0.1')
  })
})
