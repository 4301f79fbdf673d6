import { finding } from '../../findings/finding.ts'
import { longestTimerMs, waitMarginMs } from '../../core/deadline.ts'
import type { Deps } from '../../core/deps.ts'
import { A2AConnectionError, A2AReplyError, isA2AError } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import type { Codec } from '../../protocol/codec.ts'
import { createFold } from '../../protocol/fold.ts'
import { isActive } from '../../protocol/model.ts'
import type { CallResult } from '../../http/answers.ts'
import type { Exchange } from '../../http/types.ts'
import type { Answer, CallLimits } from '../operations/call.ts'

/** An answer that came as an event stream. */
export type EventResult = Extract<CallResult, { kind: 'events' }>

/**
 * Reads a reply that came as an event stream, until it is complete, the agent closes it or the deadline passes: an agent may keep
 * the connection open forever.
 */
export async function readEvents(
  stream: EventResult,
  codec: Codec,
  limits: CallLimits,
  { clock }: Deps,
): Promise<Omit<Answer, 'route'>> {
  const { requestTimeoutMs, followMs = requestTimeoutMs, deadlineAt = Infinity } = limits
  const fold = createFold()
  const more: Finding[] = []
  const start = clock.now()
  let late = false
  const hangUp = (ms: number, until: number): (() => void) =>
    clock.after(Math.max(0, Math.min(ms, until - clock.now(), longestTimerMs)), () => {
      late = true
      stream.abort()
    })
  let stop = hangUp(requestTimeoutMs, deadlineAt)
  try {
    for await (const raw of stream.events) {
      const { value: event, findings: tolerances } = codec.readEvent(raw)
      const { hasReply } = fold
      fold.add(event, tolerances)
      if (fold.ended) break
      if (hasReply || !fold.hasReply) continue
      if (followMs <= clock.now() - start) break
      stop()
      stop = hangUp(followMs - (clock.now() - start), deadlineAt - waitMarginMs)
    }
  } catch (error) {
    const known = fold.reply()
    // An interrupted stream loses nothing: the task continues, and polling shows how.
    if (!isDisconnect(error) || known?.kind !== 'task' || !isActive(known.status.state)) throw error
    more.push(
      finding(
        'wire/stream-cut',
        `the event stream broke off while task ${known.id} was ${known.status.state}: ${(error as Error).message}`,
      ),
    )
  } finally {
    stop()
    stream.abort()
  }
  const followedMs = clock.now() - start
  const value = fold.reply()
  if (value === undefined) {
    const option = deadlineAt - start < requestTimeoutMs ? 'deadlineMs' : 'requestTimeoutMs'
    throw late ? silentStream(stream, followedMs, option) : emptyStream()
  }
  return { value, findings: [...fold.findings, ...more], progress: [...fold.progress], followedMs }
}

function emptyStream(): A2AReplyError {
  return new A2AReplyError('BAD_REPLY', 'the stream ended without any event', {
    finding: 'wire/stream-empty',
    fix: 'Send a Task or a Message before the stream is closed.',
  })
}

/** The error for a stream that reported nothing for as long as it was read. */
export function silentStream(
  { exchange }: { exchange: Exchange },
  ms: number,
  option: 'requestTimeoutMs' | 'waitMs' | 'deadlineMs',
): A2AConnectionError {
  return new A2AConnectionError(
    option === 'deadlineMs' ? 'DEADLINE' : 'TIMEOUT',
    `the event stream of ${exchange.method} ${exchange.url} stayed open for ${ms} ms without a Task or a Message (option ${option})`,
    { fix: `Let the agent send its Task first; if it is that slow, raise ${option}.` },
  )
}

function isDisconnect(error: unknown): boolean {
  return isA2AError(error) && error.code === 'UNREACHABLE'
}

/** The last event of a stream, undecoded: the answer of an operation that should not be streamed. */
export async function readLastEvent(
  stream: EventResult,
  { requestTimeoutMs }: CallLimits,
  { clock }: Deps,
): Promise<unknown> {
  let last: unknown
  const stop = clock.after(Math.min(requestTimeoutMs, longestTimerMs), () => stream.abort())
  try {
    for await (const raw of stream.events) last = raw
  } finally {
    stop()
    stream.abort()
  }
  return last
}
