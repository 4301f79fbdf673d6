import type { Fault, Json } from '../../src/testing/index.ts'
import type { FaultyAgent, StartAgent } from './faultyAgent.ts'
import { agentFrom, bytes, http, itself, rpc, textMessage, streaming, streamText } from './baseAgents.ts'

const status = (state: string, more: Json = {}): Json => ({
  statusUpdate: { taskId: 't1', contextId: 'c1', status: { state: `TASK_STATE_${state}` }, ...more },
})
const chunk = (artifactId: string, text: string, more: Json = {}): Json => ({
  artifactUpdate: { taskId: 't1', contextId: 'c1', artifact: { artifactId, parts: [{ text }] }, ...more },
})
const done = status('COMPLETED')

/** Answers a plain call with an event stream, as some agents always do. */
const stream10: StartAgent = agentFrom({}, [streaming(status('WORKING'), chunk('a1', 'Oslo'), done)])
const events = (...results: Json[]): Fault => streaming(...results)
const sse = (body: string): string => http('text/event-stream', body)
const event = (result: unknown): string => `data: ${rpc(result)}\n\n`
const working = { task: { id: 't1', contextId: 'c1', status: { state: 'TASK_STATE_WORKING' } } }
const completed = {
  id: 't1',
  contextId: 'c1',
  status: { state: 'TASK_STATE_COMPLETED', message: textMessage('Oslo') },
}

/** Replies that come as an event stream. */
export const streams: FaultyAgent[] = [
  {
    name: "sends events of another user's task",
    finding: 'wire/foreign-task',
    level: 'warning',
    message: 'an event for task "t2" came in the stream of task "t1"',
    start: stream10,
    fault: events(
      status('WORKING'),
      chunk('a1', 'Oslo'),
      { statusUpdate: { taskId: 't2', contextId: 'c1', status: { state: 'TASK_STATE_WORKING' } } },
      done,
    ),
  },
  {
    name: 'appends to an artifact that never began',
    finding: 'wire/append-first',
    level: 'warning',
    message: 'artifact a1: first chunk has append: true',
    start: stream10,
    fault: events(chunk('a1', 'Oslo', { append: true }), done),
  },
  {
    name: 'gives every chunk another artifact id',
    finding: 'wire/changing-artifact-ids',
    level: 'warning',
    message: 'looks like one artifact streamed under changing artifactIds',
    start: stream10,
    fault: events(...Array.from({ length: 12 }, (_, at) => chunk(`a${at}`, 'word ')), done),
  },
  {
    name: 'does not end its last event',
    finding: 'wire/sse-unterminated',
    level: 'warning',
    message: 'the last SSE event was not terminated by a blank line',
    start: stream10,
    fault: streamText((text) => text.trimEnd()),
  },
  {
    name: 'loses the connection while it works',
    finding: 'wire/stream-cut',
    level: 'warning',
    message: 'the event stream broke off while task t1 was working',
    start: bytes({
      send: sse(event(working)).replace('\r\n\r\n', '\r\ncontent-length: 9999\r\n\r\n'),
      get: http('application/json', rpc(completed, 2)),
    }),
    fault: itself,
  },
  {
    name: 'is disconnected in the middle of an event',
    finding: 'wire/stream-cut',
    level: 'error',
    message: 'ended early, stream cut inside an event',
    start: stream10,
    fault: streamText((text) => text.slice(0, text.length - 30)),
  },
  {
    name: 'closes its stream without an event',
    finding: 'wire/stream-empty',
    level: 'error',
    message: 'the stream ended without any event',
    start: stream10,
    fault: streamText(() => ''),
  },
  {
    name: 'sends comments only',
    finding: 'wire/stream-empty',
    level: 'error',
    message: 'bytes of event-stream but no complete event',
    start: stream10,
    fault: streamText(() => ': ping\n\n: ping\n\n'),
  },
  {
    name: 'streams words instead of JSON',
    finding: 'wire/event-json',
    level: 'error',
    message: 'event 1 of the stream of',
    start: stream10,
    fault: streamText(() => 'data: Oslo\n\n'),
  },
  {
    name: 'streams JSON without an envelope',
    finding: 'wire/rpc-envelope',
    level: 'error',
    message: 'JSON that is not a JSON-RPC response',
    start: stream10,
    fault: streamText(() => `data: ${JSON.stringify(done)}\n\n`),
  },
  {
    name: 'streams in Latin-1',
    finding: 'wire/stream-encoding',
    level: 'error',
    message: 'is not valid UTF-8',
    start: bytes({ send: Buffer.from(sse(event({ message: textMessage('Tromsø') })), 'latin1') }),
    fault: itself,
  },
  {
    name: 'streams an update without its artifact',
    finding: 'wire/no-artifact',
    level: 'error',
    message: 'the artifact update has no artifact',
    start: stream10,
    fault: events({ artifactUpdate: { taskId: 't1', contextId: 'c1' } }, done),
  },
  {
    name: 'streams an error',
    finding: 'rpc/error',
    level: 'error',
    message: 'error -32603 (InternalError): "quota used up"',
    start: stream10,
    fault: streamText(
      () =>
        `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'quota used up' } })}\n\n`,
    ),
  },
  {
    name: 'streams a bare update',
    finding: 'wire/wrapping',
    level: 'warning',
    message: 'a stream event must be {"task"}, {"message"}, {"statusUpdate"} or {"artifactUpdate"} in 1.0',
    start: stream10,
    fault: events(status('WORKING'), chunk('a1', 'Oslo'), done['statusUpdate'] as Json),
  },
  {
    name: 'numbers its events instead of repeating the id',
    finding: 'wire/rpc-id',
    level: 'warning',
    message: 'response id 2 (number) does not equal request id 1 (number)',
    start: stream10,
    fault: streamText((text) => text.replaceAll('"id":1,', '"id":2,')),
  },
]
