import type { Clock } from '../../src/core/clock.ts'
import { closeMs } from '../../src/checks/stream/readStream.ts'
import { checkStream, type StreamCheckOptions } from '../../src/checks/stream/checkStream.ts'
import {
  faults,
  startAgentFrom,
  type Fault,
  type Json,
  type Step,
  type WireRequest,
} from '../../src/testing/index.ts'
import { manualClock } from '../support/manualClock.ts'
import { methodOf } from '../support/resuming.ts'
import { budget, type FaultyAgent, type StartAgent } from './faultyAgent.ts'

const steps: Step[] = [
  { state: 'working', text: 'Looking it up' },
  { artifact: { artifactId: 'a1', parts: [{ text: 'Os' }] }, more: true },
  { artifact: { artifactId: 'a1', parts: [{ text: 'lo' }] }, append: true },
  { state: 'completed' },
]

const start =
  (dialect: '1.0' | '0.3'): StartAgent =>
  (fault) =>
    startAgentFrom({ dialect, respond: () => [...steps], fault })
/** Sends the Task, working, two chunks, completed. */
const task10 = start('1.0')
const task03 = start('0.3')
const echo10: StartAgent = (fault) => startAgentFrom({ fault })

const check =
  (options: StreamCheckOptions = {}): Required<FaultyAgent>['check'] =>
  (agent) =>
    checkStream(agent, ['Hello', options], budget)

/** Sends a result more before the event at this place, made from the one that stands there. */
const before = (place: number, make: (result: Json) => unknown): Fault =>
  faults.stream(async function* (events) {
    let at = 0
    for await (const event of events) {
      const { result } = event as { result: Json }
      if (at++ === place) yield { ...(event as Json), result: make(structuredClone(result)) }
      yield event
    }
  })

/** Changes the text of the results of streams. */
const written = (from: RegExp | string, to: string): Fault =>
  faults.stream(async function* (events) {
    for await (const event of events) yield JSON.parse(JSON.stringify(event).replaceAll(from, to)) as unknown
  })

const isStreaming = (request: WireRequest): boolean => /Streaming|message\/stream/.test(methodOf(request))
const textMessage = (text: string): Json => ({ messageId: 'm9', role: 'ROLE_AGENT', parts: [{ text }] })

/** Time that stands still until a stream is read after its end, and then passes the deadline. */
const closingClock = (): Clock => {
  const clock = manualClock({ auto: true })
  const after: Clock['after'] = (ms, fn) => {
    if (ms === closeMs) setImmediate(() => void clock.advance(closeMs))
    return clock.after(ms, fn)
  }
  return { now: clock.now, after, sleep: clock.sleep }
}
const patient =
  (one: StartAgent): StartAgent =>
  async (fault) => ({ ...(await one(fault)), ...(fault.length > 0 && { deps: { clock: closingClock() } }) })

