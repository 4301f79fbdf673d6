import { onAbort, throwIfAborted } from '../../core/abort.ts'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { systemClock } from '../../core/clock.ts'
import { A2AUsageError } from '../../core/errors.ts'

/** One request that reached the receiver. */
export interface Arrival {
  /** In ms since the epoch. */
  at: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  /** Truncated at the limit. */
  body: string
  /** True if the body was larger than the limit. */
  truncated: boolean
}

/** The server that receives push notifications while a check runs. */
export interface Receiver extends AsyncDisposable {
  /** The address for the push notification config. */
  readonly url: string
  /** The requests so far, oldest first. */
  readonly arrivals: readonly Arrival[]
  /** Other requests, such as `GET /favicon.ico`: someone reached the receiver, but not at its path. */
  readonly strays: readonly string[]
  /** Waits for the next request; false if none arrives in time. Rejects when the signal is aborted. */
  next(ms: number, signal: AbortSignal): Promise<boolean>
  /** Stops listening and ends open connections. */
  close(): Promise<void>
}

/** Where a receiver listens. */
export interface ReceiverOptions {
  /** The last segment of the path, which nobody else should guess. */
  secret: string
  /** Default 127.0.0.1. */
  host?: string | undefined
  /** A free one by default. */
  port?: number | undefined
  /** The address for the config, if it differs from the one we listen on. */
  publicUrl?: string | undefined
}

const mostBytes = 4 * 1024 * 1024
/** Of all bodies together. */
const mostBytesInAll = 64 * 1024 * 1024
const mostArrivals = 1000
/** Longest time to receive one request, in ms. */
const patienceMs = 30_000

/**
 * Opens a receiver: POSTs to its path are kept and answered with 200, GETs echo the `validationToken` that 0.1 agents send. It
 * does not keep the process alive. Throws A2AUsageError `BAD_OPTIONS` if it cannot listen.
 */
export async function openReceiver({
  secret,
  host = '127.0.0.1',
  port = 0,
  publicUrl,
}: ReceiverOptions): Promise<Receiver> {
  const server = createServer({ requestTimeout: patienceMs, headersTimeout: patienceMs })
  await listen(server, host, port)
  server.unref()
  const base = publicUrl ?? `http://${bracketed(host)}:${(server.address() as AddressInfo).port}`
  return new HttpReceiver(server, secret, `${base.replace(/\/+$/, '')}/a2a-push/${secret}`)
}

class HttpReceiver implements Receiver {
  readonly url: string
  readonly arrivals: Arrival[] = []
  readonly strays: string[] = []
  readonly #server: Server
  readonly #secret: string
  readonly #waiting = new Set<AbortController>()
  readonly #sockets = new Set<Socket>()
  #bytes = 0

  constructor(server: Server, secret: string, url: string) {
    this.#server = server
    this.#secret = secret
    this.url = url
    server.on('request', (request, response) => {
      this.#answer(request, response).catch(() => response.destroy())
    })
    server.on('connection', (socket) => {
      socket.unref()
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  async next(ms: number, signal: AbortSignal): Promise<boolean> {
    const wake = new AbortController()
    this.#waiting.add(wake)
    const stop = onAbort(signal, () => wake.abort())
    try {
      throwIfAborted(signal)
      await systemClock.sleep(Math.max(ms, 0), wake.signal)
      return false
    } catch {
      throwIfAborted(signal)
      return true
    } finally {
      this.#waiting.delete(wake)
      stop()
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      for (const socket of this.#sockets) socket.destroy()
    })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://receiver')
    // A tunnel may add a prefix to the path, or remove one.
    const isOurs = pathname.endsWith(`/${this.#secret}`)
    const token = searchParams.get('validationToken')
    if (isOurs && request.method === 'GET' && token !== null) {
      response.writeHead(200, { 'content-type': 'text/plain' }).end(token)
      return
    }
    if (!isOurs || request.method !== 'POST') {
      const shown = isOurs ? pathname.slice(0, -this.#secret.length) : pathname
      if (this.strays.length < mostArrivals) this.strays.push(`${request.method} ${shown.slice(0, 100)}`)
      response.writeHead(isOurs ? 405 : 404, { connection: 'close', ...(isOurs && { allow: 'POST' }) }).end()
      return
    }
    await this.#receive(request, response)
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { body, truncated } = await readBody(request, Math.min(mostBytes, mostBytesInAll - this.#bytes))
    this.#bytes += body.length
    if (this.arrivals.length < mostArrivals) {
      this.arrivals.push({ at: systemClock.now(), headers: flat(request.headers), body, truncated })
    }
    response.writeHead(200, { 'content-length': '0', ...(truncated && { connection: 'close' }) }).end()
    for (const each of this.#waiting) each.abort()
  }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'the port is in use' : error.message
      reject(
        new A2AUsageError(
          'BAD_OPTIONS',
          `cannot listen for push notifications at ${bracketed(host)}:${port}: ${why}.`,
          {
            fix: 'Pass another `port` or `host`, or run tests that share one sequentially.',
            cause: error,
          },
        ),
      )
    })
    server.listen(port, host, resolve)
  })
}

async function readBody(
  request: IncomingMessage,
  most: number,
): Promise<Pick<Arrival, 'body' | 'truncated'>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most) return { body: '', truncated: true }
    chunks.push(chunk)
  }
  return { body: Buffer.concat(chunks).toString('utf8'), truncated: false }
}

function flat(headers: IncomingMessage['headers']): Arrival['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
