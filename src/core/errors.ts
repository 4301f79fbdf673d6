import type { FindingId } from '../findings/catalogue.ts'

/** What went wrong, for programs: each class below lists its own. */
export type A2AErrorCode =
  | 'BAD_OPTIONS'
  | 'BAD_SUBJECT'
  | 'BAD_USE'
  | 'MISSING_PACKAGE'
  | 'NOT_DECLARED'
  | 'UNREACHABLE'
  | 'TLS'
  | 'TIMEOUT'
  | 'DEADLINE'
  | 'ABORTED'
  | 'REFUSED_BY_POLICY'
  | 'TOO_LARGE'
  | 'TOO_MANY_REDIRECTS'
  | 'AGENT_DID_NOT_START'
  | 'NO_CARD'
  | 'NO_INTERFACE'
  | 'HTTP_STATUS'
  | 'RPC_ERROR'
  | 'NOT_JSON'
  | 'BAD_REPLY'
  | 'UNSETTLED'
  | 'INCONCLUSIVE'
  | 'INVALID'
  | 'NO_VERDICT'
  | 'NO_MODEL'
  | 'MODEL_UNAVAILABLE'
  | 'MODEL_REFUSED'
  | 'MODEL_ANSWER'
  | 'BUDGET'
  | 'CASSETTE_MISS'
  | 'CASSETTE'
  | 'INTERNAL'

/** More about an error, for messages and programs. */
export interface A2AErrorDetail {
  /** How to fix it. */
  fix?: string
  cause?: unknown
}

/** The base of every error that this package throws by itself. */
export class A2AError extends Error {
  readonly code: A2AErrorCode
  readonly fix?: string

  constructor(code: A2AErrorCode, message: string, detail: A2AErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause })
    this.name = new.target.name
    this.code = code
    if (detail.fix !== undefined) this.fix = detail.fix
  }
}

/** The call is wrong, not the agent. Codes: `BAD_OPTIONS`, `BAD_SUBJECT`, `BAD_USE`, `MISSING_PACKAGE`, `NOT_DECLARED`. */
export class A2AUsageError extends A2AError {}

/** Nothing usable came back. Codes: `UNREACHABLE`, `TLS`, `TIMEOUT`, `DEADLINE`, `ABORTED`, `AGENT_DID_NOT_START`. */
export class A2AConnectionError extends A2AError {}

/** We declined to make or to follow a request, or to read on. Codes: `REFUSED_BY_POLICY`, `TOO_LARGE`, `TOO_MANY_REDIRECTS`. */
export class A2APolicyError extends A2AError {}

/**
 * A check came to no verdict about the agent. Codes: `INCONCLUSIVE` (the evidence does not decide), `INVALID` (our simulated user
 * was at fault), `NO_VERDICT` (nothing can be said), `INTERNAL` (a bug here or in a function that was passed).
 */
export class A2AVerdictError extends A2AError {}

/** More about a language model that gave no usable answer. */
export interface A2AModelErrorDetail extends A2AErrorDetail {
  /** HTTP status of its answer. */
  status?: number
  /** True where the same request may succeed later: 408, 409, 429, 5xx, network. */
  transient?: boolean
  /** How long it asked us to wait, in ms. */
  retryAfterMs?: number
  /** What it wrote, where that is what was wrong. */
  raw?: string
}

/**
 * The simulator or the judge is at fault, or their budget or cassette; nothing is said of the agent. Codes: `NO_MODEL` (none was
 * given), `MODEL_UNAVAILABLE` (after retries), `MODEL_REFUSED`, `MODEL_ANSWER` (no usable answer), `BUDGET`, `CASSETTE_MISS`,
 * `CASSETTE` (a cassette that cannot be read or written).
 */
export class A2AModelError extends A2AError {
  readonly status?: number
  readonly transient: boolean
  readonly retryAfterMs?: number
  readonly raw?: string

  constructor(code: A2AErrorCode, message: string, detail: A2AModelErrorDetail = {}) {
    super(code, message, detail)
    this.transient = detail.transient ?? false
    if (detail.status !== undefined) this.status = detail.status
    if (detail.retryAfterMs !== undefined) this.retryAfterMs = detail.retryAfterMs
    if (detail.raw !== undefined) this.raw = detail.raw
  }
}

/** More about a wrong answer. */
export interface A2AReplyErrorDetail extends A2AErrorDetail {
  /** HTTP status of the answer. */
  status?: number
  /** JSON-RPC or A2A error code of the answer, such as -32001. */
  rpcCode?: number
  /** `data` of a JSON-RPC error, or the error body of a REST one. */
  data?: unknown
  /** True for 429, 502, 503 and 504: the same request may succeed later. */
  transient?: boolean
  /** Id of the finding that this is, where the code alone says too little. */
  finding?: FindingId
}

/** The finding that an error is, unless it names its own. */
const usualFindings: Partial<Record<A2AErrorCode, FindingId>> = {
  NO_CARD: 'card/found',
  NO_INTERFACE: 'card/no-interface',
  HTTP_STATUS: 'http/status',
  NOT_JSON: 'http/not-json',
  RPC_ERROR: 'rpc/error',
  UNSETTLED: 'wire/unsettled',
}

/**
 * Something answered, but not as A2A requires; this counts against the agent.
 * Codes: `NO_CARD`, `NO_INTERFACE`, `HTTP_STATUS`, `RPC_ERROR`, `NOT_JSON`, `BAD_REPLY`, `UNSETTLED`.
 */
export class A2AReplyError extends A2AError {
  readonly status?: number
  readonly rpcCode?: number
  readonly data?: unknown
  readonly transient: boolean
  /** Id of what is wrong, as a verdict's findings have it; see `docs/findings.md`. */
  readonly finding: FindingId

  constructor(code: A2AErrorCode, message: string, detail: A2AReplyErrorDetail = {}) {
    super(code, message, detail)
    if (detail.status !== undefined) this.status = detail.status
    if (detail.rpcCode !== undefined) this.rpcCode = detail.rpcCode
    if (detail.data !== undefined) this.data = detail.data
    this.transient = detail.transient ?? false
    this.finding = detail.finding ?? usualFindings[code] ?? 'wire/unreadable'
  }
}

const nothingOfA2A: ReadonlySet<A2AErrorCode> = new Set(['NO_CARD', 'HTTP_STATUS', 'NOT_JSON'])
const nothingReadable: ReadonlySet<FindingId> = new Set([
  'http/content-encoding',
  'wire/rpc-envelope',
  'wire/stream-empty',
])

/**
 * True where what answered need not be an A2A agent at all: a web page, a gateway, JSON of another kind. It fails a check, but is no
 * ground on which a negated one may pass.
 */
export function isNoAnswer({ code, finding }: A2AReplyError): boolean {
  return nothingOfA2A.has(code) || nothingReadable.has(finding)
}

const replyErrorNames = new Set(['A2AReplyError'])

/** True for our errors, also for those made by another copy of this package or in another realm (Jest's sandbox). */
export function isA2AError(error: unknown): error is A2AError {
  return (
    typeof error === 'object' &&
    error !== null &&
    /^A2A\w*Error$/.test(String((error as { name?: unknown }).name))
  )
}

/** True when the error is the agent's own fault, so that a check fails instead of being unable to say anything. */
export function isReplyError(error: unknown): error is A2AReplyError {
  return isA2AError(error) && replyErrorNames.has(error.name)
}
