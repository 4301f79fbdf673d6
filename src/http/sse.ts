import { TextDecoder } from 'node:util'
import type { Clock } from '../core/clock.ts'
import { A2AConnectionError, A2APolicyError, A2AReplyError } from '../core/errors.ts'
import type { Limits } from './types.ts'

/** One event of a stream, as sent. */
export interface SseEvent {
  /** Never empty: events without data are skipped, as they only keep a connection alive. */
  data: string
  event?: string
  id?: string
  /** True for the last event of a stream that ended without the blank line after it. */
  unterminated: boolean
}

export interface SseOptions {
  limits: Pick<Limits, 'maxEventBytes' | 'maxStreamBytes' | 'maxEvents' | 'idleTimeoutMs'>
  clock: Clock
  /** Whose stream it is, for messages: `POST http://127.0.0.1:4100/rpc`. */
  label: string
  /** Ends the connection; called whenever reading stops before the stream does. */
  abort?: () => void
}

/**
 * Reads a stream of events whatever its framing: LF, CR, CRLF, a byte order mark, comments, ids, several data lines, chunks
 * that split characters or line ends, and a last event without its blank line (A2A field practice; WHATWG would drop it).
 * Yields the events of one chunk at a time, because passing on each event separately would cost more than reading it.
 * Throws A2APolicyError `TOO_LARGE` naming the limit, A2AConnectionError `TIMEOUT` after silence, A2AReplyError `BAD_REPLY` for
 * bytes that are not UTF-8 and for a stream without a single event.
 */
export async function* readSseBatches(
  chunks: AsyncIterable<Uint8Array>,
  options: SseOptions,
): AsyncGenerator<SseEvent[], void, void> {
  const { limits, label } = options
  const { createParser } = await import('eventsource-parser')
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let ready: SseEvent[] = []
  let bytes = 0
  let events = 0
  let atEnd = false
  let cut: string | undefined
  let fault: Error | undefined
  const parser = createParser({
    maxBufferSize: limits.maxEventBytes,
    onEvent({ data, event, id }) {
      if (data === '') return
      // A character has three bytes at most for each unit of its length.
      if (data.length * 3 > limits.maxEventBytes && Buffer.byteLength(data) > limits.maxEventBytes) {
        fault ??= tooLarge(`an event of the stream of ${label}`, limits.maxEventBytes, 'maxEventBytes')
      }
      const read: SseEvent = { data, unterminated: atEnd }
      if (event !== undefined) read.event = event
      if (id !== undefined) read.id = id
      ready.push(read)
    },
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') {
        fault ??= tooLarge(`an event of the stream of ${label}`, limits.maxEventBytes, 'maxEventBytes')
      } else if (atEnd && error.field !== undefined && 'data'.startsWith(error.field)) {
        cut = error.field
      }
    },
  })

  function feed(text: string): void {
    if (text !== '' && fault === undefined) parser.feed(text)
    if (fault !== undefined) throw fault
  }

  function decode(chunk?: Uint8Array): string {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
    } catch (cause) {
      throw new A2AReplyError(
        'BAD_REPLY',
        `the stream of ${label} is not valid UTF-8 (within the ${bytes} bytes that had arrived)`,
        {
          cause,
          finding: 'wire/stream-encoding',
          fix: 'Event streams are UTF-8, always; encode the text once, and never cut it by bytes.',
        },
      )
    }
  }

  const source = chunks[Symbol.asyncIterator]()
  let tail = ''
  let ended = false
  try {
    for (;;) {
      const next = await nextWithin(source, options, () => events)
      if (next.done === true) break
      bytes += next.value.length
      if (bytes > limits.maxStreamBytes)
        throw tooLarge(`the stream of ${label}`, limits.maxStreamBytes, 'maxStreamBytes')
      const text = decode(next.value)
      tail = text.length < 4 ? (tail + text).slice(-4) : text.slice(-4)
      feed(text)
      if (ready.length === 0) continue
      const batch = ready
      ready = []
      const allowed = limits.maxEvents - events
      events += batch.length
      yield batch.length > allowed ? batch.slice(0, allowed) : batch
      if (batch.length > allowed) throw tooManyEvents(label, limits.maxEvents)
    }
    ended = true
    feed(decode())
    atEnd = !tail.replace(/\r\n?/g, '\n').endsWith('\n\n')
    // Two line ends: one for a line that was cut, one for the blank line that dispatches.
    feed('\n\n')
    if (ready.length > 0) {
      events += ready.length
      yield ready
    }
    if (cut !== undefined) throw cutInside(label, cut)
    if (events === 0) {
      throw new A2AReplyError(
        'BAD_REPLY',
        bytes === 0
          ? `the stream ended without any event (${label})`
          : `received ${bytes} bytes of event-stream but no complete event; the stream ended without any event (${label})`,
        { finding: 'wire/stream-empty' },
      )
    }
  } finally {
    if (!ended) options.abort?.()
  }
}

/** The error for a stream that ended in the middle of an event, with its last characters. */
export function cutInside(label: string, data: string): A2AReplyError {
  return new A2AReplyError(
    'BAD_REPLY',
    `the stream of ${label} ended early, stream cut inside an event: …${JSON.stringify(data.slice(-80))}`,
    {
      finding: 'wire/stream-cut',
      fix: 'The server, or a proxy with a limit on time or size, closed the connection before the event was sent.',
    },
  )
}

function nextWithin(
  source: AsyncIterator<Uint8Array>,
  { limits, clock, label }: SseOptions,
  events: () => number,
): Promise<IteratorResult<Uint8Array>> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(limits.idleTimeoutMs, () => {
      reject(
        new A2AConnectionError(
          'TIMEOUT',
          `nothing arrived on the stream of ${label} for ${limits.idleTimeoutMs} ms (option limits.idleTimeoutMs), after ${events()} events`,
          {
            fix: 'Send a comment line (": ping") every 15 s while the agent works, or raise limits.idleTimeoutMs.',
          },
        ),
      )
    })
    source.next().then(resolve, reject).finally(cancel)
  })
}

function tooLarge(what: string, max: number, option: 'maxEventBytes' | 'maxStreamBytes'): A2APolicyError {
  return new A2APolicyError('TOO_LARGE', `${what} is larger than ${max} bytes (option limits.${option})`, {
    fix: `If that is meant, raise limits.${option}.`,
  })
}

function tooManyEvents(label: string, max: number): A2APolicyError {
  return new A2APolicyError(
    'TOO_LARGE',
    `the stream of ${label} has more than ${max} events (option limits.maxEvents)`,
    { fix: 'If that is meant, raise limits.maxEvents.' },
  )
}
