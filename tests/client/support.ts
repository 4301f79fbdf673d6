import { setDeadline } from '../../src/core/abort.ts'
import { createAgent, type AgentExtra } from '../../src/agent/handle.ts'
import type { A2AAgent } from '../../src/agent/types.ts'
import type { AgentOptions } from '../../src/client/types.ts'
import { systemDeps, type Deps } from '../../src/core/deps.ts'
import type { FixtureServer, RecordedRequest } from '../support/fixtureServer.ts'
import { manualClock } from '../support/manualClock.ts'

/** A handle whose clock jumps over every sleep and whose ids are m1, m2, … unless given. */
export function handleOf(
  server: Pick<FixtureServer, 'url'>,
  options: AgentOptions = {},
  { deps = {}, extra = {}, ids = [] }: { deps?: Partial<Deps>; extra?: AgentExtra; ids?: string[] } = {},
): A2AAgent {
  let made = 0
  return createAgent(
    server.url,
    options,
    systemDeps({
      clock: manualClock({ auto: true }),
      id: () => ids[made++] ?? `m${made}`,
      env: {},
      ...deps,
    }),
    extra,
  )
}

/** JSON-RPC methods that reached a server, in order. */
export function methods(server: FixtureServer): (string | undefined)[] {
  return posts(server).map((request) => request.rpc?.method)
}

export function posts(server: FixtureServer): RecordedRequest[] {
  return server.requests.filter((request) => request.method === 'POST')
}

/** What was thrown, for `toMatchObject`. */
export async function failure(work: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await work
  } catch (error) {
    const { name, message } = error as Error
    // Neither is its own enumerable property.
    return Object.assign(Object.create(null), error, { name, message }) as Record<string, unknown>
  }
  throw new Error('nothing was thrown')
}

/** A JSON-RPC answer of a fixture. */
export const result = (value: unknown): { json: unknown } => ({
  json: { jsonrpc: '2.0', id: '$id', result: value },
})
export const rpcError = (code: number, message: string, more: object = {}): { json: unknown } => ({
  json: { jsonrpc: '2.0', id: '$id', error: { code, message, ...more } },
})

export const card03 = (patch: object = {}) => ({
  on: 'GET /.well-known/agent-card.json',
  json: '$CARD03',
  patch: patch as Record<string, unknown>,
})
export const card10 = (patch: object = {}) => ({
  on: 'GET /.well-known/agent-card.json',
  json: '$CARD10',
  patch: patch as Record<string, unknown>,
})

export const message03 = (text: string) => ({
  kind: 'message',
  messageId: 'm2',
  role: 'agent',
  parts: [{ kind: 'text', text }],
})
export const message10 = (text: string) => ({
  message: { messageId: 'm2', role: 'ROLE_AGENT', parts: [{ text }] },
})
export const task03 = (state: string, more: object = {}) => ({
  kind: 'task',
  id: 't1',
  contextId: 'c1',
  status: { state },
  ...more,
})
export const artifacts03 = (text: string) => ({
  artifacts: [{ artifactId: 'a1', parts: [{ kind: 'text', text }] }],
})

/** A signal that is noted to end then, as that of a matcher is. */
export function endsAt(deadlineAt: number): AbortSignal {
  const { signal } = new AbortController()
  setDeadline(signal, deadlineAt)
  return signal
}
