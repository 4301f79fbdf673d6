import type { CallContext } from '../../src/bindings/binding.ts'
import { callAgent } from '../../src/bindings/call.ts'
import type { CallResult } from '../../src/http/answers.ts'
import type { Transport } from '../../src/http/types.ts'
import {
  json,
  serve,
  transportFor,
  type Handler,
  type TestServer,
  type TransportSetup,
} from '../http/support.ts'

export const id = 7
export const message = {
  kind: 'message',
  messageId: 'm2',
  role: 'agent',
  parts: [{ kind: 'text', text: 'hi' }],
}
export const stream = { accept: 'text/event-stream' }

interface Call {
  server: TestServer
  transport: Transport
  call(more?: Partial<CallContext>): Promise<CallResult>
}

export async function agent(handler: Handler, setup: TransportSetup = {}): Promise<Call> {
  const server = await serve(handler)
  const transport = transportFor({ typedUrl: server.url, ...setup })
  return {
    server,
    transport,
    call: (more = {}) =>
      callAgent(transport, {
        dialect: '0.3',
        url: `${server.url}/rpc`,
        call: { binding: 'JSONRPC', method: 'message/send', params: { message: {} } },
        id,
        headers: {},
        timeoutMs: 10_000,
        timeoutOption: 'requestTimeoutMs',
        ...more,
      }),
  }
}

export const answering = (body: unknown, status = 200, headers: Record<string, string> = {}): Promise<Call> =>
  agent((_, response) => json(response, body, status, headers))

export async function collect(result: CallResult): Promise<unknown[]> {
  if (result.kind !== 'events') throw new Error(`expected events, got ${result.kind}`)
  const events: unknown[] = []
  for await (const event of result.events) events.push(event)
  return events
}

export const sse =
  (...chunks: string[]): Handler =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    for (const chunk of chunks) response.write(chunk)
    response.end()
  }
export const event = (body: unknown): string => `data: ${JSON.stringify(body)}\n\n`
