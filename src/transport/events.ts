import { systemClock } from '../clock.ts'
import { A2AReplyError } from '../errors.ts'
import type { Finding } from '../finding.ts'
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

  async function* events(): AsyncGenerator<unknown, void, void> {
    const { limits, clock = systemClock } = transport
    const abort = (): void => response.abort()
    let index = 0
    try {
      for await (const batch of readSseBatches(response.chunks(), { limits, clock, label, abort })) {
        for (const event of batch) {
          const parsed = tryJson(event.data)
          if (parsed === undefined)
            throw event.unterminated ? cutInside(label, event.data) : badEvent(event, index)
          if (event.unterminated) findings.push(unterminatedFinding())
          yield read(parsed.json, event, index++)
        }
      }
    } catch (error) {
      // Whoever hung up wants no error for it.
      if (!aborted) throw error
    } finally {
      response.abort()
    }
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
    events: events(),
    findings,
    exchange: response.exchange,
    abort() {
      aborted = true
      response.abort()
    },
  }
}
