import { stripVTControlCharacters } from 'node:util'
import { createAgent } from '../../src/agent/handle.ts'
import type { A2AAgent } from '../../src/agent/types.ts'
import { toReply } from '../../src/client/reply.ts'
import type { Reply } from '../../src/client/types.ts'
import { systemDeps } from '../../src/core/deps.ts'
import type { Artifact, Message, Part, Task, TaskState } from '../../src/protocol/model.ts'
import { startFixture, type FixtureServer } from '../support/fixtureServer.ts'
import type { FixtureExchange } from '../support/fixture.ts'
import { manualClock } from '../support/manualClock.ts'

/** The message of what an assertion throws, without colours, and with ports and times masked. */
export async function failureOf(assertion: () => unknown): Promise<string> {
  try {
    await assertion()
  } catch (error) {
    return stripVTControlCharacters((error as Error).message)
      .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>')
      .replace(/\b\d+ ms/g, '<n> ms')
      .replace(/\b\d+ (B|kB|bytes)\b/g, '<n> B')
      .replace(/\b\d+ rules\b/g, '<n> rules')
      .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, '<id>')
  }
  throw new Error('The assertion passed.')
}

/** Calls a matcher with arguments that its types forbid. */
export function misuse(assertion: object, matcher: string): (...args: readonly unknown[]) => unknown {
  return (...args) => (assertion as Record<string, (...all: unknown[]) => unknown>)[matcher]?.(...args)
}

/** A handle whose waits take no time. */
export function unhurried({ origin }: FixtureServer): A2AAgent {
  return createAgent(origin, {}, systemDeps({ clock: manualClock({ auto: true }), env: {} }))
}

/** A function for a matcher to wait on that never settles, and a promise for when it was called. */
export function neverSettling(): { fn: () => Promise<never>; called: Promise<void> } {
  let tell = (): void => {}
  const called = new Promise<void>((resolve) => (tell = resolve))
  const fn = (): Promise<never> => {
    tell()
    return new Promise(() => {})
  }
  // What calls it is to wait for it first.
  return { fn, called: called.then(() => new Promise((resolve) => setImmediate(resolve))) }
}

/** Serves Echo Desk, whose only answer is this result of `message/send`. */
export function echoAgent(result: unknown, more: FixtureExchange[] = []): Promise<FixtureServer> {
  return startFixture([
    ...more,
    { on: 'GET /.well-known/agent-card.json', json: '$CARD03' },
    { on: 'POST /rpc', rpc: 'message/send', json: { jsonrpc: '2.0', id: '$id', result } },
  ])
}

/** A message as 0.3 sends it. */
export function wireMessage(...texts: string[]): Record<string, unknown> {
  const parts = texts.map((text) => ({ kind: 'text', text }))
  return { kind: 'message', messageId: 'm1', role: 'agent', contextId: 'c1', parts }
}

/** A task as 0.3 sends it. */
export function wireTask(state: TaskState, text?: string, more: object = {}): Record<string, unknown> {
  const message = text === undefined ? {} : { message: { ...wireMessage(text), taskId: 't1' } }
  return { kind: 'task', id: 't1', contextId: 'c1', status: { state, ...message }, ...more }
}

const context = { dialect: '0.3', agent: 'Echo Desk (http://127.0.0.1:4100)' } as const

/** A reply that came as a message. */
export function messageReply(...parts: (string | Part)[]): Reply {
  return toReply(message(parts), context)
}

/** A reply that came as a task. */
export function taskReply(state: TaskState, artifacts: Artifact[] = [], ...status: (string | Part)[]): Reply {
  const task: Task = { kind: 'task', id: 't1', status: { state }, artifacts, history: [] }
  if (status.length > 0) task.status.message = message(status)
  return toReply(task, context)
}

function message(parts: readonly (string | Part)[]): Message {
  return {
    kind: 'message',
    messageId: 'm1',
    role: 'agent',
    parts: parts.map((part) => (typeof part === 'string' ? { kind: 'text', text: part } : part)),
  }
}
