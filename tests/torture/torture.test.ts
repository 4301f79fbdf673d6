import { describe, expect, test } from 'vitest'
import { createAgent } from '../../src/agent/handle.ts'
import type { AgentOptions } from '../../src/agent/types.ts'
import { checkStream, type StreamCheckOptions } from '../../src/checks/stream/checkStream.ts'
import { systemDeps } from '../../src/deps.ts'
import { isA2AError } from '../../src/errors.ts'
import { chunk, frame, message, rpc, rpcError, status, task, whole, type Json } from './events.ts'
import { rawAgent, type RawAnswer } from './rawAgent.ts'

interface Row extends RawAnswer {
  name: string
  /** What `toStream` says: its outcome, and a part of what was received. */
  says: ['passed' | 'failed' | 'error', RegExp]
  /** The ids of all findings. */
  findings?: string[]
  options?: AgentOptions
  check?: StreamCheckOptions
  binding?: 'JSONRPC' | 'HTTP+JSON'
  version?: '1.0' | '0.3'
}

const oslo: Row['says'] = ['passed', /^a stream of 3 events: task t1 completed with the text "Oslo"$/]
const frames = (...results: Json[]): string => results.map(frame).join('')
const whole03 = [
  { kind: 'status-update', taskId: 't1', contextId: 'c1', status: { state: 'working' }, final: false },
  {
    kind: 'artifact-update',
    taskId: 't1',
    contextId: 'c1',
    artifact: { artifactId: 'a1', parts: [{ kind: 'text', text: 'Oslo' }] },
  },
  { kind: 'status-update', taskId: 't1', contextId: 'c1', status: { state: 'completed' }, final: true },
]
const text = (body: string): string[] => [body]
/** Every byte by itself, as a slow network would bring them. */
const bytewise = (body: string): (string | Buffer)[] => [...Buffer.from(body)].map((byte) => Buffer.of(byte))
const withId = (body: string): string => body.replaceAll('"$id"', '1')
const turned = (body: string, lineEnd: string): string => body.replaceAll('\n', lineEnd)
/** A piece of a body as HTTP/1.1 sends it where it does not know the length. */
const httpChunk = (piece: string): string => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`
const json = { headers: ['content-type: application/json'] }

async function* heartbeats(before = ''): AsyncGenerator<string> {
  if (before !== '') yield before
  for (;;) {
    yield ': ping\n\n'
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** So many events of 1 MiB each, made when they are wanted; each takes the place of the one before. */
function* megabytes(count: number): Generator<string> {
  yield frame(task('WORKING'))
  const one = frame(chunk('x'.repeat(2 ** 20 - 200)))
  for (let sent = 0; sent < count; sent++) yield one
  yield frames(chunk('Oslo'), status('COMPLETED'))
}

const rows: Row[] = [
  // Framing
  { name: 'one event a chunk', body: whole.map(frame), says: oslo },
  { name: 'all events in one chunk', body: text(frames(...whole)), says: oslo },
  { name: 'every byte by itself', body: bytewise(withId(frames(...whole))), says: oslo },
  {
    name: 'bytes split inside UTF-8',
    body: bytewise(withId(frames(task('WORKING'), chunk('Blåbær 🫐 ñ'), status('COMPLETED')))),
    says: ['passed', /completed with the text "Blåbær 🫐 ñ"$/],
  },
  { name: 'CRLF', body: text(turned(frames(...whole), '\r\n')), says: oslo },
  {
    name: 'bytes split inside CRLF',
    body: turned(frames(...whole), '\r\n').split(/(?<=\r)/),
    says: oslo,
  },
  { name: 'CR only', body: text(turned(frames(...whole), '\r')), says: oslo },
  {
    name: 'CR only, every byte by itself',
    body: bytewise(turned(withId(frames(...whole)), '\r')),
    says: oslo,
  },
  { name: 'a byte order mark', body: text(`\uFEFF${frames(...whole)}`), says: oslo },
  {
    name: 'comments',
    body: [': connected\n\n', ...whole.flatMap((result) => [': ping\n', frame(result), ':\n\n'])],
    says: oslo,
  },
  {
    name: 'id lines',
    body: whole.map((result, at) => `id: ${at}\n${frame(result)}`),
    says: oslo,
  },
  {
    name: 'retry lines',
    body: ['retry: 3000\n\n', ...whole.map((result) => `retry: 10\n${frame(result)}`)],
    says: oslo,
  },
  { name: 'event names', body: whole.map((result) => `event: status\n${frame(result)}`), says: oslo },
  {
    name: 'unknown fields',
    body: whole.map((result) => `trace: 77\nnonsense\n${frame(result)}`),
    says: oslo,
  },
  { name: 'no blank after the colon', body: whole.map((result) => `data:${rpc(result)}\n\n`), says: oslo },
  {
    name: 'events without data',
    body: whole.flatMap((result) => ['data:\n\n', frame(result), 'event: ping\n\n']),
    says: oslo,
  },
  {
    name: 'data over several lines',
    body: whole.map(
      (result) =>
        `${JSON.stringify({ jsonrpc: '2.0', id: '$id', result }, null, 2)
          .split('\n')
          .map((line) => `data: ${line}`)
          .join('\n')}\n\n`,
    ),
    says: oslo,
  },
  {
    name: 'U+2028 within a text',
    body: text(frames(task('WORKING'), chunk('one\u2028two\u2029three\u0085four'), status('COMPLETED'))),
    says: ['passed', /completed with the text "one\u2028two\u2029three\u0085four"$/],
  },
  {
    name: 'no blank line at the end',
    body: text(frames(...whole).trimEnd()),
    says: oslo,
    findings: ['wire/sse-unterminated'],
  },
  {
    name: 'one line end at the end',
    body: text(frames(...whole).slice(0, -1)),
    says: oslo,
    findings: ['wire/sse-unterminated'],
  },
  {
    name: 'a content type with a charset, in capitals',
    headers: ['Content-Type: Text/Event-Stream; charset=UTF-8'],
    body: text(frames(...whole)),
    says: oslo,
  },
  {
    name: 'HTTP+JSON, several lines, CRLF',
    binding: 'HTTP+JSON',
    body: text(
      whole
        .map((result) => `data: ${JSON.stringify(result, null, 1).replaceAll('\n', '\r\ndata: ')}\r\n\r\n`)
        .join(''),
    ),
    says: oslo,
  },
  { name: 'A2A 0.3', version: '0.3', body: whole03.map(frame), says: oslo },
  {
    name: 'chunked by HTTP, cut anywhere',
    headers: ['content-type: text/event-stream', 'transfer-encoding: chunked'],
    body: [
      ...withId(frames(...whole))
        .match(/[\s\S]{1,7}/g)!
        .map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`),
      '0\r\n\r\n',
    ],
    says: oslo,
  },

  // What it is
  {
    name: 'a wrong content type',
    headers: ['content-type: text/plain'],
    body: text(frames(...whole)),
    says: ['failed', /^the event stream of POST .* has the content type "text\/plain"$/],
    findings: ['stream/content-type'],
  },
  {
    name: 'no content type',
    headers: [],
    body: text(`: hello\n\n${frames(...whole)}`),
    says: ['failed', /^the event stream of POST .* has no content type$/],
    findings: ['stream/content-type'],
  },
  {
    name: '200 with a JSON error',
    ...json,
    body: text(rpcError(-32004, 'streaming is off')),
    says: [
      'failed',
      /error -32004 \(UnsupportedOperation\): "streaming is off" .*answered with application\/json, not text\/event-stream; the card declares streaming$/,
    ],
    findings: ['rpc/error'],
  },
  {
    name: 'the same error as the only event',
    body: text(`data: ${rpcError(-32004, 'streaming is off')}\n\n`),
    says: ['failed', /error -32004 \(UnsupportedOperation\): "streaming is off"/],
    findings: ['rpc/error'],
  },
  {
    name: 'a plain result in place of a stream',
    ...json,
    body: text(rpc(task('COMPLETED', { artifacts: [{ artifactId: 'a1', parts: [{ text: 'Oslo' }] }] }))),
    says: ['passed', /^one JSON document: task t1 completed with the text "Oslo"$/],
    findings: ['wire/stream-as-json'],
  },
  {
    name: 'a plain result of a task that goes on',
    ...json,
    body: text(rpc(task('WORKING'))),
    says: ['failed', /^the stream ended while task t1 was working/],
    findings: ['stream/ended-early', 'wire/stream-as-json'],
  },
  {
    name: 'HTTP 401',
    statusLine: 'HTTP/1.1 401 Unauthorized',
    headers: ['content-type: application/json', 'www-authenticate: Bearer realm="desk"'],
    body: text('{"error":"token expired"}'),
    says: ['failed', /answered HTTP 401 \(WWW-Authenticate: Bearer realm="desk"\): "token expired"/],
    findings: ['http/unauthorized'],
  },
  {
    name: 'an empty stream',
    body: [],
    says: ['failed', /^the stream ended without any event/],
    findings: ['wire/stream-empty'],
  },
  {
    name: 'comments only',
    body: text(': ping\n\n: ping\n\n'),
    says: ['failed', /bytes of event-stream but no complete event/],
    findings: ['wire/stream-empty'],
  },
  {
    name: 'a text that is no UTF-8',
    body: [frame(task('WORKING')), Buffer.from(withId(frame(chunk('Tromsø'))), 'latin1')],
    says: ['failed', /is not valid UTF-8/],
    findings: ['wire/stream-encoding'],
  },
  {
    name: 'words in place of JSON',
    body: [frame(task('WORKING')), 'data: Oslo\n\n'],
    says: ['failed', /^event 2 of the stream of .* is not JSON: "Oslo"; after 1 event/],
    findings: ['wire/event-json'],
  },

  // Order
  {
    name: 'events after the end',
    body: text(frames(...whole, chunk('Bergen'), status('WORKING'))),
    says: [
      'failed',
      /^an update of artifact a1 came after state completed, which ends the stream; the same of 1 more event$/,
    ],
    findings: ['stream/after-end'],
  },
  {
    name: 'events after final (0.3)',
    version: '0.3',
    body: [...whole03, whole03[0]].map(frame),
    says: ['failed', /^a status update \(working\) came after "final": true/],
    findings: ['stream/after-end'],
  },
  {
    name: 'events of another task in between',
    body: text(
      frames(
        task('WORKING'),
        status('WORKING', 't2'),
        chunk('Oslo'),
        status('COMPLETED', 't2'),
        status('COMPLETED'),
      ),
    ),
    says: ['failed', /^event 2 is of task "t2", not of task "t1"; the same of 1 more event$/],
    findings: ['stream/ids'],
  },
  {
    name: 'the Task again and again',
    body: text(
      frames(
        task('WORKING'),
        task('WORKING'),
        chunk('Oslo'),
        task('WORKING', { artifacts: [{ artifactId: 'a1', parts: [{ text: 'Oslo' }] }] }),
        status('COMPLETED'),
      ),
    ),
    says: ['passed', /^a stream of 5 events: task t1 completed with the text "Oslo"$/],
  },
  {
    name: 'a lone Message',
    body: text(frame(message('Hi'))),
    says: ['passed', /^a stream of 1 event: a Message with the text "Hi"$/],
  },
  {
    name: '10 000 tiny events',
    body: (function* () {
      yield frame(task('WORKING'))
      for (let at = 0; at < 10_000; at++) yield frame(chunk('x', { append: at > 0 }))
      yield frame(status('COMPLETED'))
    })(),
    says: ['passed', /^a stream of 10002 events: task t1 completed with the text "x{120}…"$/],
  },

  // End
  {
    name: 'no terminal state',
    body: text(frames(task('WORKING'), chunk('The first part of'))),
    says: [
      'failed',
      /^the stream ended while task t1 was working \(no completed, failed, canceled, rejected or input-required state\), after 2 events, the last an update of artifact a1/,
    ],
    findings: ['stream/ended-early'],
  },
  {
    name: 'no terminal state, and no end',
    body: text(frames(task('WORKING'), chunk('The first part of'))),
    then: 'open',
    check: { waitMs: 120 },
    says: ['failed', /^task t1 still working after \d+ ms and 2 events$/],
    findings: ['wire/unsettled'],
  },
  {
    name: 'an end that is not closed',
    body: text(frames(...whole)),
    then: 'open',
    says: ['failed', /^the stream stayed open after state completed$/],
    findings: ['stream/not-closed'],
  },
  {
    name: 'input-required, and the connection stays open',
    body: text(
      frames(task('WORKING'), {
        statusUpdate: {
          taskId: 't1',
          contextId: 'c1',
          status: {
            state: 'TASK_STATE_INPUT_REQUIRED',
            message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'Which branch?' }] },
          },
        },
      }),
    ),
    then: 'open',
    says: [
      'passed',
      /^a stream of 2 events: task t1 waits in state input-required with the text "Which branch\?"$/,
    ],
  },
  {
    name: 'endless heartbeats and nothing else',
    body: heartbeats(),
    check: { waitMs: 120 },
    says: ['error', /stayed open for \d+ ms without a Task or a Message \(option waitMs\)/],
  },
  {
    name: 'endless heartbeats while the task goes on',
    body: heartbeats(frame(task('WORKING'))),
    check: { waitMs: 120 },
    says: ['failed', /^task t1 still working after \d+ ms and 1 event$/],
    findings: ['wire/unsettled'],
  },
  {
    name: 'silence',
    body: text(frame(task('WORKING'))),
    then: 'open',
    options: { limits: { idleTimeoutMs: 60 } },
    says: [
      'error',
      /nothing arrived on the stream of .* for 60 ms \(option limits\.idleTimeoutMs\), after 1 events/,
    ],
  },
  {
    name: 'an event that is cut off',
    body: text(frames(...whole).slice(0, -30)),
    says: [
      'failed',
      /ended early, stream cut inside an event: .*; after 2 events, the last an update of artifact a1$/,
    ],
    findings: ['wire/stream-cut'],
  },
  {
    name: 'a connection that breaks',
    headers: ['content-type: text/event-stream', 'transfer-encoding: chunked'],
    body: text(httpChunk(withId(frames(task('WORKING'), chunk('Oslo'))))),
    says: [
      'failed',
      /^the connection broke after 2 events, the last an update of artifact a1, within the HTTP body$/,
    ],
    findings: ['wire/stream-cut'],
  },
  {
    name: 'an error in the midst',
    body: [frame(task('WORKING')), `event: error\ndata: ${rpcError(-32603, 'quota used up')}\n\n`],
    says: [
      'failed',
      /error -32603 \(InternalError\): "quota used up" .*; after 1 event, the last a Task \(working\)$/,
    ],
    findings: ['rpc/error'],
  },
  {
    name: 'an error in the midst, over HTTP+JSON',
    binding: 'HTTP+JSON',
    body: [
      `data: ${JSON.stringify(task('WORKING'))}\n\n`,
      'event: error\ndata: {"code":13,"message":"quota used up","details":[]}\n\n',
    ],
    says: ['failed', /failed within its stream: "quota used up" .*; after 1 event/],
    findings: ['rpc/error'],
  },

  // Size
  {
    name: 'an event of 64 MiB',
    body: [frame(task('WORKING')), frame(chunk('x'.repeat(64 * 2 ** 20))), frame(status('COMPLETED'))],
    says: [
      'error',
      /an event of the stream of .* is larger than 16777216 bytes \(option limits\.maxEventBytes\)/,
    ],
  },
  {
    name: 'an event of 64 MiB, which is allowed',
    body: [frame(task('WORKING')), frame(chunk('x'.repeat(64 * 2 ** 20))), frame(status('COMPLETED'))],
    options: { limits: { maxEventBytes: 128 * 2 ** 20 } },
    says: ['passed', /^a stream of 3 events: task t1 completed with the text "x{120}…"$/],
  },
  {
    name: 'a stream of 1 GiB',
    body: megabytes(1024),
    says: ['error', /the stream of .* is larger than 268435456 bytes \(option limits\.maxStreamBytes\)/],
  },
  {
    name: 'more events than are allowed',
    body: text(frames(...whole)),
    options: { limits: { maxEvents: 2 } },
    says: ['error', /has more than 2 events \(option limits\.maxEvents\)/],
  },
]

