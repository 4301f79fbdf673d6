import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import {
  faults,
  startAgentFrom,
  startStudio,
  type AgentFromOptions,
  type Fault,
  type Json,
  type Step,
  type WireReply,
  type WireRequest,
} from '../../src/testing/index.ts'
import type { StartAgent } from './faultyAgent.ts'

/** A healthy agent of `startAgentFrom`. */
export function agentFrom(options: AgentFromOptions = {}, own: Fault[] = []): StartAgent {
  return (fault) => startAgentFrom({ ...options, fault: [...own, ...fault] })
}

const work = (): Iterable<Step> => [
  { state: 'working', text: 'Looking it up' },
  { artifact: { artifactId: 'a1', name: 'answer', parts: [{ text: 'Oslo' }] } },
  { state: 'completed', text: 'Found it.' },
]

/** Answers with a Message, over JSON-RPC. */
export const echo10 = agentFrom()
export const echo03 = agentFrom({ dialect: '0.3' })
/** Answers with a completed Task that has an artifact and a history. */
export const task10 = agentFrom({ respond: work })
export const task03 = agentFrom({ dialect: '0.3', respond: work })

/** Returns a working task, which is completed at the first poll. */
export const slow10 = agentFrom({ respond: work }, [
  faults.result(({ task, ...other }) =>
    task === undefined ? other : { task: { ...(task as Json), status: { state: 'TASK_STATE_WORKING' } } },
  ),
])

/** The website's agent of A2A 0.1; that it wants a token makes its card a 0.1 one. */
export const studio01: StartAgent = async (fault) => ({
  ...(await startStudio({ fault, token: 't0ken' })),
  options: { headers: { authorization: 'Bearer t0ken' } },
})

/** Offers HTTP+JSON first. */
export const rest10 = agentFrom({
  respond: work,
  card: (url) => ({
    supportedInterfaces: [{ url: `${url}/a2a/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
  }),
})

/** A 0.3 agent with HTTP+JSON only, in the form of its proto. */
export const rest03 = agentFrom({
  dialect: '0.3',
  card: (url) => ({ url: `${url}/rest`, preferredTransport: 'HTTP+JSON' }),
  routes: {
    'POST /rest/v1/message:send': () => ({
      json: { message: { messageId: 'm1', role: 'ROLE_AGENT', content: [{ text: 'Oslo' }] } },
    }),
  },
})

/** Lays another answer over every message that is sent. */
export function answering(reply: (own: WireReply, request: WireRequest) => WireReply): Fault {
  return { reply: (own, request) => (isSend(request) ? reply(own, request) : own) }
}

/** Answers a message with an event stream of these results. */
export function streaming(...results: unknown[]): Fault {
  return answering((_own, { body }) => {
    const { id } = JSON.parse(body) as { id: unknown }
    return { events: results.map((result) => ({ jsonrpc: '2.0', id, result })) }
  })
}

/** Changes the text of an event stream. */
export function streamText(change: (text: string) => string): Fault {
  return answering((own) => {
    const text = (own.events ?? []).map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    return { headers: { 'content-type': 'text/event-stream' }, text: change(text) }
  })
}

function isSend({ method, path, body }: WireRequest): boolean {
  return (
    method === 'POST' &&
    (path.endsWith('/message:send') || /"(SendMessage|message\/send|tasks\/send)"/.test(body))
  )
}

/** An agent of 1.0 whose answers are written to the socket byte by byte: for what no HTTP server would write. */
export function bytes(answers: { send: Buffer | string; get?: Buffer | string }): StartAgent {
  return async (fault) => {
    const healthy = http('application/json', rpc({ message: textMessage('Oslo') }))
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', (chunk) => {
        const request = chunk.toString('latin1')
        const { port } = server.address() as AddressInfo
        if (request.startsWith('GET')) socket.end(http('application/json', JSON.stringify(card10(port))))
        else if (fault.length === 0) socket.end(healthy)
        else socket.end((request.includes('"GetTask"') && answers.get) || answers.send)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    server.unref()
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      close: () => new Promise((resolve) => server.close(() => resolve())),
    }
  }
}

/** Marks an agent as broken if `start` already makes the fault. */
export const itself: Fault = {}

export function http(type: string, body: string, more = ''): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\nconnection: close\r\n${more}\r\n${body}`
}

export function rpc(result: unknown, id: unknown = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result })
}

export function textMessage(text: string): Json {
  return { messageId: 'm1', role: 'ROLE_AGENT', parts: [{ text }] }
}

function card10(port: number): Json {
  return {
    name: 'Echo Desk',
    description: 'Repeats what it hears',
    version: '1.0.0',
    supportedInterfaces: [
      { url: `http://127.0.0.1:${port}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ],
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  }
}
