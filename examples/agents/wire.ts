import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Delivery } from './push.ts'

/** A JSON object: an agent card, a message, a task, as on the wire. */
export type Json = Record<string, unknown>

/** One HTTP request that reached a demo agent. */
export interface WireRequest {
  method: string
  /** Without the query. */
  path: string
  query: Record<string, string>
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
}

/** What a demo agent answers; at most one of `json`, `text`, `events` and `stream`. */
export interface WireReply {
  /** Default 200. */
  status?: number
  headers?: Record<string, string>
  json?: unknown
  text?: string
  /** Sent as an event stream, one JSON document per event. */
  events?: unknown[]
  /** The same, each event sent as soon as it is available; an error breaks the connection. */
  stream?: AsyncIterable<unknown>
  /** `drop` ends the connection without an answer; `hang` never answers. */
  fail?: 'drop' | 'hang'
}

/** A deliberate fault of a healthy agent. Each member receives a copy and returns the replacement. */
export interface Fault {
  /** Changes the agent card; whatever it returns is served. */
  card?: (card: Json) => unknown
  /** Changes a request before the agent reads it. */
  request?: (request: WireRequest) => WireRequest
  /** Changes an answer before it is sent, including the card. */
  reply?: (reply: WireReply, request: WireRequest) => WireReply
  /** Changes a push notification before it is sent: it may return none, one or several. */
  push?: (delivery: Delivery) => Delivery[]
}

/** Options of every demo agent. */
export interface DemoOptions {
  /** Port to listen on. Default: a free one. */
  port?: number
  /** Makes ids: for a new task the task's, then its context's, then one per message. Default: random UUIDs. */
  ids?: () => string
  /** Time for status timestamps, in ms since the epoch. Default `Date.now`. */
  now?: () => number
  /**
   * Awaited before each step of a task's work: a test that gives it decides when the agent goes on. The signal is aborted when
   * the task is canceled.
   */
  pace?: (signal: AbortSignal) => Promise<unknown>
  /** Sends push notifications. Default: the global `fetch`. */
  fetch?: typeof fetch
  /** Called with each request before it is answered, for tests that act on a certain call. */
  onRequest?: (request: WireRequest) => void
  /** Answers preflights and lets every origin read the answers (CORS). Default false. */
  cors?: boolean
  /** Faults of the agent, applied in order. */
  fault?: Fault | Fault[]
}

/** A demo agent that is listening on 127.0.0.1. It does not keep the process alive. */
export interface DemoAgent extends AsyncDisposable {
  /** Its origin, `http://127.0.0.1:41241`: pass it to `expect()`. */
  url: string
  /** The agent card as served. */
  card: unknown
  /** Every request it received, oldest first. */
  requests: readonly WireRequest[]
  /** Stops listening and ends open connections. */
  close(): Promise<void>
}

/** What an agent does with a request; undefined becomes a 404. */
export type Handler = (request: WireRequest) => WireReply | undefined | Promise<WireReply | undefined>

/** Listens on 127.0.0.1, applies the faults and passes requests to the agent. */
export async function serve(
  make: (url: string) => { card: Json; handle: (served: unknown, own: Json) => Handler },
  options: DemoOptions,
): Promise<DemoAgent> {
  const faults = [options.fault ?? []].flat()
  const requests: WireRequest[] = []
  let handle: Handler = () => undefined

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    let request = await read(incoming)
    requests.push(request)
    options.onRequest?.(request)
    for (const fault of faults) request = fault.request?.(structuredClone(request)) ?? request
    let reply = (await handle(request)) ?? { status: 404, json: { error: 'not found' } }
    for (const fault of faults) reply = fault.reply?.(copy(reply), request) ?? reply

    if (reply.fail === 'drop') return void response.destroy()
    if (reply.fail === 'hang') return
    await write(reply, response)
  }
  const server = createServer((incoming, response) => {
    // Flush what was written before the error.
    answer(incoming, response).catch(() => setImmediate(() => response.destroy()))
  })
  server.on('connection', (socket) => socket.unref())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  server.unref()

  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const agent = make(url)
  let card: unknown = agent.card
  for (const fault of faults) if (fault.card) card = fault.card(structuredClone(card as Json))
  const own = agent.handle(card, agent.card)
  handle = options.cors ? withCors(own) : own

  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { url, card, requests, close, [Symbol.asyncDispose]: close }
}

async function read(incoming: IncomingMessage): Promise<WireRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const url = new URL(incoming.url ?? '/', 'http://127.0.0.1')
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    ),
    body: Buffer.concat(chunks).toString('utf8'),
  }
}

/** Everything in an answer can be copied, except a stream. */
function copy({ stream, ...rest }: WireReply): WireReply {
  return { ...structuredClone(rest), ...(stream && { stream }) }
}

async function write(reply: WireReply, response: ServerResponse): Promise<void> {
  const { json, events, stream, text = '' } = reply
  const type = json !== undefined ? 'application/json' : (events ?? stream) ? 'text/event-stream' : undefined
  response.writeHead(reply.status ?? 200, { ...(type && { 'content-type': type }), ...reply.headers })
  if (json !== undefined) return void response.end(JSON.stringify(json))
  if (events) return void response.end(events.map(frame).join(''))
  if (!stream) return void response.end(text)

  response.flushHeaders()
  const reader = stream[Symbol.asyncIterator]()
  response.once('close', () => void reader.return?.())
  for (let next = await reader.next(); !next.done; next = await reader.next()) {
    if (!response.write(frame(next.value))) await flushed(response)
  }
  response.end()
}

/** Resolves when the client has read more, or has disconnected. */
function flushed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', resolve)
    response.once('close', resolve)
  })
}

function frame(event: unknown): string {
  return `data: ${JSON.stringify(event)}\n\n`
}

const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-allow-headers': 'Content-Type, Authorization, A2A-Version, A2A-Extensions',
}

/** Answers preflights before the authentication: browsers send them without credentials. */
function withCors(own: Handler): Handler {
  return async (request) => {
    if (request.method === 'OPTIONS') return { headers: cors }
    const reply = (await own(request)) ?? { status: 404, json: { error: 'not found' } }
    return { ...reply, headers: { ...reply.headers, ...cors } }
  }
}
