import type { Exchange } from '../../http/types.ts'
import type { AgentInterface } from '../../protocol/model.ts'
import type { Credential } from '../types.ts'

/** The operations that can be probed; an id that they need is one that no agent has. */
export type ProbeOperation =
  'getTask' | 'send' | 'stream' | 'subscribe' | 'cancelTask' | 'listTasks' | 'extendedCard'

/**
 * The identity of a probe: the handle's, none (its credentials left out, its other headers kept), other credentials in their place,
 * or a credential of one scheme that cannot be right.
 */
export type ProbeCaller =
  | 'handle'
  | 'anonymous'
  | { credentials: Readonly<Record<string, Credential>> }
  | { scheme: string; credential: 'wrong' | 'malformed' }

/** One bare request. */
export interface Probe {
  /** The interface to call, as `interfaces()` gives it. Default: the one that `send()` tries first. */
  to?: AgentInterface
  /** The operation, as that interface writes it. A bare `method` goes to its address, too. */
  operation: ProbeOperation
  /** Sends this method without a body to the address of the operation. Default: the operation itself. */
  method?: 'GET' | 'OPTIONS'
  /** With `method`: the address to request instead, such as that of the card. */
  url?: string
  /** Default `handle`. */
  as?: ProbeCaller
  /** Sent as well; these are not secrets. */
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** Any answer, good or bad. */
export interface ProbeAnswer {
  /** What was requested: `message/send`, `GET /v1/card`, `OPTIONS`. */
  asked: string
  to: AgentInterface
  status: number
  /** Names in lower case; repeated ones joined by a comma. */
  headers: Record<string, string>
  mediaType: string
  /** The body; of an event stream what came up to the end of its first event. */
  text: string
  /** Names of the headers and parameters that carry credentials, but may not go to that origin. */
  withheld: readonly string[]
  exchange: Exchange
}
