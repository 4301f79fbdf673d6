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
  for (const name in raw.headers) {
    const value = raw.headers[name]
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
  /** Called when the body is read as a stream, whose reader has time limits of its own. */
  cancelTimer: () => void
  /** Called once, when the body has ended, whatever way. */
  onEnd: (error?: A2AError) => void
}

/** A response of undici with our limits and our log. Every way to its end runs through `#end`. */
export class HttpResponse implements OpenResponse {
  readonly status: number
  readonly headers: Record<string, string>
  readonly mediaType: string
  readonly url: string
  readonly exchange: Exchange
  readonly #parts: ResponseParts
  readonly #log = new Head()
  #isOver = false
  #text: Promise<string> | undefined

  constructor(parts: ResponseParts) {
    this.#parts = parts
    this.status = parts.head.status
    this.headers = parts.head.headers
    this.url = parts.url
    this.exchange = parts.exchange
    this.mediaType = mediaTypeOf(this.#contentType)
  }

  text(): Promise<string> {
    this.#text ??= this.#readText()
    return this.#text
  }

  chunks(): AsyncIterable<Uint8Array> {
    this.#parts.cancelTimer()
    return this.#readChunks()
  }

  abort(): void {
    const { stop, context, raw } = this.#parts
    stop.now(
      new A2AConnectionError('ABORTED', `${what(context)} was ended before its answer was read to the end`),
    )
    raw.body.destroy()
    this.#end()
  }

  get #contentType(): string {
    return this.headers['content-type'] ?? ''
  }

  #end(error?: A2AError): void {
    if (this.#isOver) return
    this.#isOver = true
    this.exchange.responseBody = this.#log.text()
    this.exchange.responseBytes = this.#log.bytes
    this.#parts.onEnd(error)
  }

  #fail(error: A2AError): never {
    this.#end(error)
    this.#parts.raw.body.destroy()
    throw error
  }

  #explain(thrown: unknown): A2AError {
    const { stop, context } = this.#parts
    return (stop.reason as A2AError | undefined) ?? describeFailure(thrown, context)
  }

  #take(chunk: Uint8Array): void {
    this.#log.add(chunk)
    this.#parts.context.bytes = this.#log.bytes
  }

  async #readText(): Promise<string> {
    const { raw, context, stop, maxBytes, maxBytesOption } = this.#parts
    const excess = (): A2AError => tooLarge(what(context), maxBytes, maxBytesOption)
    if (Number(this.headers['content-length']) > maxBytes) this.#fail(excess())
    const chunks: Uint8Array[] = []
    if (this.headers['content-encoding'] !== undefined) {
      for await (const chunk of this.#readChunks()) {
        if (this.#log.bytes > maxBytes) this.#fail(excess())
        chunks.push(chunk)
      }
      return decodeText(chunks, this.#contentType)
    }
    context.phase = 'body'
    const take = (chunk: Uint8Array): void => {
      this.#take(chunk)
      if (this.#log.bytes > maxBytes) throw excess()
      chunks.push(chunk)
    }
    try {
      await stop.race(readAll(raw.body, take))
      this.#end()
    } catch (thrown) {
      this.#fail(this.#explain(thrown))
    }
    return decodeText(chunks, this.#contentType)
  }

  async *#readChunks(): AsyncGenerator<Uint8Array> {
    const { raw, context, stop } = this.#parts
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
      for await (const chunk of decoded(racing, this.headers['content-encoding'], what(context))) {
        this.#take(chunk)
        yield chunk
      }
      finished = true
      this.#end()
    } catch (thrown) {
      const error = this.#explain(thrown)
      this.#end(error)
      throw error
    } finally {
      // Left early: the rest of the body must not hold the connection.
      if (!finished) raw.body.destroy()
      this.#end()
    }
  }
}

function mediaTypeOf(contentType: string): string {
  if (contentType === 'application/json') return contentType
  return contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
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
