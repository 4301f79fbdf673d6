import { finished, pipeline, Readable, type Transform } from 'node:stream'
import { TextDecoder } from 'node:util'
import zlib from 'node:zlib'
import { A2APolicyError, A2AReplyError } from '../core/errors.ts'

/** The most that the exchange log keeps of a body. */
export const loggedBytes = 65_536

/** The shortest run of base64 that counts as an inline file. */
const shortestFile = 1_000

/**
 * What the log keeps of a request body: all of a short one; the first 64 KiB of a long one, with `"<1048576 bytes>"` in place of
 * each inline file.
 */
export function loggedBody(body: string): string {
  if (body.length <= loggedBytes) return body
  // Not a regular expression: one over megabytes of base64 overflows its stack.
  let kept = ''
  let at = 0
  while (at < body.length && kept.length < loggedBytes) {
    const open = body.indexOf('"', at)
    const close = open < 0 ? -1 : body.indexOf('"', open + 1)
    const isFile = close - open > shortestFile && isBase64(body, open + 1, close)
    const end = isFile ? open : close < 0 ? body.length : close
    kept += body.slice(at, Math.min(end, at + loggedBytes))
    if (isFile) kept += `"<${decodedSize(body, open + 1, close)} bytes>"`
    // Otherwise the closing quote may be the one that opens the next string.
    at = isFile ? close + 1 : end
  }
  // A copy: a slice would hold on to the whole body.
  return Buffer.from(kept.slice(0, loggedBytes)).toString()
}

function isBase64(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    const isDigit = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 47 && code <= 57)
    const isPadding = code === 61 && at >= to - 2
    if (!isDigit && code !== 43 && !isPadding) return false
  }
  return true
}

function decodedSize(text: string, from: number, to: number): number {
  const padding = text.endsWith('==', to) ? 2 : text.endsWith('=', to) ? 1 : 0
  return Math.floor(((to - from - padding) * 3) / 4)
}

/** Undoes Content-Encoding. Throws A2AReplyError `BAD_REPLY` for an encoding that nobody asked for or that is corrupt. */
export async function* decoded(
  source: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
  label: string,
): AsyncGenerator<Uint8Array> {
  const codings = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== 'identity')
  let chunks = source
  for (const coding of codings.reverse()) chunks = inflate(chunks, coding, label)
  yield* chunks
}

async function* inflate(
  source: AsyncIterable<Uint8Array>,
  coding: string,
  label: string,
): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]()
  try {
    let first = await iterator.next()
    while (first.done !== true && first.value.length === 0) first = await iterator.next()
    // A body without a single byte is no broken archive.
    if (first.done === true) return
    const unpack = unpacker(coding, first.value[0] ?? 0, label)
    const packed = Readable.from(rest(first.value, iterator), { objectMode: false })
    let sourceFault: unknown
    packed.once('error', (error) => (sourceFault = error))
    // The callback only keeps the error from being thrown at the process; the loop below meets it too.
    pipeline(packed, unpack, () => {})
    try {
      for await (const chunk of unpack) yield chunk as Uint8Array
    } catch (error) {
      if (sourceFault !== undefined) throw sourceFault
      throw new A2AReplyError(
        'BAD_REPLY',
        `the answer to ${label} says content-encoding "${coding}", but its body is not ${coding}: ${(error as Error).message}`,
        {
          finding: 'http/content-encoding',
          cause: error,
          fix: 'A proxy or a compression middleware breaks the body, or labels it wrongly.',
        },
      )
    }
  } finally {
    await iterator.return?.()
  }
}

async function* rest(
  first: Uint8Array,
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, undefined> {
  yield first
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value
}

function unpacker(coding: string, firstByte: number, label: string): Transform {
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      // Flushing at once keeps the events of a compressed stream from waiting for each other.
      return zlib.createGunzip({ flush: Z_SYNC_FLUSH })
    case 'br':
      return zlib.createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH })
    case 'deflate':
      // Servers send both forms under this name; zlib's begins with method 8.
      return (firstByte & 0x0f) === 8
        ? zlib.createInflate({ flush: Z_SYNC_FLUSH })
        : zlib.createInflateRaw({ flush: Z_SYNC_FLUSH })
    default:
      throw new A2AReplyError(
        'BAD_REPLY',
        `the answer to ${label} has content-encoding "${coding}", which was not asked for`,
        {
          finding: 'http/content-encoding',
          fix: 'Compress only what the request accepts (Accept-Encoding); gzip, br and deflate are understood here.',
        },
      )
  }
}

/** A growing copy of the first bytes of a body. */
export class Head {
  readonly #limit: number
  readonly #parts: Uint8Array[] = []
  #kept = 0
  /** All bytes that went by. */
  bytes = 0

  constructor(limit: number = loggedBytes) {
    this.#limit = limit
  }

  add(chunk: Uint8Array): void {
    this.bytes += chunk.length
    if (this.#kept >= this.#limit) return
    const part = chunk.subarray(0, this.#limit - this.#kept)
    this.#parts.push(part)
    this.#kept += part.length
  }

  text(): string {
    return joined(this.#parts).toString('utf8')
  }
}

/**
 * Hands each chunk of a stream to `take`, until the stream ends; an error of either rejects. For a short body this is several
 * times quicker than iterating.
 */
export function readAll(stream: Readable, take: (chunk: Uint8Array) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const onData = (chunk: Uint8Array): void => {
      try {
        take(chunk)
      } catch (error) {
        stream.off('data', onData)
        stream.destroy(error as Error)
      }
    }
    stream.on('data', onData)
    finished(stream, { writable: false }, (error) => (error ? reject(error) : resolve()))
  })
}

/** The error for a body that is larger than allowed. */
export function tooLarge(label: string, maxBytes: number, option: string | undefined): A2APolicyError {
  const named = option === undefined ? '' : ` (option limits.${option})`
  return new A2APolicyError('TOO_LARGE', `the answer to ${label} is larger than ${maxBytes} bytes${named}`, {
    fix:
      option === undefined ? 'The agent must answer with less.' : `If that is meant, raise limits.${option}.`,
  })
}

/** Decodes a whole body; a byte order mark is dropped. Only text/* may name another charset than UTF-8: JSON has no other. */
export function decodeText(chunks: readonly Uint8Array[], contentType: string): string {
  const charset = /^text\/.*;\s*charset="?([^";\s]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  const bytes = joined(chunks)
  if (charset === 'utf-8') return utf8.decode(bytes)
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return utf8.decode(bytes)
  }
}

// Making one costs more than decoding an ordinary answer does.
const utf8 = new TextDecoder()

function joined(chunks: readonly Uint8Array[]): Buffer {
  const [first] = chunks
  return first !== undefined && chunks.length === 1
    ? Buffer.from(first.buffer, first.byteOffset, first.length)
    : Buffer.concat(chunks)
}
