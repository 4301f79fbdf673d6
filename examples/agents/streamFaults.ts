import { isObject, mapStream } from './rpc.ts'
import type { Fault, Json, WireRequest } from './wire.ts'

/** Faults of event streams. Events are counted from 0 in each stream. */
export interface StreamFaults {
  /** Changes every event stream. An event is the content of its `data`, including the envelope. */
  stream(change: (events: AsyncIterable<unknown>, request: WireRequest) => AsyncIterable<unknown>): Fault
  /** Leaves out the events that `drop` selects, by result and position. */
  dropEvents(drop: (result: Json, at: number) => boolean): Fault
  /** Sends an event after the one that should follow it. */
  swapEvents(at: number): Fault
  /** Breaks the connection after that number of events. */
  cutStream(after: number): Fault
  /** Ends the stream normally after that number of events. */
  endStream(after: number): Fault
  /** Sends everything, and never ends the stream. */
  neverEndStream(): Fault
  /** Sends more results after the last one; `make` receives all that were sent. */
  addEvents(make: (results: Json[]) => unknown[]): Fault
  /** Sends an event only when the promise for its position resolves: a slow stream without a clock. */
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
      // An error in a stream breaks its connection.
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

/** The result of an event, without its JSON-RPC envelope if it has one. */
export function resultOf(event: unknown): Json {
  if (!isObject(event)) return {}
  if (!('jsonrpc' in event)) return event
  return isObject(event['result']) ? event['result'] : {}
}

/** Changes the result of each event, but not its envelope. */
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
