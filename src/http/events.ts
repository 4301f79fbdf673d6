import { systemClock } from '../core/clock.ts'
import { A2AReplyError } from '../core/errors.ts'
import type { Finding } from '../findings/types.ts'
import { excerpt, labelOf, tryJson, unterminatedFinding, type CallResult } from './answers.ts'
import { cutInside, readSseBatches, type SseEvent } from './sse.ts'
import type { OpenResponse, Transport } from './types.ts'

/** Reads one event's JSON: gives the value to hand on, or throws the error that the event is. */
export type ReadEvent = (json: unknown, event: SseEvent, index: number) => unknown

/** Makes the result of a call whose answer is an event stream. The events can be read once. */
export function eventsOf(
  transport: Transport,
  response: OpenResponse,
  findings: Finding[],
  read: ReadEvent,
): Extract<CallResult, { kind: 'events' }> {
  let aborted = false
  const label = labelOf(response)

  const { limits, clock = systemClock } = transport
  const abort = (): void => response.abort()
  const batches = readSseBatches(response.chunks(), { limits, clock, label, abort })
  const done: IteratorResult<unknown, undefined> = { value: undefined, done: true }
  let batch: readonly SseEvent[] = []
  let at = 0
  let index = 0
  let over = false

  const take = (event: SseEvent): IteratorYieldResult<unknown> => {
    const parsed = tryJson(event.data)
    if (parsed === undefined) throw event.unterminated ? cutInside(label, event.data) : badEvent(event, index)
    if (event.unterminated) findings.push(unterminatedFinding())
    return { value: read(parsed.json, event, index++), done: false }
  }

  const stop = async (): Promise<IteratorResult<unknown, undefined>> => {
    over = true
    batch = []
    response.abort()
    await batches.return()
    return done
  }

  const fail = async (error: unknown): Promise<IteratorResult<unknown, undefined>> => {
    await stop()
    // Whoever hung up wants no error for it.
    if (aborted) return done
    throw error
  }

  const pull = async (): Promise<IteratorResult<unknown, undefined>> => {
    try {
      const next = await batches.next()
      if (next.done === true) return await stop()
      batch = next.value
      at = 1
      return take(batch[0] as SseEvent)
    } catch (error) {
      return fail(error)
    }
  }

  // Not a generator: an agent may send many events at once, and each would pass through one more queue.
  const events: AsyncIterableIterator<unknown, undefined> = {
    [Symbol.asyncIterator]: () => events,
    next() {
      if (over) return Promise.resolve(done)
      const event = batch[at]
      if (event === undefined) return pull()
      at += 1
      try {
        return Promise.resolve(take(event))
      } catch (error) {
        return fail(error)
      }
    },
    return: stop,
  }

  function badEvent({ data }: SseEvent, index: number): A2AReplyError {
    return new A2AReplyError(
      'NOT_JSON',
      `event ${index + 1} of the stream of ${label} is not JSON: "${excerpt(data)}"`,
      { finding: 'wire/event-json' },
    )
  }

  return {
    kind: 'events',
    events,
    ready() {
      const event = over ? undefined : batch[at]
      if (event === undefined) return undefined
      at += 1
      return take(event)
    },
    findings,
    exchange: response.exchange,
    abort() {
      aborted = true
      response.abort()
    },
  }
}