/** Streams whose events, or whose end, are out of order. */
export const streamOrder: FaultyAgent[] = [
  {
    name: 'begins its stream with an update',
    finding: 'stream/first-event',
    level: 'error',
    message: 'the stream starts with a status update (working), not with a Task or a Message',
    start: task10,
    fault: faults.dropEvents((_, at) => at === 0),
    check: check(),
  },
  {
    name: 'sends its Task after the first update',
    finding: 'stream/first-event',
    level: 'error',
    message: 'the stream starts with a status update (working), not with a Task or a Message',
    start: async (fault) =>
      startAgentFrom({ respond: () => [{ state: 'working' }, ...steps.slice(1)], fault }),
    fault: [written('TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING'), faults.swapEvents(0)],
    check: check(),
  },
  {
    name: 'says something within the stream of a task',
    finding: 'stream/message-in-task',
    level: 'error',
    message: 'event 3 is a Message in the stream of a task',
    start: task10,
    fault: before(2, () => ({ message: textMessage('One moment') })),
    check: check(),
  },
  {
    name: "mixes another task's events into its stream",
    finding: 'stream/ids',
    level: 'error',
    message: 'event 3 belongs to task "t9", not to task',
    start: task10,
    fault: before(2, () => ({
      statusUpdate: { taskId: 't9', contextId: 'c9', status: { state: 'TASK_STATE_WORKING' } },
    })),
    check: check(),
  },
  {
    name: 'gives every event another context',
    finding: 'stream/ids',
    level: 'error',
    message: 'event 2 belongs to context "c9", not to context',
    start: task10,
    fault: faults.stream(async function* (events) {
      let at = 0
      for await (const event of events) {
        const text = JSON.stringify(event)
        yield at++ === 0
          ? event
          : (JSON.parse(text.replace(/"contextId":"[^"]+"/g, '"contextId":"c9"')) as unknown)
      }
    }),
    check: check(),
  },
  {
    name: 'goes back to submitted',
    finding: 'stream/state-regress',
    level: 'error',
    message: 'the state changed back from working to submitted (event 3)',
    start: task10,
    fault: before(2, ({ artifactUpdate }) => {
      const { taskId, contextId } = artifactUpdate as Json
      return { statusUpdate: { taskId, contextId, status: { state: 'TASK_STATE_SUBMITTED' } } }
    }),
    check: check(),
  },
  {
    name: 'sends a part of its answer after the end',
    finding: 'stream/after-end',
    level: 'error',
    message: 'an update of artifact a1 was sent after state completed, which ends the stream',
    start: task10,
    fault: faults.addEvents((all) => [all[3]]),
    check: check(),
  },
  {
    name: 'keeps working after it has completed',
    finding: 'stream/after-end',
    level: 'error',
    message: 'a status update (working) was sent after state completed, which ends the stream',
    start: task10,
    fault: faults.addEvents((all) => [all[1]]),
    check: check(),
  },
  {
    name: 'sends two Messages',
    finding: 'stream/after-end',
    level: 'error',
    message: 'a Message was sent after a Message, which ends the stream',
    start: echo10,
    fault: faults.addEvents((all) => [all[0]]),
    check: check(),
  },
  {
    name: 'continues after final',
    finding: 'stream/after-end',
    level: 'error',
    message: 'was sent after "final": true, which ends the stream',
    start: task03,
    fault: faults.addEvents((all) => [all[1]]),
    check: check(),
  },
  {
    name: 'completes before its last artifact, and says final after it',
    finding: 'wire/after-end',
    level: 'warning',
    message: 'an update of artifact a1 came after the stream had ended (a terminal state)',
    start: task03,
    fault: before(3, ({ taskId, contextId }) => ({
      kind: 'status-update',
      taskId,
      contextId,
      status: { state: 'completed' },
      final: false,
    })),
    check: check(),
  },
  {
    name: 'leaves its stream open',
    finding: 'stream/not-closed',
    level: 'error',
    message: 'the stream stayed open after state completed',
    start: patient(task10),
    fault: faults.neverEndStream(),
    check: check(),
  },
  {
    name: 'leaves its stream open in 0.3',
    finding: 'stream/not-closed',
    level: 'warning',
    message: 'the stream stayed open after "final": true',
    start: patient(task03),
    fault: faults.neverEndStream(),
    check: check(),
  },
  {
    name: 'never says final',
    finding: 'stream/no-final',
    level: 'warning',
    message: 'the status update with state completed does not have "final": true',
    start: task03,
    fault: written('"final":true', '"final":false'),
    check: check(),
  },
  {
    name: 'closes its stream while it works',
    finding: 'stream/ended-early',
    level: 'error',
    message: 'the stream ended while task',
    start: task10,
    fault: faults.endStream(3),
    check: check(),
  },
  {
    name: 'says final while it works',
    finding: 'stream/ended-early',
    level: 'error',
    message: 'was working (no completed, failed, canceled, rejected or input-required state), after 4 events',
    start: task03,
    fault: [
      faults.dropEvents((_, at) => at === 4),
      written('"state":"working"', '"state":"working","x":1'),
      faults.stream(async function* (events) {
        let last: unknown
        let at = 0
        for await (const event of events) {
          if (at++ === 1) last = event
          yield event
        }
        yield JSON.parse(JSON.stringify(last).replace('"final":false', '"final":true')) as unknown
      }),
      faults.dropEvents((_, at) => at === 1),
    ],
    check: check(),
  },
  {
    name: 'breaks the connection while it works',
    finding: 'wire/stream-cut',
    level: 'error',
    message: 'the connection broke after 2 events, the last a status update (working)',
    start: task10,
    fault: faults.cutStream(2),
    check: check(),
  },
  {
    name: 'streams as plain text',
    finding: 'stream/content-type',
    level: 'error',
    message: 'has the content type "text/plain"',
    start: task10,
    fault: { reply: (own) => (own.stream ? { ...own, headers: { 'content-type': 'text/plain' } } : own) },
    check: check(),
  },
  {
    name: 'calls each chunk its last',
    finding: 'stream/after-last-chunk',
    level: 'warning',
    message: 'artifact a1: a chunk was sent after the last chunk',
    start: task10,
    fault: faults.stream(async function* (events) {
      for await (const event of events) {
        const { result } = event as { result: Json }
        const { artifactUpdate } = result
        yield artifactUpdate
          ? {
              ...(event as Json),
              result: { artifactUpdate: { ...(artifactUpdate as Json), lastChunk: true } },
            }
          : event
      }
    }),
    check: check(),
  },
  {
    name: 'streams an artifact without parts',
    finding: 'wire/no-parts',
    level: 'warning',
    message: 'artifact a2 has no parts',
    start: task10,
    fault: before(2, ({ artifactUpdate }) => ({
      artifactUpdate: { ...(artifactUpdate as Json), artifact: { artifactId: 'a2', parts: [] } },
    })),
    check: check(),
  },
  {
    name: 'answers a streaming call with JSON',
    finding: 'wire/stream-as-json',
    level: 'warning',
    message: 'a streaming call was answered with application/json, not text/event-stream',
    start: echo10,
    fault: {
      reply: (own, request) =>
        isStreaming(request)
          ? {
              json: {
                jsonrpc: '2.0',
                id: (JSON.parse(request.body) as Json)['id'],
                result: { message: textMessage('Hi') },
              },
            }
          : own,
    },
    check: check(),
  },
  {
    name: 'streams states, but no text',
    finding: 'reply/empty',
    level: 'error',
    message: 'completed without any text',
    start: task10,
    fault: [
      faults.dropEvents((result) => 'artifactUpdate' in result),
      written(/"message":\{[^}]*\}[^}]*\},/g, ''),
    ],
    check: check(),
  },
  {
    name: 'streams a failure',
    finding: 'reply/task-failed',
    level: 'error',
    message: 'ended in state failed',
    start: task10,
    fault: written('TASK_STATE_COMPLETED', 'TASK_STATE_FAILED'),
    check: check(),
  },
  {
    name: 'streams a different text than it sends',
    finding: 'stream/differs-from-send',
    level: 'error',
    message: 'the stream has the text "Bergenlo", but SendMessage answered the same message with "Oslo"',
    start: task10,
    fault: written('"Os"', '"Bergen"'),
    check: check({ sameAsSend: true }),
  },
  {
    name: 'streams, but does not say so in its card',
    finding: 'stream/undeclared',
    level: 'warning',
    message:
      'streaming is not declared, but SendStreamingMessage answered with a stream; expected UnsupportedOperationError (-32004)',
    start: echo10,
    fault: [
      faults.card('capabilities', {}),
      {
        reply: (own, request) =>
          isStreaming(request)
            ? {
                events: [
                  {
                    jsonrpc: '2.0',
                    id: (JSON.parse(request.body) as Json)['id'],
                    result: { message: textMessage('Hi') },
                  },
                ],
              }
            : own,
      },
    ],
    check: check({ force: true }),
  },
  {
    name: 'does not stream, as its card says',
    finding: 'stream/refused',
    level: 'error',
    message: 'the card does not declare streaming, so the refusal is correct',
    start: echo10,
    fault: [
      faults.card('capabilities', {}),
      faults.method('SendStreamingMessage', {
        json: { jsonrpc: '2.0', error: { code: -32004, message: 'one answer at a time' } },
      }),
    ],
    check: check({ force: true }),
  },
]
