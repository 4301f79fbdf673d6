import { A2APolicyError, A2AReplyError } from '../errors.ts'
import { sameOrigin } from './egress.ts'
import type { Transport } from './types.ts'

/** About a document beside the card, such as a key set. */
export interface DocumentQuestion {
  /** For messages and the log: `key set`. */
  purpose: string
  /** Where the address comes from: `signatures[0].protected`. */
  addressFrom: string
  /** Where a redirect may lead; nowhere else. */
  origins: readonly string[]
  signal?: AbortSignal
}

/**
 * Fetches a JSON document that a card names, within the limits of a card (`limits.maxCardBytes`, `limits.cardTimeoutMs`).
 * Throws A2AReplyError `HTTP_STATUS`, `NOT_JSON`, A2APolicyError `REFUSED_BY_POLICY` for a redirect to another origin, and what
 * `Transport.open` throws.
 */
export async function fetchJson(
  transport: Transport,
  url: string,
  { purpose, addressFrom, origins, signal }: DocumentQuestion,
): Promise<unknown> {
  const { limits } = transport
  const response = await transport.open({
    method: 'GET',
    url,
    headers: { Accept: 'application/json' },
    purpose,
    addressFrom,
    mayRedirect(target) {
      if (origins.some((origin) => sameOrigin(new URL(origin), target))) return
      throw new A2APolicyError(
        'REFUSED_BY_POLICY',
        `not called: ${target.origin}${target.pathname} (where ${url} redirects to), because it is at another origin`,
        { mend: `If that is meant, allow it: allowJku: ['${target.origin}'].` },
      )
    },
    timeoutMs: limits.cardTimeoutMs,
    timeoutOption: 'limits.cardTimeoutMs',
    maxBytes: limits.maxCardBytes,
    maxBytesOption: 'maxCardBytes',
    ...(signal !== undefined && { signal }),
  })
  if (response.status !== 200) {
    response.abort()
    throw new A2AReplyError('HTTP_STATUS', `GET ${url} answered HTTP ${response.status}`, {
      status: response.status,
    })
  }
  const text = await response.text()
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown
  } catch (cause) {
    throw new A2AReplyError('NOT_JSON', `GET ${url} answered 200 with something that is no JSON`, { cause })
  }
}
