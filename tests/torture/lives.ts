import { chunk, frame, message, rpcError, status, task, whole } from './events.ts'
import { frames, whole03, text, withId, httpChunk, heartbeats, megabytes, type Row } from './row.ts'

/** The order of events, how streams end, and how large they are. */
export const lives: readonly Row[] = [
  {
    name: 'events after the end',
    body: text(frames(...whole, chunk('Bergen'), status('WORKING'))),
    says: [
      'failed',
      /^an update of artifact a1 was sent after state completed, which ends the stream; and 1 more event like it$/,
    ],
    findings: ['stream/after-end'],
  },
  {
    name: 'events after final (0.3)',
    version: '0.3',
    body: [...whole03, whole03[0]].map(frame),
    says: ['failed', /^a status update \(working\) was sent after "final": true/],
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
    says: ['failed', /^event 2 belongs to task "t2", not to task "t1"; and 1 more event like it$/],
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
    waits: { ms: 120, after: 2 },
    says: ['failed', /^task t1 still working after 120 ms and 2 events$/],
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
      /^a stream of 2 events: task t1 is waiting in state input-required with the text "Which branch\?"$/,
    ],
  },
  {
    name: 'endless heartbeats and nothing else',
    body: heartbeats(),
    check: { waitMs: 120 },
    waits: { ms: 120, after: 4 },
    says: ['error', /stayed open for 120 ms without a Task or a Message \(option waitMs\)/],
  },
  {
    name: 'endless heartbeats while the task continues',
    body: heartbeats(frame(task('WORKING'))),
    check: { waitMs: 120 },
    waits: { ms: 120, after: 4 },
    says: ['failed', /^task t1 still working after 120 ms and 1 event$/],
    findings: ['wire/unsettled'],
  },
  {
    name: 'silence',
    body: text(frame(task('WORKING'))),
    then: 'open',
    waits: { ms: 33_333, after: 2 },
    says: [
      'error',
      /nothing arrived on the stream of .* for 33333 ms \(option limits\.idleTimeoutMs\), after 1 events/,
    ],
  },
  {
    name: 'a truncated event',
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
      /^the connection broke after 2 events, the last an update of artifact a1, inside the HTTP body$/,
    ],
    findings: ['wire/stream-cut'],
  },
  {
    name: 'an error in the middle',
    body: [frame(task('WORKING')), `event: error\ndata: ${rpcError(-32603, 'quota used up')}\n\n`],
    says: [
      'failed',
      /error -32603 \(InternalError\): "quota used up" .*; after 1 event, the last a Task \(working\)$/,
    ],
    findings: ['rpc/error'],
  },
  {
    name: 'an error in the middle, over HTTP+JSON',
    binding: 'HTTP+JSON',
    body: [
      `data: ${JSON.stringify(task('WORKING'))}\n\n`,
      'event: error\ndata: {"code":13,"message":"quota used up","details":[]}\n\n',
    ],
    says: ['failed', /failed within its stream: "quota used up" .*; after 1 event/],
    findings: ['rpc/error'],
  },
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
