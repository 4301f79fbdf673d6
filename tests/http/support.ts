import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, LookupFunction } from 'node:net'
import { afterEach } from 'vitest'
import { systemDeps, type Deps } from '../../src/core/deps.ts'
import { createTransport, type TransportOptions } from '../../src/http/transport.ts'
import type { HttpRequest, Transport } from '../../src/http/types.ts'
import { testTls } from '../support/tls.ts'

const closers: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

export function onCleanUp(close: () => Promise<void> | void): void {
  closers.push(close)
}

export interface Seen {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

export interface TestServer {
  url: string
  port: number
  seen: Seen[]
  /** Connections so far. */
  readonly connections: number
  server: Server
}

export type Handler = (request: Seen, response: ServerResponse) => void

/** A server on loopback that records what it is sent and answers as told. */
export async function serve(handler: Handler, { secure = false } = {}): Promise<TestServer> {
  const seen: Seen[] = []
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }
      seen.push(one)
      handler(one, response)
    })
  }
  const server: Server = secure ? createTlsServer(testTls, listener) : createServer(listener)
  let connections = 0
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onCleanUp(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  return {
    url: `${secure ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    seen,
    server,
    get connections() {
      return connections
    },
  }
}

export function json(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** Resolves by this table only; a list of lists answers call after call, and stays at the last. */
export function lookupIn(hosts: Record<string, string[] | string[][]>): LookupFunction & { asked: string[] } {
  const asked: string[] = []
  const turns = new Map<string, number>()
  const lookup: LookupFunction = (hostname, _options, callback) => {
    asked.push(hostname)
    const entry = hosts[hostname]
    if (entry === undefined) {
      return callback(
        Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' }),
        [],
      )
    }
    const turn = turns.get(hostname) ?? 0
    turns.set(hostname, turn + 1)
    const addresses = Array.isArray(entry[0])
      ? (entry[Math.min(turn, entry.length - 1)] as string[])
      : (entry as string[])
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return Object.assign(lookup, { asked })
}

export type TransportSetup = Partial<Omit<TransportOptions, 'deps'>> & { deps?: Partial<Deps> }

export function transportFor({ deps, ...options }: TransportSetup = {}): Transport {
  const transport = createTransport({ ...options, deps: systemDeps({ env: {}, ...deps }) })
  onCleanUp(() => transport.close())
  return transport
}

export function get(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: 'GET',
    url,
    headers: { accept: 'application/json' },
    purpose: 'agent card',
    timeoutMs: 10_000,
    timeoutOption: 'requestTimeoutMs',
    ...more,
  }
}

export function post(url: string, body: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return get(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
    purpose: 'SendMessage',
    ...more,
  })
}

/** The error that a promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  try {
    await promise
  } catch (error) {
    return error as Error & Record<string, unknown>
  }
  throw new Error('the promise was expected to reject')
}
