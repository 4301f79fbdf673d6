import { lastReply } from '../checks/conversation/lastReply.ts'
import type { Reply } from '../client/types.ts'
import type { ConversationRun } from '../transcript/types.ts'
import { A2AUsageError } from '../core/errors.ts'
import type { Task } from '../protocol/model.ts'

/** What a synchronous matcher can look at. A `reply` matcher takes a conversation as well, for its last answer. */
export type ReceivedKind = 'reply' | 'reply-or-task' | 'conversation'

/** What stands in `expect(…)`, for the first line of messages. */
export function subjectWord(received: unknown): 'run' | 'task' | 'reply' {
  return isRun(received) ? 'run' : isTask(received) ? 'task' : 'reply'
}

/** What a matcher looks at. Throws A2AUsageError `BAD_SUBJECT` for anything else. */
export function receivedOf(received: unknown, kind: ReceivedKind, matcher: string): unknown {
  if (kind === 'conversation') return conversationOf(received, matcher)
  if (isRun(received)) {
    const reply = lastReply(received)
    if (reply !== undefined) return reply
    throw new A2AUsageError(
      'BAD_SUBJECT',
      `${matcher} looks at the last answer of a conversation, but the agent never answered: ${received.fault?.message ?? 'nothing was said'}.`,
    )
  }
  if (isReply(received) || (kind === 'reply-or-task' && isTask(received))) return received
  throw refusal(received, kind, matcher)
}

/** The conversation that a matcher checks. Throws A2AUsageError `BAD_SUBJECT` for anything else. */
export function conversationOf(received: unknown, matcher: string): ConversationRun {
  if (isRun(received)) return received
  throw refusal(received, 'conversation', matcher)
}

const wanted: Record<ReceivedKind, string> = {
  reply: 'what agent.send() returned',
  'reply-or-task': 'what agent.send() or agent.getTask() returned',
  conversation: 'what converse() returned',
}

function refusal(received: unknown, kind: ReceivedKind, matcher: string): A2AUsageError {
  const how = kind === 'conversation' ? 'await converse(agent, { … })' : 'await agent.send("…")'
  const shape = received as { then?: unknown; isA2AAgent?: unknown } | null | undefined
  const [given, fix] =
    typeof shape?.then === 'function'
      ? ['a promise', `Await it first: expect(${how}).${matcher}(…).`]
      : shape?.isA2AAgent === true || typeof received === 'string'
        ? [
            'an agent',
            kind === 'conversation'
              ? `Run a conversation first: expect(${how}).${matcher}(…).`
              : `Send something first: expect(${how}).${matcher}(…).`,
          ]
        : kind === 'conversation' && isReply(received)
          ? ['a reply', `Run a conversation first: expect(${how}).${matcher}(…).`]
          : isTask(received)
            ? ['a task', 'Pass the whole reply: what agent.send() returned.']
            : [describe(received), undefined]
  return new A2AUsageError('BAD_SUBJECT', `${matcher} checks ${wanted[kind]}, but received ${given}.`, {
    ...(fix !== undefined && { fix }),
  })
}

function isReply(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (value as Partial<Reply>).isA2AReply === true
}

function isRun(value: unknown): value is ConversationRun {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as Partial<ConversationRun>).isA2AConversation === true
  )
}

function isTask(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && (value as Partial<Task>).kind === 'task' && !isReply(value)
  )
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'another object' : `a ${typeof value}`
}
