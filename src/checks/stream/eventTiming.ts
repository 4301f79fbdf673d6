import { finding } from '../../findings/finding.ts'
import type { StreamTimings } from '../../client/types.ts'
import type { Finding } from '../../findings/types.ts'
import { count } from '../phrases.ts'

/** Events closer than this, in ms, count as one burst: what was written at once may be read in pieces. */
const gapMs = 20
/** A burst that lasts this long, in ms, was not held back: it is a stream of many small steps. */
const longMs = 200
/** Below this, in ms, the agent may simply have been fast. */
const quickMs = 100
/** From this number of events and this much silence, in ms, a burst is worth a note even if `incremental` was not set. */
const notable = { events: 3, ms: 1000 }

/** How the events arrived: one by one, in one burst, or too fast to say. */
export type Arrival =
  { kind: 'steps' } | { kind: 'quick'; message: string } | { kind: 'piece'; message: string }

/** Decides by the times of arrival alone. Pure. */
export function arrivalOf({ requestedAt, events }: Pick<StreamTimings, 'requestedAt' | 'events'>): Arrival {
  const [first = requestedAt] = events
  const last = events.at(-1) ?? first
  const silence = first - requestedAt
  const span = last - first
  if (events.length < 2) {
    return {
      kind: 'piece',
      message: `the stream has ${count(events.length, 'event')}, so nothing arrived step by step`,
    }
  }
  if (span >= longMs || events.some((at, index) => at - (events[index - 1] ?? at) >= gapMs))
    return { kind: 'steps' }
  const burst = `${events.length} events arrived within ${span} ms`
  if (last - requestedAt < quickMs) {
    return {
      kind: 'quick',
      message: `${burst}, ${silence} ms after the request: too fast to say whether something held them back`,
    }
  }
  return {
    kind: 'piece',
    message: `${burst} after ${silence} ms of silence: the response looks buffered, perhaps by a proxy`,
  }
}

const fix =
  'Flush after every event, and make the proxy forward it at once: `X-Accel-Buffering: no`, `Cache-Control: no-transform`, no compression.'

/** The finding for events in one burst; without `incremental` only a note, and only for a long silence. */
export function pieceFindings(timings: StreamTimings, incremental: boolean): Finding[] {
  const arrival = arrivalOf(timings)
  if (arrival.kind !== 'piece') return []
  const { events, requestedAt } = timings
  const isNotable = events.length >= notable.events && (events[0] ?? requestedAt) - requestedAt >= notable.ms
  if (!incremental && !isNotable) return []
  return [finding('stream/one-piece', arrival.message, { level: incremental ? 'error' : 'note', fix })]
}

/** The finding for a late first event. */
export function lateFindings(
  { requestedAt, events }: StreamTimings,
  firstEventMs: number | undefined,
): Finding[] {
  const [first] = events
  if (firstEventMs === undefined || first === undefined || first - requestedAt <= firstEventMs) return []
  return [
    finding(
      'stream/first-event-late',
      `the first event arrived after ${first - requestedAt} ms, not within ${firstEventMs} ms`,
    ),
  ]
}
