import { A2AReplyError } from '../core/errors.ts'
import type { Transport } from './types.ts'

/** About a document beside the card, such as a key set. */
export interface DocumentQuestion {
  /** For messages and the log: `key set`. */
  purpose: string
  /** Where the address comes from: `signatures[0].protected`. */
  addressFrom: string
  /** Throws where a redirect to this address must not be followed. Default: what the policy allows is. */
  mayRedirect?: (target: URL) => void
  signal?: AbortSignal
}

/**
 * Fetches a JSON document that a card names, within the limits of a card (`limits.maxCardBytes`, `limits.cardTimeoutMs`).
 * Throws A2AReplyError `HTTP_STATUS`, `NOT_JSON`, and what `Transport.open` and `mayRedirect` throw.
 */
export async function fetchJson(
  transport: Transport,
  url: string,
  { purpose, addressFrom, mayRedirect, signal }: DocumentQuestion,
): Promise<unknown> {
  const { limits } = transport
  const response = await transport.open({
    method: 'GET',
    url,
    headers: { Accept: 'application/json' },
    purpose,
    addressFrom,
    timeoutMs: limits.cardTimeoutMs,
    timeoutOption: 'limits.cardTimeoutMs',
    maxBytes: limits.maxCardBytes,
    maxBytesOption: 'maxCardBytes',
    ...(mayRedirect !== undefined && { mayRedirect }),
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
    throw new A2AReplyError('NOT_JSON', `GET ${url} answered 200 with something that is not JSON`, { cause })
  }
}
