import type { A2AReplyError } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import type { Call, Codec } from '../../protocol/codec.ts'
import type { AgentInterface, Dialect } from '../../protocol/model.ts'
import type { FoundCard } from '../types.ts'

/** One way to call an agent: an interface, and the peculiarities of the agent that only its answers can show. */
export interface Route {
  interface: AgentInterface
  /** What is odd about it: its address, why it is called instead of another one, its peculiarities. */
  findings: readonly Finding[]
  /** Sent as `A2A-Version` instead of Major.Minor. */
  exactVersion?: string
  /** Body of a 0.3 REST message written as in JSON-RPC, with `kind` and `parts`. */
  kindBody?: boolean
  /** Subscriptions over HTTP+JSON are requested by GET, as the proto file has it. */
  subscribeByGet?: boolean
}

/** A request, in whatever version it is encoded. */
export interface Request {
  encode(codec: Codec, route: Route): Call
  /** False for a version that lacks the operation. Default: all have it. */
  exists?(codec: Codec): boolean
  /** Which versions have it, for messages: `ListTasks came with A2A 1.0`. */
  since?: string
}

/** A route that failed because the agent does not know the method. */
export interface FailedTry {
  interface: AgentInterface
  method: string
  error: A2AReplyError
}

/** What a handle knows about how its agent can be called. */
export interface Connection {
  /** In the order in which they are tried; each one only if the agent has proved not to speak the one before. */
  routes: readonly Route[]
  /** The card, if one was found. */
  found: FoundCard | undefined
  /** The dialect that the card declares for the first route; undefined if no card says anything. */
  declared: Dialect | undefined
  /** What the card offers, if none of its interfaces can be called and the agent's own address is tried. */
  lastResort: string | undefined
  /** The route that works. */
  settled?: Route
  /** True once the agent turned out to know no subscriptions. */
  cannotSubscribe?: boolean
}
