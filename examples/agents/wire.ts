import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A JSON object: an agent card, a message, a task as it stands on the wire. */
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

/** What a demo agent answers; at most one of `json`, `text` and `events`. */
export interface WireReply {
  /** Default 200. */
  status?: number
  headers?: Record<string, string>
  json?: unknown
  text?: string
  /** Sent as an event stream, one JSON document an event. */
  events?: unknown[]
  /** `drop` ends the connection without an answer; `hang` never answers. */
  fail?: 'drop' | 'hang'
}

/** A deliberate fault, laid over a healthy agent. Each part sees a copy and gives back what takes its place. */
export interface Fault {
  /** Changes the agent card; what it returns is served, whatever it is. */
  card?: (card: Json) => unknown
  /** Changes a request before the agent reads it. */
  request?: (request: WireRequest) => WireRequest
  /** Changes an answer before it is sent, the card's included. */
  reply?: (reply: WireReply, request: WireRequest) => WireReply
}

/** Options of every demo agent. */
export interface DemoOptions {
  /** Port to listen on; a free one unless given. */
  port?: number
  /** Makes ids: for a new task first the task's, then its context's, then one a message. Random UUIDs by default. */
  ids?: () => string
  /** Time for status timestamps, in ms since the epoch. Default `Date.now`. */
  now?: () => number
  /** Faults to lay over the agent, in order. */
  fault?: Fault | Fault[]
}

/** A demo agent that is listening on 127.0.0.1. It does not keep the process alive. */
export interface DemoAgent extends AsyncDisposable {
  /** Its origin, `http://127.0.0.1:41241`: what is given to `expect()`. */
  url: string
  /** The agent card as it is served. */
  card: unknown
  /** Every request that it got, oldest first. */
  requests: readonly WireRequest[]
  /** Stops listening and ends open connections. */
  close(): Promise<void>
}

/** What an agent does with a request; undefined becomes a 404. */
export type Handler = (request: WireRequest) => WireReply | undefined

/** Listens on 127.0.0.1, lays the faults over the agent and hands the requests to it. */
export async function serve(
  make: (url: string) => { card: Json; handle: (card: unknown) => Handler },
  options: DemoOptions,
): Promise<DemoAgent> {
  const faults = [options.fault ?? []].flat()
  const requests: WireRequest[] = []
  let handle: Handler = () => undefined

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '/', 'http://127.0.0.1')
      let request: WireRequest = {
        method: incoming.method ?? 'GET',
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: Object.fromEntries(
          Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
        ),
        body: Buffer.concat(chunks).toString('utf8'),
      }
      requests.push(request)
      for (const fault of faults) request = fault.request?.(structuredClone(request)) ?? request
      let reply = handle(request) ?? { status: 404, json: { error: 'not found' } }
      for (const fault of faults) reply = fault.reply?.(structuredClone(reply), request) ?? reply

      if (reply.fail === 'drop') return void response.destroy()
      if (reply.fail === 'hang') return
      const [type, body] = write(reply)
      response.writeHead(reply.status ?? 200, { ...(type && { 'content-type': type }), ...reply.headers })
      response.end(body)
    })
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
  handle = agent.handle(card)

  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { url, card, requests, close, [Symbol.asyncDispose]: close }
}

function write(reply: WireReply): [type: string | undefined, body: string] {
  if (reply.json !== undefined) return ['application/json', JSON.stringify(reply.json)]
  if (reply.events) {
    return ['text/event-stream', reply.events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')]
  }
  return [undefined, reply.text ?? '']
}
