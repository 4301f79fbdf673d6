import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { closeWithFile, type Excerpt } from './lifetime.ts'

/** What `http.createServer` takes; a promise that rejects is answered with 500. */
export type NodeListener = (req: IncomingMessage, res: ServerResponse) => unknown

/** A server of ours on a loopback port. */
export interface LoopbackServer {
  /** `http://127.0.0.1:49152` */
  origin: string
  /** The errors of its handlers, oldest first. */
  failures(): Excerpt[]
  closed(): boolean
  /** Stops listening and ends open connections; safe to call twice. */
  close(): Promise<void>
}

const failuresKept = 5

/** Serves a listener on a free port of 127.0.0.1, until `close()` or the end of the test file. It never keeps the process alive. */
export async function serveOnLoopback(listener: NodeListener): Promise<LoopbackServer> {
  const { createServer } = await import('node:http')
  const failures: Excerpt[] = []
  const server = createServer((req, res) => {
    void (async () => listener(req, res))().catch((error: unknown) => {
      // The client has gone: what the handler does then is not a failure.
      if (res.closed) return
      failures.push({ label: `Error in the handler of ${req.method} ${req.url}`, text: errorText(error) })
      if (failures.length > failuresKept) failures.shift()
      if (res.headersSent) return res.destroy()
      res.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' })
      res.end(firstLine(error))
    })
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    // The client's side keeps the process alive while it waits for an answer; ours must not do so afterwards.
    socket.unref()
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await listen(server)
  server.unref()

  let closing: Promise<void> | undefined
  const close = (): Promise<void> =>
    (closing ??= new Promise((resolve) => {
      forget()
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    }))
  const forget = closeWithFile(close)
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    failures: () => [...failures],
    closed: () => closing !== undefined,
    close,
  }
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function firstLine(error: unknown): string {
  if (typeof error !== 'object' || error === null) return `thrown: ${String(error)}`
  const { name = 'Error', message = '' } = error as Partial<Error>
  return message === '' ? name : `${name}: ${message}`
}

function errorText(error: unknown): string {
  const stack = (error as Partial<Error> | null)?.stack
  const frames = typeof stack === 'string' ? stack.split('\n').filter((line) => /^\s+at /.test(line)) : []
  return [firstLine(error), ...frames.slice(0, 4)].join('\n')
}
