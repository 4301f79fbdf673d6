import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSseBatches, type SseEvent } from '../../src/http/sse.ts'
import { defaultLimits } from '../../src/http/transport.ts'
import type { Limits } from '../../src/http/types.ts'
import { manualClock } from '../support/manualClock.ts'
import { failure } from './support.ts'

const label = 'POST http://127.0.0.1:4100/rpc'
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The events one by one. */
async function* readSse(...args: Parameters<typeof readSseBatches>): AsyncGenerator<SseEvent, void> {
  for await (const batch of readSseBatches(...args)) yield* batch
}

async function* from(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

async function read(
  chunks: readonly (string | Uint8Array)[],
  limits: Partial<Limits> = {},
): Promise<SseEvent[]> {
  const events: SseEvent[] = []
  const bytes = chunks.map((chunk) => (typeof chunk === 'string' ? bytesOf(chunk) : chunk))
  const options = { limits: { ...defaultLimits, ...limits }, clock: manualClock(), label }
  for await (const event of readSse(from(bytes), options)) events.push(event)
  return events
}

const dataOf = (events: SseEvent[]): string[] => events.map(({ data }) => data)

describe('framing', () => {
  test('comments, retry, id, event names, empty data, and data without a space', async () => {
    const events = await read([
      ': connected\n\n',
      'retry: 3000\n\n',
      'event: message\nid: 1\ndata: one\n\n',
      ': ping\n',
      ': ping\n\n',
      'data:\n\n',
      'data:two\n\n',
      'unknown: x\nevent: status\ndata: three\n\n',
    ])
    expect(events).toEqual([
      { data: 'one', event: 'message', id: '1', unterminated: false },
      { data: 'two', unterminated: false },
      { data: 'three', event: 'status', unterminated: false },
    ])
  })

  test('a byte order mark, CR, CRLF split between chunks, U+2028, and a last frame without its blank line', async () => {
    const events = await read([
      '\ufeffdata: one\r',
      '\n\r\n',
      'data: line one\u2028line two\r\r',
      'data: three\n',
    ])
    expect(dataOf(events)).toEqual(['one', 'line one\u2028line two', 'three'])
    expect(events.map(({ unterminated }) => unterminated)).toEqual([false, false, true])
  })

  test.each(['data: one', 'data: one\n', 'data: one\r', 'data: one\r\n', 'data: one\n: bye\n'])(
    '%j is not terminated, but used anyway',
    async (text) => {
      expect(await read([text])).toEqual([{ data: 'one', unterminated: true }])
    },
  )

  test.each(['data: one\n\n', 'data: one\r\r', 'data: one\r\n\r\n', 'data: one\n\r\n', 'data: one\n\n: bye'])(
    '%j is terminated',
    async (text) => {
      expect(await read([text])).toEqual([{ data: 'one', unterminated: false }])
    },
  )

  test('several data lines are joined', async () => {
    expect(dataOf(await read(['data: {\ndata:   "a": 1\ndata: }\n\n']))).toEqual(['{\n  "a": 1\n}'])
  })

  test('characters split between chunks stay whole', async () => {
    const bytes = bytesOf('data: Blåbær 🫐 ñ\n\n')
    expect(dataOf(await read(Array.from(bytes, (byte) => Uint8Array.of(byte))))).toEqual(['Blåbær 🫐 ñ'])
  })

  test('any chunking of a stream gives the same events', async () => {
    const lineEnd = fc.constantFrom('\n', '\r\n', '\r')
    const value = fc.string({ unit: fc.constantFrom('a', ' ', ':', '{', '"', 'å', '🫐', '\u2028', '\ufeff') })
    const event = fc.record({
      data: fc.array(value, { minLength: 1, maxLength: 3 }),
      name: fc.option(fc.constantFrom('message', 'error'), { nil: undefined }),
      comment: fc.option(value, { nil: undefined }),
      ends: fc.tuple(lineEnd, lineEnd),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        fc.array(fc.nat(1_000), { maxLength: 20 }),
        async (events, mark, cuts) => {
          // An event must not end in CR where the next line begins with LF: that would be one line end.
          const text =
            (mark ? '\ufeff' : '') +
            events
              .map(({ data, name, comment, ends: [end, blank] }) => {
                const last = end === '\r' && blank === '\n' ? '\r' : blank
                const lines = [
                  ...(comment === undefined ? [] : [`:${comment}`]),
                  ...(name === undefined ? [] : [`event: ${name}`]),
                  ...data.map((each) => `data: ${each}`),
                ]
                return lines.map((line) => line + end).join('') + last
              })
              .join('')
          const expected = events
            .map(({ data, name }) => ({ data: data.join('\n'), event: name }))
            .filter(({ data }) => data !== '')
          fc.pre(expected.length > 0)
          const bytes = bytesOf(text)
          const places = [...new Set(cuts.map((cut) => cut % bytes.length))].sort((a, b) => a - b)
          const chunks = [0, ...places].map((from, i) => bytes.subarray(from, places[i] ?? bytes.length))
          const got = await read(chunks)
          expect(got.map((each) => ({ data: each.data, event: each.event }))).toEqual(expected)
          expect(got.every(({ unterminated }) => !unterminated)).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('faults of a stream', () => {
  test('no bytes at all', async () => {
    const error = await failure(read([]))
    expect(error).toMatchObject({ name: 'A2AReplyError', code: 'BAD_REPLY' })
    expect(error.message).toBe(`the stream ended without any event (${label})`)
  })

  test('bytes but no event', async () => {
    const error = await failure(read([': ping\n\n', 'data:\n\n']))
    expect(error.message).toBe(
      `received 15 bytes of event-stream but no complete event; the stream ended without any event (${label})`,
    )
  })

  test('cut within the name of the field', async () => {
    const error = await failure(read(['data: one\n\nda']))
    expect(error.message).toBe(`the stream of ${label} ended early, stream cut inside an event: …"da"`)
  })

  test('bytes that are not UTF-8, also at the very end', async () => {
    for (const chunks of [
      ['data: ', Uint8Array.of(0xff), '\n\n'],
      ['data: one\n\ndata: ', Uint8Array.of(0xc3)],
    ]) {
      const error = await failure(read(chunks))
      expect(error).toMatchObject({ name: 'A2AReplyError', code: 'BAD_REPLY' })
      expect(error.message).toContain(`the stream of ${label} is not valid UTF-8`)
    }
  })

  test('an error of the connection comes through as it is', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield bytesOf('data: one\n\n')
      throw new Error('the connection broke')
    }
    const options = { limits: defaultLimits, clock: manualClock(), label }
    const events = readSse(broken(), options)
    expect((await events.next()).value).toMatchObject({ data: 'one' })
    await expect(events.next()).rejects.toThrow('the connection broke')
  })
})

describe('limits', () => {
  const one = 'data: 12345678\n\n'

  test.each([
    [
      { maxEventBytes: 4 },
      [one],
      `an event of the stream of ${label} is larger than 4 bytes (option limits.maxEventBytes)`,
    ],
    [
      { maxEventBytes: 10 },
      ['data: 1234', '567890123'],
      `an event of the stream of ${label} is larger than 10 bytes (option limits.maxEventBytes)`,
    ],
    [
      { maxStreamBytes: 20 },
      [one, one],
      `the stream of ${label} is larger than 20 bytes (option limits.maxStreamBytes)`,
    ],
    [
      { maxEvents: 1 },
      [one + one],
      `the stream of ${label} has more than 1 events (option limits.maxEvents)`,
    ],
  ])('%o', async (limits, chunks, message) => {
    const error = await failure(read(chunks, limits))
    expect(error).toMatchObject({ name: 'A2APolicyError', code: 'TOO_LARGE', message })
    expect(error['fix']).toMatch(/raise limits\.max\w+\.$/)
  })

  test('events of the limit and below pass', async () => {
    expect(await read([one, one], { maxEventBytes: 32, maxStreamBytes: 32, maxEvents: 2 })).toHaveLength(2)
  })

  test('silence ends a stream; comments do not count as silence', async () => {
    const clock = manualClock()
    let push = (_: string): void => {}
    let aborted = 0
    async function* live(): AsyncGenerator<Uint8Array> {
      for (;;) yield bytesOf(await new Promise<string>((resolve) => (push = resolve)))
    }
    const events = readSse(live(), {
      limits: { ...defaultLimits, idleTimeoutMs: 60_000 },
      clock,
      label,
      abort: () => aborted++,
    })
    const first = events.next()
    await clock.armed()
    push('data: one\n\n')
    expect((await first).value).toMatchObject({ data: 'one' })
    const second = failure(events.next())
    for (let turn = 0; turn < 5; turn++) {
      await clock.advance(59_000)
      push(': ping\n\n')
      await clock.advance(0)
    }
    await clock.advance(60_000)
    const error = await second
    expect(error).toMatchObject({ name: 'A2AConnectionError', code: 'TIMEOUT' })
    expect(error.message).toBe(
      `nothing arrived on the stream of ${label} for 60000 ms (option limits.idleTimeoutMs), after 1 events`,
    )
    expect(aborted).toBe(1)
    expect(clock.pending).toBe(0)
  })

  test('a long stream is read in bounded memory', async () => {
    const chunk = bytesOf(`data: ${'x'.repeat(65_530)}\n\n`)
    async function* long(): AsyncGenerator<Uint8Array> {
      for (let turn = 0; turn < 2_000; turn++) yield chunk
    }
    let events = 0
    const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed
    let most = 0
    for await (const _ of readSse(long(), { limits: defaultLimits, clock: manualClock(), label })) {
      if (++events % 500 === 0)
        most = Math.max(most, process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed)
    }
    expect(events).toBe(2_000)
    // 131 MB went by.
    expect(most - before).toBeLessThan(100_000_000)
  })
})
