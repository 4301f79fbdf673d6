import type { Dispatcher } from 'undici'
import { A2AConnectionError, type A2AError } from '../core/errors.ts'
import { decoded, decodeText, Head, readAll, tooLarge } from './body.ts'
import { describeFailure, what, type FailureContext } from './errors.ts'
import type { Stop } from './stop.ts'
import type { Exchange, Limits, OpenResponse } from './types.ts'

export type RawResponse = Dispatcher.ResponseData

export interface ResponseHead {
  status: number
  /** Names in lower case; repeated ones joined by a comma. */
  headers: Record<string, string>
}

export function readHead(raw: RawResponse): ResponseHead {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(raw.headers)) {
    if (value !== undefined) headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  }
  return { status: raw.statusCode, headers }
}

export interface ResponseParts {
  raw: RawResponse
  head: ResponseHead
  exchange: Exchange
  context: FailureContext
  stop: Stop
  /** Address that finally answered. */
  url: string
  maxBytes: number
  maxBytesOption: keyof Limits
  /** Called when the body is to be read as a stream, whose length in time is the reader's business. */
  cancelTimer: () => void
  /** Called once, when the body has ended, whatever way. */
  onEnd: (error?: A2AError) => void
}

/** Wraps what undici gave. From here on, every way to the end runs through `end`. */
export function createResponse(parts: ResponseParts): OpenResponse {
  const { raw, head, exchange, context, stop } = parts
  const contentType = head.headers['content-type'] ?? ''
  const log = new Head()
  let over = false
  let reading: Promise<string> | undefined

  function end(error?: A2AError): void {
    if (over) return
    over = true
    exchange.responseBody = log.text()
    exchange.responseBytes = log.bytes
    parts.onEnd(error)
  }

  async function* read(): AsyncGenerator<Uint8Array> {
    context.phase = 'body'
    const body = raw.body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
    const racing: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () => stop.race(body.next()),
        return: async () => ({ done: true, value: undefined }),
      }),
    }
    let finished = false
    try {
      for await (const chunk of decoded(racing, head.headers['content-encoding'], what(context))) {
        log.add(chunk)
        context.bytes = log.bytes
        yield chunk
      }
      finished = true
      end()
    } catch (thrown) {
      const error = (stop.reason as A2AError | undefined) ?? describeFailure(thrown, context)
      end(error)
      throw error
    } finally {
      // Left early: the rest of the body must not hold the connection.
      if (!finished) raw.body.destroy()
      end()
    }
  }

  async function readText(): Promise<string> {
    const { maxBytes, maxBytesOption } = parts
    const fail = (error: A2AError): never => {
      end(error)
      raw.body.destroy()
      throw error
    }
    const excess = (): A2AError => tooLarge(what(context), maxBytes, maxBytesOption)
    const announced = Number(head.headers['content-length'])
    if (announced > maxBytes) fail(excess())
    const chunks: Uint8Array[] = []
    if (head.headers['content-encoding'] !== undefined) {
      for await (const chunk of read()) {
        if (log.bytes > maxBytes) fail(excess())
        chunks.push(chunk)
      }
      return decodeText(chunks, contentType)
    }
    context.phase = 'body'
    const take = (chunk: Uint8Array): void => {
      log.add(chunk)
      context.bytes = log.bytes
      if (log.bytes > maxBytes) throw excess()
      chunks.push(chunk)
    }
    try {
      await stop.race(readAll(raw.body, take))
      end()
    } catch (thrown) {
      fail((stop.reason as A2AError | undefined) ?? describeFailure(thrown, context))
    }
    return decodeText(chunks, contentType)
  }

  return {
    status: head.status,
    headers: head.headers,
    mediaType: contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '',
    url: parts.url,
    exchange,
    text() {
      reading ??= readText()
      return reading
    },
    chunks() {
      parts.cancelTimer()
      return read()
    },
    abort() {
      stop.now(
        new A2AConnectionError('ABORTED', `${what(context)} was ended before its answer was read to the end`),
      )
      raw.body.destroy()
      end()
    },
  }
}

/** Reads and drops a short body, so that its connection can be used again; a long one costs the connection. */
export async function drain(raw: RawResponse, stop: Stop): Promise<void> {
  const body = raw.body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  let bytes = 0
  for (;;) {
    const next = await stop.race(body.next())
    if (next.done === true) return
    bytes += next.value.length
    if (bytes > 65_536) {
      raw.body.destroy()
      return
    }
  }
}
