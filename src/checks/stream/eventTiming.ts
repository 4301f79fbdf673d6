import { finding } from '../../findings/finding.ts'
import type { StreamTimings } from '../../client/types.ts'
import type { Finding } from '../../findings/types.ts'
import { count } from '../phrases.ts'

/** Events closer than this are one arrival, in ms: what was written at once may be read in pieces. */
const gapMs = 20
/** A single arrival that lasts this long in ms is no piece that was held back: a stream of many small steps. */
const longMs = 200
/** Below this, in ms, an agent may have been so quick that nothing was held back. */
const quickMs = 100
/** From so many events and so much silence in ms on it is worth a note that nobody asked for. */
const notable = { events: 3, ms: 1000 }

/** How the events arrived: step by step, in one piece, or too quickly to tell. */
export type Arrival =
  { kind: 'steps' } | { kind: 'quick'; message: string } | { kind: 'piece'; message: string }

/** Judges by times of arrival alone. Pure. */
export function arrivalOf({ requestedAt, events }: Pick<StreamTimings, 'requestedAt' | 'events'>): Arrival {
  const [first = requestedAt] = events
  const last = events.at(-1) ?? first
  const silence = first - requestedAt
  const span = last - first
  if (events.length < 2) {
    return { kind: 'piece', message: `the stream has ${count(events.length, 'event')}, and so no steps` }
  }
  if (span >= longMs || events.some((at, index) => at - (events[index - 1] ?? at) >= gapMs))
    return { kind: 'steps' }
  const burst = `${events.length} events arrived within ${span} ms`
  if (last - requestedAt < quickMs) {
    return {
      kind: 'quick',
      message: `${burst}, ${silence} ms after the request: too quick to tell whether anything held them back`,
    }
  }
  return {
    kind: 'piece',
    message: `${burst} after ${silence} ms of silence: the response looks buffered (proxy?); see X-Accel-Buffering, Cache-Control: no-transform`,
  }
}

const fix =
  'Flush after every event, and let the proxy pass it on: `X-Accel-Buffering: no`, `Cache-Control: no-transform`, no compression.'

/** The finding for events in one piece; where nobody asked for steps a note, and only when it is striking. */
export function pieceFindings(timings: StreamTimings, incremental: boolean): Finding[] {
  const arrival = arrivalOf(timings)
  if (arrival.kind !== 'piece') return []
  const { events, requestedAt } = timings
  const isNotable = events.length >= notable.events && (events[0] ?? requestedAt) - requestedAt >= notable.ms
  if (!incremental && !isNotable) return []
  return [finding('stream/one-piece', arrival.message, { level: incremental ? 'error' : 'note', fix })]
}

/** The finding for a first event that came too late. */
export function lateFindings(
  { requestedAt, events }: StreamTimings,
  firstEventMs: number | undefined,
): Finding[] {
  const [first] = events
  if (firstEventMs === undefined || first === undefined || first - requestedAt <= firstEventMs) return []
  return [
    finding(
      'stream/first-event-late',
      `the first event came after ${first - requestedAt} ms, not within ${firstEventMs} ms`,
    ),
  ]
}
