import type { Clock } from '../core/clock.ts'
import type { A2AError } from '../core/errors.ts'

/** Headers given by the user: fixed, or made anew for each request (refreshed on a 401). */
export type HeaderSource =
  | Record<string, string>
  | ((about: { url: string; refresh: boolean }) => Record<string, string> | Promise<Record<string, string>>)

/** Certificate authority and client certificate, PEM. */
export interface TlsOptions {
  ca?: string | string[]
  cert?: string
  key?: string
  passphrase?: string
  rejectUnauthorized?: boolean
}

/** Bounds on what is read and followed. Every error that one of them causes names it. */
export interface Limits {
  /** Largest agent card in bytes. Default 524 288 (512 KB). */
  maxCardBytes: number
  /** Longest wait for one card location in ms. Default 20 000. */
  cardTimeoutMs: number
  /** Largest response body in bytes, event streams excepted. Default 52 428 800 (50 MB). */
  maxResponseBytes: number
  /** Largest single event of a stream in bytes. Default 16 777 216. */
  maxEventBytes: number
  /** All bytes of one stream. Default 268 435 456. */
  maxStreamBytes: number
  /** Most events of one stream. Default 100 000. */
  maxEvents: number
  /** Longest silence within a stream in ms, comments included. Default 60 000. */
  idleTimeoutMs: number
  /** Most redirects that one request follows. Default 5. */
  maxRedirects: number
}

/** What the user adds to a request, for the origins that may see it. Header names in lower case. */
export interface GivenHeaders {
  headers: Record<string, string>
  query: Record<string, string>
}

export interface HttpRequest {
  method: 'GET' | 'POST' | 'DELETE' | 'OPTIONS'
  url: string
  /** Headers of the request itself (accept, content-type, version). The user's headers are added by the transport, by origin. */
  headers: Record<string, string>
  body?: string
  /** For messages and the log: `agent card`, `SendMessage`, `GetTask`. */
  purpose: string
  /** Longest wait for the whole response (for a stream: for its headers) in ms, and the option that it comes from. */
  timeoutMs: number
  timeoutOption: 'requestTimeoutMs' | 'limits.cardTimeoutMs' | 'deadlineMs'
  /** Largest body, and the option that it comes from. */
  maxBytes?: number
  maxBytesOption?: keyof Limits
  /** Where the address comes from, for messages: `supportedInterfaces[0].url`; absent when the user typed it. */
  addressFrom?: string
  /** Throws where a redirect to this address must not be followed. Default: what the policy allows is. */
  mayRedirect?: (target: URL) => void
  /** Changes what the user adds for the origins that may see it: other credentials, or none. It is not renewed on a 401 then. */
  give?: (own: GivenHeaders) => GivenHeaders & { certificate?: false }
  signal?: AbortSignal
}

/** A response of which only the head was read. The body must be read to its end or aborted. */
export interface OpenResponse {
  status: number
  /** Names in lower case; repeated ones joined by a comma. */
  headers: Record<string, string>
  /** Media type in lower case, without parameters; empty when absent. */
  mediaType: string
  /** Address that finally answered, after redirects. */
  url: string
  exchange: Exchange
  /** The whole body as text. Throws A2APolicyError `TOO_LARGE`, A2AConnectionError. */
  text(): Promise<string>
  /** The body as it arrives, bounded by the caller. */
  chunks(): AsyncIterable<Uint8Array>
  /** Ends the connection; safe to call twice. */
  abort(): void
}

/** One request and what came of it, for the exchange log. Headers and bodies are raw: redacted where they are printed. */
export interface Exchange {
  purpose: string
  method: string
  url: string
  requestHeaders: Record<string, string>
  /** At most 64 KiB; in a longer one `"<1048576 bytes>"` stands for each inline file. */
  requestBody?: string | undefined
  /** Names of the user's headers that were left out because the origin is not the typed one. */
  withheld: string[]
  status?: number
  responseHeaders?: Record<string, string>
  /** At most the first 64 KiB. */
  responseBody?: string | undefined
  responseBytes?: number
  /** Addresses that redirected, in order. */
  redirects: string[]
  startedAt: number
  ms?: number
  error?: A2AError
}

/** The only way to the wire. Made per handle: it knows the typed origin, the user's headers and the policy. */
export interface Transport {
  /**
   * Sends one request, following redirects within the policy.
   * Throws A2AConnectionError (`UNREACHABLE`, `TLS`, `TIMEOUT`, `DEADLINE`, `ABORTED`) and A2APolicyError (`REFUSED_BY_POLICY`, `TOO_MANY_REDIRECTS`).
   */
  open(request: HttpRequest): Promise<OpenResponse>
  readonly limits: Limits
  /** Origin of the address that the user typed, where there is one. */
  readonly typedOrigin?: string
  /** Time of everything that waits on this transport. */
  readonly clock?: Clock
  /** Everything that was exchanged, oldest first. */
  readonly exchanges: readonly Exchange[]
  /** Closes what this transport opened. */
  close(): Promise<void>
}
