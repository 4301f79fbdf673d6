import { isObject, mapStream } from './rpc.ts'
import type { Fault, Json, WireRequest } from './wire.ts'

/** Faults of event streams. Events are counted from 0, in each stream anew. */
export interface StreamFaults {
  /** Changes every event stream: an event is what stands in its `data`, envelope included. */
  stream(change: (events: AsyncIterable<unknown>, request: WireRequest) => AsyncIterable<unknown>): Fault
  /** Leaves out the events that `drop` picks, by the result and the place. */
  dropEvents(drop: (result: Json, at: number) => boolean): Fault
  /** Sends an event after the one that should follow it. */
  swapEvents(at: number): Fault
  /** Breaks the connection after so many events. */
  cutStream(after: number): Fault
  /** Ends the stream after so many events, as if that were all. */
  endStream(after: number): Fault
  /** Sends everything, and never ends the stream. */
  neverEndStream(): Fault
  /** Sends further results after the last one; `make` sees all that were sent. */
  addEvents(make: (results: Json[]) => unknown[]): Fault
  /** Sends an event only when the promise for its place resolves: for a stream that is slow without a clock. */
  holdEvents(release: (at: number) => Promise<unknown>): Fault
}

const stream: StreamFaults['stream'] = (change) => ({
  reply: (own, request) => (own.stream ? { ...own, stream: change(own.stream, request) } : own),
})

/** Makers of faults in event streams. */
export const streamFaults: StreamFaults = {
  stream,
  dropEvents: (drop) =>
    stream(async function* (events) {
      let at = 0
      for await (const event of events) if (!drop(resultOf(event), at++)) yield event
    }),
  swapEvents: (place) =>
    stream(async function* (events) {
      let at = 0
      let held: unknown[] = []
      for await (const event of events) {
        if (at++ === place) {
          held = [event]
          continue
        }
        yield event
        yield* held
        held = []
      }
      yield* held
    }),
  cutStream: (after) =>
    stream(async function* (events) {
      let at = 0
      // An error in a stream cuts its connection.
      if (after === 0) throw new Error('cut on purpose')
      for await (const event of events) {
        yield event
        if (++at >= after) throw new Error('cut on purpose')
      }
    }),
  endStream: (after) =>
    stream(async function* (events) {
      let at = 0
      if (after === 0) return
      for await (const event of events) {
        yield event
        if (++at >= after) return
      }
    }),
  neverEndStream: () =>
    stream(async function* (events) {
      yield* events
      await new Promise(() => {})
    }),
  addEvents: (make) =>
    stream(async function* (events) {
      const sent: unknown[] = []
      for await (const event of events) {
        sent.push(event)
        yield event
      }
      for (const result of make(sent.map(resultOf))) yield inEnvelopeOf(sent[0], result)
    }),
  holdEvents: (release) =>
    stream(async function* (events) {
      let at = 0
      for await (const event of events) {
        await release(at++)
        yield event
      }
    }),
}

/** The result of an event, out of its JSON-RPC envelope where it has one. */
export function resultOf(event: unknown): Json {
  if (!isObject(event)) return {}
  if (!('jsonrpc' in event)) return event
  return isObject(event['result']) ? event['result'] : {}
}

/** Changes the result of each event, and nothing of its envelope. */
export function onResults(
  events: AsyncIterable<unknown>,
  change: (result: Json) => unknown,
): AsyncIterable<unknown> {
  return mapStream(events, (event) =>
    isObject(event) && (!('jsonrpc' in event) || isObject(event['result']))
      ? inEnvelopeOf(event, change(structuredClone(resultOf(event))))
      : event,
  )
}

function inEnvelopeOf(event: unknown, result: unknown): unknown {
  return isObject(event) && 'jsonrpc' in event ? { ...event, result } : result
}
