import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import {
  createScript,
  expand,
  type Fixture,
  type FixtureExchange,
  type FixtureReply,
  type RecordedRequest,
} from './fixture.ts'

export * from './fixture.ts'

export interface FixtureOptions {
  /** Further ports of the fixture to open, besides 4100 and the 4999 that is opened when it is mentioned. */
  ports?: number[]
  /** Serve over TLS with this certificate: see `tls.ts`. */
  tls?: { key: string; cert: string }
  /** The name under which the server is known, where a test brings its own lookup. Default `127.0.0.1`. */
  host?: string
}

/** A fake server that plays a fixture over real sockets on 127.0.0.1 and records what reaches it. */
export interface FixtureServer extends AsyncDisposable {
  /** What the user would type: the fixture's `base`, moved onto the opened port; the origin where it has none. */
  url: string
  /** What stands for `http://127.0.0.1:4100`. */
  origin: string
  /** The opened origins by the fixture's port numbers. */
  origins: Record<number, string>
  /** The fixture's `options`, with the addresses that are really open. */
  options: Record<string, unknown>
  /** Every request, oldest first. */
  requests: RecordedRequest[]
  /** Puts the opened origins in place of the fixture's. */
  fill(text: string): string
  /** Resolves as soon as that number of requests is being held. */
  held(count?: number): Promise<void>
  /** Releases every held request, and those that come later. */
  release(): void
  close(): Promise<void>
}

/** Opens a fake server for a fixture. Anything that the fixture does not list answers 404. */
export async function startFixture(
  fixture: Fixture | FixtureExchange[],
  options: FixtureOptions = {},
): Promise<FixtureServer> {
  const scene: Fixture = Array.isArray(fixture) ? { exchange: fixture } : fixture
  const ports = new Set([4100, ...(options.ports ?? [])])
  if (JSON.stringify(scene).includes('http://127.0.0.1:4999')) ports.add(4999)

  const script = createScript(scene.exchange ?? [])
  const requests: RecordedRequest[] = []
  const gate = createGate()
  const servers: Server[] = []
  const origins: Record<number, string> = {}
  const fill = (text: string): string =>
    text.replace(/http:\/\/127\.0\.0\.1:(\d+)/g, (written, port: string) => origins[Number(port)] ?? written)

  const answer = async (port: number, incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await record(port, incoming)
    requests.push(request)
    response.on('close', () => {
      request.aborted = !response.writableFinished
    })
    const reply = script(request) ?? { status: 404, text: '' }
    await play(reply, request, response, { fill, gate })
  }

  for (const port of ports) {
    const listener = (incoming: IncomingMessage, response: ServerResponse): void => {
      answer(port, incoming, response).catch((error: unknown) => response.destroy(error as Error))
    }
    const server = options.tls ? createTlsServer(options.tls, listener) : createServer(listener)
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, '127.0.0.1', resolve)
    })
    server.unref()
    servers.push(server)
    const opened = (server.address() as AddressInfo).port
    origins[port] = `${options.tls ? 'https' : 'http'}://${options.host ?? '127.0.0.1'}:${opened}`
  }

  const close = async (): Promise<void> => {
    await Promise.all(
      servers.map((server) => {
        server.closeAllConnections()
        return new Promise<void>((resolve) => server.close(() => resolve()))
      }),
    )
  }
  return {
    url: fill(scene.base ?? 'http://127.0.0.1:4100'),
    origin: fill('http://127.0.0.1:4100'),
    origins,
    options: JSON.parse(fill(JSON.stringify(scene.options ?? {}))) as Record<string, unknown>,
    requests,
    fill,
    held: (count) => gate.held(count),
    release: () => gate.release(),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function record(port: number, incoming: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString('utf8')
  const rpc = readRpc(body)
  return {
    port,
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    body,
    ...(rpc && { rpc }),
    aborted: false,
  }
}

function readRpc(body: string): RecordedRequest['rpc'] {
  try {
    const json: unknown = JSON.parse(body)
    if (typeof json !== 'object' || json === null || !('jsonrpc' in json) || !('method' in json))
      return undefined
    const { id, method, params } = json as Record<string, unknown>
    return { id, method: String(method), params }
  } catch {
    return undefined
  }
}

interface Stage {
  fill(text: string): string
  gate: Gate
}

async function play(
  reply: FixtureReply,
  request: RecordedRequest,
  response: ServerResponse,
  stage: Stage,
): Promise<void> {
  if (reply.drop) return void response.destroy()
  const holdAt = reply.holdAt ?? (reply.delayMs === undefined ? undefined : 'head')
  if (holdAt === 'head') await stage.gate.hold()

  const id = JSON.stringify(request.rpc?.id ?? null)
  const finish = (text: string): string => stage.fill(text).replaceAll('"$id"', id)
  const headers: Record<string, string> = {}
  let chunks: string[] = []
  if (reply.json !== undefined) {
    headers['content-type'] = 'application/json'
    const json = expand(reply.json)
    const patch = expand(reply.patch) as object | undefined
    chunks = [finish(JSON.stringify(patch ? { ...(json as object), ...patch } : json))]
  } else if (reply.sse) {
    headers['content-type'] = 'text/event-stream'
    chunks = reply.sse.map(finish)
  } else if (reply.text !== undefined) {
    chunks = [finish(reply.text)]
  }
  response.writeHead(reply.status ?? 200, { ...headers, ...lowerKeys(reply.headers ?? {}) })
  response.flushHeaders()
  if (holdAt === 'body') await stage.gate.hold()

  const pieces = cut(chunks, reply)
  for (const [at, piece] of pieces.entries()) {
    if (holdAt === at) await stage.gate.hold()
    await new Promise((resolve) => response.write(piece, resolve))
  }
  if (holdAt === pieces.length) await stage.gate.hold()
  response.end()
}

function lowerKeys(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** The body as the pieces in which it is written. */
function cut(chunks: string[], { splitInsideChars = [], oneByteChunks = false }: FixtureReply): Buffer[] {
  const whole = chunks.map((chunk) => Buffer.from(chunk, 'utf8')).filter((chunk) => chunk.length > 0)
  if (oneByteChunks) return whole.flatMap((chunk) => [...chunk].map((byte) => Buffer.of(byte)))
  return whole.flatMap((chunk) => {
    const cuts = splitInsideChars
      .flatMap((char) => occurrences(chunk, Buffer.from(char, 'utf8')))
      .map((start) => start + 1)
      .sort((a, b) => a - b)
    return [0, ...cuts].map((start, at) => chunk.subarray(start, cuts[at] ?? chunk.length))
  })
}

function occurrences(bytes: Buffer, wanted: Buffer): number[] {
  const found: number[] = []
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + wanted.length)) found.push(at)
  return found
}

interface Gate {
  hold(): Promise<void>
  held(count?: number): Promise<void>
  release(): void
}

/** Holds requests back until a test lets them go, so that slow agents need no sleep. */
function createGate(): Gate {
  let open = false
  let holding = 0
  const waiting: (() => void)[] = []
  const watchers: { count: number; resolve: () => void }[] = []
  return {
    hold() {
      holding += 1
      for (const watcher of watchers) if (holding >= watcher.count) watcher.resolve()
      if (open) return Promise.resolve()
      return new Promise((resolve) => waiting.push(resolve))
    },
    held(count = 1) {
      if (holding >= count) return Promise.resolve()
      return new Promise((resolve) => watchers.push({ count, resolve }))
    },
    release() {
      open = true
      for (const resolve of waiting.splice(0)) resolve()
    },
  }
}
