import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** What one streaming call is answered with, down to the bytes. */
export interface RawAnswer {
  /** Default `HTTP/1.1 200 OK`. */
  statusLine?: string
  /** Default `content-type: text/event-stream`. */
  headers?: string[]
  /** Pieces of the body, each written separately; `"$id"` stands for the id of the request. Default: none. */
  body?: Iterable<string | Buffer> | AsyncIterable<string | Buffer>
  /** Then: closes the connection, keeps it open, or breaks it. Default `close`. */
  then?: 'close' | 'open' | 'reset'
}

export interface RawAgent extends AsyncDisposable {
  url: string
  /** Bytes of bodies that were handed to the socket. */
  written(): number
}

/** Serves an agent whose streams are written to the socket unchanged: for what no HTTP server would write. */
export async function rawAgent(
  answer: RawAnswer,
  {
    binding = 'JSONRPC',
    version = '1.0',
  }: { binding?: 'JSONRPC' | 'HTTP+JSON'; version?: '1.0' | '0.3' } = {},
): Promise<RawAgent> {
  const sockets = new Set<Socket>()
  let written = 0
  const server = createServer((socket) => {
    // Deliberate pieces arrive as pieces only if they are sent that way.
    socket.setNoDelay(true)
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let head = ''
    const onData = (chunk: Buffer): void => {
      head += chunk.toString('latin1')
      const [, length = '0'] = /content-length: (\d+)/i.exec(head) ?? []
      const at = head.indexOf('\r\n\r\n')
      if (at < 0 || head.length < at + 4 + Number(length)) return
      socket.off('data', onData)
      // Reading on detects a client that disconnects.
      socket.resume()
      void respond(socket, head).catch(() => socket.destroy())
    }
    socket.on('data', onData)
  })

  const respond = async (socket: Socket, request: string): Promise<void> => {
    if (request.startsWith('GET')) {
      const card = JSON.stringify((version === '1.0' ? card10 : card03)(url(), binding))
      socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n${card}`)
      return
    }
    const id = /"id":("[^"]*"|\d+)/.exec(request)?.[1] ?? 'null'
    const { statusLine = 'HTTP/1.1 200 OK', headers = ['content-type: text/event-stream'] } = answer
    socket.write([statusLine, ...headers, 'connection: close', '', ''].join('\r\n'))
    for await (const piece of answer.body ?? []) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece.replaceAll('"$id"', id)) : piece
      if (socket.destroyed) return
      written += bytes.length
      if (!socket.write(bytes)) await drained(socket)
    }
    if (answer.then === 'reset') socket.resetAndDestroy()
    else if (answer.then !== 'open') socket.end()
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url(),
    written: () => written,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done)
      socket.off('close', done)
      resolve()
    }
    socket.on('drain', done)
    socket.on('close', done)
  })
}

const common = {
  name: 'Raw Desk',
  description: 'Answers in bytes',
  version: '1.0.0',
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'echo', name: 'Echo', description: 'Echo text', tags: ['demo'] }],
}
const card10 = (url: string, protocolBinding: string): object => ({
  ...common,
  supportedInterfaces: [{ url: `${url}/a2a`, protocolBinding, protocolVersion: '1.0' }],
})
const card03 = (url: string, preferredTransport: string): object => ({
  ...common,
  protocolVersion: '0.3.0',
  url: `${url}/a2a`,
  preferredTransport,
})