describe('toStream', () => {
  test.each(rows.map((row) => [row.name, row] as const))('%s', { timeout: 60_000 }, async (_, row) => {
    await using server = await rawAgent(row, row)
    const agent = createAgent(server.url, row.options ?? {}, systemDeps({ env: {} }))
    const [outcome, received] = row.says
    const budget = { signal: new AbortController().signal }
    try {
      const verdict = await checkStream(agent, ['Hi', row.check ?? {}], budget)
      expect([verdict.outcome, verdict.received]).toEqual([outcome, expect.stringMatching(received)])
      expect(verdict.findings.map(({ id }) => id).toSorted()).toEqual(row.findings ?? [])
    } catch (error) {
      if (!isA2AError(error)) throw error
      expect(['error', error.message]).toEqual([outcome, expect.stringMatching(received)])
    } finally {
      await agent.close()
    }
  })
})

test('a stream beyond the limit is not read on', { timeout: 60_000 }, async () => {
  await using server = await rawAgent({ body: megabytes(1024) })
  const agent = createAgent(server.url, { limits: { maxStreamBytes: 16 * 2 ** 20 } }, systemDeps({ env: {} }))

  await expect(agent.stream('Hi').reply()).rejects.toThrow('limits.maxStreamBytes')
  expect(server.written()).toBeLessThan(64 * 2 ** 20)
  await agent.close()
})
