import type { IncomingHttpHeaders } from 'node:http'

/** What the fake server answers. Exactly one of `json`, `text` and `sse` is the body; none means an empty one. */
export interface FixtureReply {
  /** Default 200. */
  status?: number
  headers?: Record<string, string>
  /** Any JSON value; placeholders are filled in. `"$CARD03"` and `"$CARD10"` stand for whole cards. */
  json?: unknown
  /** Overwrites top-level keys of `json`; `undefined` removes one. */
  patch?: Record<string, unknown>
  text?: string
  /** Raw chunks of an event stream, written one after the other exactly as given. */
  sse?: string[]
  /** Cuts the UTF-8 bytes of the body one byte into each occurrence of these characters. */
  splitInsideChars?: string[]
  /** Writes the body byte by byte. */
  oneByteChunks?: boolean
  /** A slow agent: the request is held until `release()`. The number itself is only documentation: nothing sleeps. */
  delayMs?: number
  /** Where the request is held: before anything is sent, before the body, or after that number of chunks. Default `head`. */
  holdAt?: 'head' | 'body' | number
  /** Ends the connection instead of answering. */
  drop?: boolean
}

/** One entry of a fixture. Further keys (`expectEvents`, `requestId`, …) are for the test that uses it. */
export interface FixtureExchange extends FixtureReply {
  /** `METHOD /path`, compared without the query; with a query when it is written out. */
  on: string
  /** JSON-RPC method. */
  rpc?: string
  /** Which of the opened ports; 4100 unless said. */
  port?: number
  /**
   * How often it answers: a number is a hard limit, `*` is for ever. Without it, an entry steps aside after one answer if
   * a later entry can take over, and otherwise stays; an entry with a condition stays.
   */
  times?: number | '*'
  /** Only from this conversation turn on, counted in messages sent. */
  turn?: number
  /** Only for bodies that contain this text. */
  ifBodyHas?: string
  /** Only for bodies with more bytes. */
  ifBodyLargerThan?: number
  /** Headers that the request must carry. */
  needs?: Record<string, string>
  /** The answer when `needs` fails; without it the entry is passed over. */
  else?: FixtureReply
  /** An answer made from the request, for what JSON cannot say; wins over the keys above. */
  reply?: (request: RecordedRequest) => FixtureReply
  [further: string]: unknown
}

/** A scene for the fake server. */
export interface Fixture {
  exchange?: FixtureExchange[]
  /** What the user types, where it is not the origin. */
  base?: string
  /** Options of the user's handle. */
  options?: Record<string, unknown>
  /** Cards for checks that fetch nothing. */
  cards?: Record<string, unknown>
  [further: string]: unknown
}

/** One request that reached the fake server. */
export interface RecordedRequest {
  /** The fixture's port number (4100, 4999), not the one that was opened. */
  port: number
  method: string
  /** With the query. */
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** The body, when it is a JSON-RPC request. */
  rpc?: { id: unknown; method: string; params: unknown }
  /** True once the client ended the connection before the answer was complete. */
  aborted: boolean
}

export const CARD03 = {
  protocolVersion: '0.3.0',
  name: 'Echo Desk',
  description: 'Repeats what it hears',
  url: 'http://127.0.0.1:4100/rpc',
  preferredTransport: 'JSONRPC',
  version: '1.0.0',
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'echo', name: 'Echo', description: 'Echo text', tags: ['demo'] }],
}

export const CARD10 = {
  name: 'Echo Desk',
  description: 'Repeats what it hears',
  version: '1.0.0',
  supportedInterfaces: [
    { url: 'http://127.0.0.1:4100/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  ],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'echo', name: 'Echo', description: 'Echo text', tags: ['demo'] }],
}

/** Fills in whole cards: `"$CARD03"`, `"$CARD10"`, and `{"$base": "$CARD10", …}`. */
export function expand(value: unknown): unknown {
  if (value === '$CARD03') return structuredClone(CARD03)
  if (value === '$CARD10') return structuredClone(CARD10)
  if (Array.isArray(value)) return value.map(expand)
  if (typeof value !== 'object' || value === null) return value
  const { $base, ...rest } = value as Record<string, unknown>
  const own = Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, expand(inner)]))
  return $base === undefined ? own : { ...(expand($base) as object), ...own }
}

/** The JSON-RPC methods that count as a message of the user, for `turn`. */
const sends = new Set([
  'tasks/send',
  'tasks/sendSubscribe',
  'message/send',
  'message/stream',
  'SendMessage',
  'SendStreamingMessage',
])

/** True for a request that carries a message of the user, in either binding. */
function isSend(request: RecordedRequest): boolean {
  return request.rpc ? sends.has(request.rpc.method) : /\/message:(send|stream)(\?|$)/.test(request.path)
}

/** Chooses the entry that answers a request, and keeps count. */
export function createScript(
  entries: FixtureExchange[],
): (request: RecordedRequest) => FixtureReply | undefined {
  const used = new Map<FixtureExchange, number>()
  let turns = 0

  const matches = (entry: FixtureExchange, request: RecordedRequest): boolean => {
    const path = entry.on.includes('?') ? request.path : request.path.replace(/\?.*$/s, '')
    return (
      (entry.port ?? 4100) === request.port &&
      entry.on === `${request.method} ${path}` &&
      (entry.rpc === undefined || entry.rpc === request.rpc?.method) &&
      (entry.turn === undefined || entry.turn <= turns) &&
      (entry.ifBodyHas === undefined || request.body.includes(entry.ifBodyHas)) &&
      (entry.ifBodyLargerThan === undefined || Buffer.byteLength(request.body) > entry.ifBodyLargerThan) &&
      (entry.else !== undefined || meets(entry, request))
    )
  }
  const isConditional = (entry: FixtureExchange): boolean =>
    entry.ifBodyHas !== undefined || entry.ifBodyLargerThan !== undefined
  const isSpent = (entry: FixtureExchange, later: FixtureExchange[]): boolean => {
    const count = used.get(entry) ?? 0
    if (entry.times === '*' || count === 0) return false
    if (entry.times !== undefined) return count >= entry.times
    return !isConditional(entry) && later.length > 0
  }

  return (request) => {
    if (isSend(request)) turns += 1
    const candidates = entries.filter((entry) => matches(entry, request))
    const entry = candidates.find((one, at) => !isSpent(one, candidates.slice(at + 1)))
    if (!entry) return undefined
    if (!meets(entry, request)) return entry.else
    used.set(entry, (used.get(entry) ?? 0) + 1)
    return entry.reply ? entry.reply(request) : entry
  }
}

function meets(entry: FixtureExchange, request: RecordedRequest): boolean {
  return Object.entries(entry.needs ?? {}).every(
    ([name, value]) => request.headers[name.toLowerCase()] === value,
  )
}
