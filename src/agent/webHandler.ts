import { Buffer } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { A2AUsageError } from '../core/errors.ts'
import type { NodeListener } from './loopback.ts'

/** A handler in the style of the web: Hono's and a worker's `fetch`, a Next.js route handler. */
export type WebHandler = (request: Request) => Response | Promise<Response>

/** Runs a web handler as a Node listener; the response's body is forwarded as it arrives. Rejects if the handler fails before the head was sent. */
export function toNodeListener(handler: WebHandler): NodeListener {
  return async (req, res) => {
    const gone = new AbortController()
    res.once('close', () => {
      if (!res.writableFinished)
        gone.abort(new DOMException('The client closed the connection.', 'AbortError'))
    })
    const request = await toRequest(req, gone.signal)
    const response: unknown = await handler(request)
    if (!isResponse(response)) {
      throw new TypeError(
        `the handler of ${req.method} ${req.url} returned ${given(response)}, not a Response`,
      )
    }
    await writeResponse(response, res)
  }
}

async function toRequest(req: IncomingMessage, signal: AbortSignal): Promise<Request> {
  if (typeof globalThis.Request !== 'function') {
    throw new A2AUsageError('BAD_USE', 'this test environment has no Request and no Response', {
      fix: 'Add the docblock `@jest-environment node` (Vitest: `@vitest-environment node`) to the test file.',
    })
  }
  const headers = new Headers()
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    headers.append(req.rawHeaders[i] as string, req.rawHeaders[i + 1] as string)
  }
  const method = req.method ?? 'GET'
  const url = new URL(req.url ?? '/', `http://${req.headers.host ?? '127.0.0.1'}`)
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers, signal })
  const chunks: Buffer[] = []
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk)
  return new Request(url, { method, headers, signal, body: Buffer.concat(chunks) })
}

async function writeResponse(response: Response, res: ServerResponse): Promise<void> {
  const headers: Record<string, string | string[]> = Object.fromEntries(response.headers)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  res.writeHead(response.status, headers)
  if (response.body === null) {
    res.end()
    return
  }
  // A stream's head must reach the client before its first event.
  res.flushHeaders()
  const reader = response.body.getReader()
  res.once('close', () => void reader.cancel().catch(() => undefined))
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      if (!res.write(value)) await drained(res)
    }
    res.end()
  } catch (error) {
    // The head was sent: all that is left is to let the client see that the body is truncated.
    res.destroy()
    throw error
  }
}

function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      res.off('drain', done)
      res.off('close', done)
      resolve()
    }
    res.on('drain', done)
    res.on('close', done)
  })
}

// Not `instanceof`: a Response may come from another realm or from a package's own copy of undici.
function isResponse(value: unknown): value is Response {
  if (typeof value !== 'object' || value === null) return false
  const { status, headers } = value as Partial<Response>
  return typeof status === 'number' && typeof headers === 'object' && 'body' in value
}

function given(value: unknown): string {
  if (value === null || typeof value !== 'object') return String(value)
  return `an object of type ${value.constructor?.name ?? 'unknown'}`
}
