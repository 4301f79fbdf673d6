import type { AgentOptions } from '../../src/client/types.ts'
import type { StreamCheckOptions } from '../../src/checks/stream/checkStream.ts'
import { chunk, frame, status, task, type Json } from './events.ts'
import type { RawAnswer } from './rawAgent.ts'

/** One way to answer a streaming call, and its verdict. */
export interface Row extends RawAnswer {
  name: string
  /** What `toStream` says: its outcome, and a part of what was received. */
  says: ['passed' | 'failed' | 'error', RegExp]
  /** The ids of all findings. */
  findings?: string[]
  options?: AgentOptions
  /** How long the agent is waited for, in ms of a manual clock, after that number of waits on its stream. */
  waits?: { ms: number; after: number }
  check?: StreamCheckOptions
  binding?: 'JSONRPC' | 'HTTP+JSON'
  version?: '1.0' | '0.3'
}

export const oslo: Row['says'] = ['passed', /^a stream of 3 events: task t1 completed with the text "Oslo"$/]
export const frames = (...results: Json[]): string => results.map(frame).join('')
export const whole03 = [
  { kind: 'status-update', taskId: 't1', contextId: 'c1', status: { state: 'working' }, final: false },
  {
    kind: 'artifact-update',
    taskId: 't1',
    contextId: 'c1',
    artifact: { artifactId: 'a1', parts: [{ kind: 'text', text: 'Oslo' }] },
  },
  { kind: 'status-update', taskId: 't1', contextId: 'c1', status: { state: 'completed' }, final: true },
]
export const text = (body: string): string[] => [body]
/** Each byte on its own, as a slow network would deliver them. */
export const bytewise = (body: string): (string | Buffer)[] =>
  [...Buffer.from(body)].map((byte) => Buffer.of(byte))
export const withId = (body: string): string => body.replaceAll('"$id"', '1')
export const turned = (body: string, lineEnd: string): string => body.replaceAll('\n', lineEnd)
/** A piece of a body as HTTP/1.1 sends it where it does not know the length. */
export const httpChunk = (piece: string): string => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`
export const json = { headers: ['content-type: application/json'] }

export async function* heartbeats(before = ''): AsyncGenerator<string> {
  if (before !== '') yield before
  for (;;) {
    yield ': ping\n\n'
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** That number of events of 1 MiB each, created lazily; each replaces the one before, or is appended to it. */
export function* megabytes(count: number, { append = false } = {}): Generator<string> {
  yield frame(task('WORKING'))
  const text = 'x'.repeat(2 ** 20 - 200)
  const [first, later] = [frame(chunk(text)), frame(chunk(text, append ? { append } : {}))]
  for (let sent = 0; sent < count; sent++) yield sent === 0 ? first : later
  yield frames(chunk('Oslo'), status('COMPLETED'))
}
