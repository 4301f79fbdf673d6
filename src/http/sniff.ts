import { finding } from '../findings/finding.ts'
import { systemClock } from '../core/clock.ts'
import { A2AConnectionError } from '../core/errors.ts'
import type { Finding } from '../findings/types.ts'
import { labelOf } from './answers.ts'
import { decodeText, tooLarge } from './body.ts'
import type { HttpRequest, OpenResponse, Transport } from './types.ts'

/** An answer to a streaming call that is not labelled as a stream: what it is all the same. */
export type Sniffed =
  { kind: 'stream'; response: OpenResponse; finding: Finding } | { kind: 'document'; text: string }

/** Long enough to tell `retry:` from anything else. */
const enough = 8
const startOfStream = /^\uFEFF?[\r\n]*(?:data|event|id|retry)?:/

/**
 * Looks at the first bytes of such an answer: frameworks that write events without a content type, or under the one that they give
 * to pages, are common. Throws what reading a body throws.
 */
export async function sniff(
  transport: Transport,
  response: OpenResponse,
  { timeoutMs, timeoutOption }: Pick<HttpRequest, 'timeoutMs' | 'timeoutOption'>,
): Promise<Sniffed> {
  const { clock = systemClock, limits } = transport
  const label = labelOf(response)
  const source = response.chunks()[Symbol.asyncIterator]()
  const seen: Uint8Array[] = []
  let bytes = 0
  let late = false
  // Reading by chunks has no limit of its own.
  const cancel = clock.after(timeoutMs, () => {
    late = true
    response.abort()
  })
  const read = async (): Promise<boolean> => {
    const next = await source.next()
    if (next.done === true) return false
    seen.push(next.value)
    bytes += next.value.length
    return true
  }
  try {
    while (await read()) if (bytes >= enough) break
    if (startOfStream.test(decodeText(seen, ''))) {
      return {
        kind: 'stream',
        response: withChunks(response, () => replay(seen, source)),
        finding: mislabelled(response),
      }
    }
    while (await read()) {
      if (bytes <= limits.maxResponseBytes) continue
      response.abort()
      throw tooLarge(label, limits.maxResponseBytes, 'maxResponseBytes')
    }
    return { kind: 'document', text: decodeText(seen, response.headers['content-type'] ?? '') }
  } catch (error) {
    if (!late) throw error
    const message = `the answer to ${label} did not end within ${timeoutMs} ms (option ${timeoutOption}); ${bytes} bytes had arrived`
    throw new A2AConnectionError(timeoutOption === 'deadlineMs' ? 'DEADLINE' : 'TIMEOUT', message, {
      cause: error,
      fix: `If the agent is that slow, raise ${timeoutOption}.`,
    })
  } finally {
    cancel()
  }
}

function withChunks(response: OpenResponse, chunks: OpenResponse['chunks']): OpenResponse {
  const { status, headers, mediaType, url, exchange } = response
  return {
    status,
    headers,
    mediaType,
    url,
    exchange,
    chunks,
    text: () => response.text(),
    abort: () => response.abort(),
  }
}

async function* replay(
  seen: readonly Uint8Array[],
  source: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* seen
    for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value
  } finally {
    await source.return?.()
  }
}

function mislabelled(response: OpenResponse): Finding {
  return finding(
    'wire/content-type',
    `the event stream of ${labelOf(response)} has ${response.mediaType === '' ? 'no content type' : `the content type "${response.mediaType}"`}`,
    {
      fix: 'Answer streaming calls with content-type text/event-stream; browsers and SDKs refuse anything else.',
      source: 'A2A 0.3 §3.3.1, A2A 1.0 §9.4.2',
    },
  )
}
