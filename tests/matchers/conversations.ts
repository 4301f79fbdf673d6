import type { FixtureServer } from '../support/fixtureServer.ts'
import type { FixtureExchange } from '../support/fixture.ts'
import { echoAgent, wireMessage, wireTask } from './support.ts'

/** An answer of `message/send`. */
export function sent(result: unknown, more: Partial<FixtureExchange> = {}): FixtureExchange {
  return { on: 'POST /rpc', rpc: 'message/send', json: { jsonrpc: '2.0', id: '$id', result }, ...more }
}

/** The same as a message of the conversation's n-th turn. */
export function turn(n: number, result: unknown): FixtureExchange {
  return sent(result, { turn: n })
}

/** The messages that arrived, in order. */
export function messagesOf(server: FixtureServer): Record<string, unknown>[] {
  return server.requests.flatMap(({ rpc }) => {
    const { message } = (rpc?.params ?? {}) as { message?: Record<string, unknown> }
    return message === undefined ? [] : [message]
  })
}

/** The methods that were called, in order. */
export function methodsOf(server: FixtureServer): string[] {
  return server.requests.flatMap(({ rpc }) => (rpc === undefined ? [] : [rpc.method]))
}

/** Gives the same answer to every message, without a context. */
export function withoutContext(): Promise<FixtureServer> {
  return echoAgent({ ...wireMessage('All set.'), contextId: undefined })
}

/** Asks for the branch, and is done when it has it. */
export function asking(): Promise<FixtureServer> {
  return echoAgent(wireTask('input-required', 'Which branch?'), [
    sent(wireTask('completed', 'All set.'), { ifBodyHas: '"taskId":"t1"', times: '*' }),
  ])
}

/** Waits for an authorization until its task was looked at once. */
export function authorizing(): Promise<FixtureServer> {
  const got = (state: 'auth-required' | 'completed'): FixtureExchange => ({
    on: 'POST /rpc',
    rpc: 'tasks/get',
    json: { jsonrpc: '2.0', id: '$id', result: wireTask(state, 'Ann must allow this.') },
    times: 1,
  })
  return echoAgent(wireTask('auth-required', 'Ann must allow this.'), [
    got('auth-required'),
    got('completed'),
    got('auth-required'),
    got('completed'),
  ])
}
