import { finding } from '../../findings/finding.ts'
import type { A2AAgent } from '../../agent/types.ts'
import { toReply } from '../../client/reply.ts'
import type { A2AStream, Reply } from '../../client/types.ts'
import { waitForTask } from '../../client/wait/waitForTask.ts'
import { watchTask, type Watched } from '../../client/wait/watchTask.ts'
import { settlesWithin } from '../../core/abort.ts'
import type { Clock } from '../../core/clock.ts'
import { isA2AError, isReplyError } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import { isActive, type Task, type TaskState } from '../../protocol/model.ts'
import { count } from '../phrases.ts'

/** A wait for a task that needs authorization. */
export interface Waiting {
  readonly agent: A2AAgent
  readonly clock: Clock
  readonly signal: AbortSignal
  /** When the wait ends at the latest, in ms since the epoch. */
  readonly endAt: number
  /** The reply that left the task waiting. */
  readonly reply: Reply
  readonly task: Task
}

/** How the wait for the task went. */
export interface Followed {
  reply: Reply
  /** True if the task was still pending when the wait ended. */
  unsettled: boolean
  /** How the task was followed, for messages: `1 event of SubscribeToTask and 2 polls`. */
  how: string
  findings: Finding[]
}

/** A subscription that is read in the background, so that no early event is missed. */
export interface Subscription {
  stream: A2AStream
  watched: Promise<Watched>
  /** How often the task was polled because the subscription was silent. */
  polls(): number
}

/** How long an agent may take to open a subscription before the test continues without it, in ms. */
const openMs = 2000

/** True for a task that is active or waits for authorization. A question to the client ends the wait. */
export function isPending(state: TaskState | undefined): boolean {
  return state === undefined || state === 'auth-required' || isActive(state)
}

/** Subscribes to the task, if the agent supports subscriptions. */
export async function subscribeTo(waiting: Waiting): Promise<Subscription> {
  const { agent, clock, signal, endAt, task } = waiting
  const stream = agent.subscribe(task.id, { signal, waitMs: Math.max(1, endAt - clock.now()) })
  let failure: { error: unknown } | undefined
  const opening = stream.open().catch((error: unknown) => (failure = { error }))
  // An agent may send nothing, not even headers, before the first event.
  await settlesWithin(clock, openMs, opening)
  if (failure !== undefined && !canPoll(failure.error)) throw failure.error
  let polls = 0
  const watched = watchTask({
    clock,
    stream,
    signal,
    isPending,
    knownPending: true,
    poll() {
      polls += 1
      return agent.getTask(task.id, { signal })
    },
  })
  // It is awaited once the task is authorized.
  watched.catch(() => {})
  return { stream, watched, polls: () => polls }
}

/** Waits until the task settles: through the subscription while it lasts, then by polling. */
export async function followTask(waiting: Waiting, subscription: Subscription): Promise<Followed> {
  const { agent, clock, signal, endAt, reply, task } = waiting
  const watched = await subscription.watched
  const { error, events } = watched
  if (error !== undefined && !canPoll(error)) throw error
  const waited = await waitForTask(task, {
    clock,
    signal,
    waitMs: endAt - clock.now(),
    method: 'get-task',
    isPending,
    pollAtEnd: true,
    watch: async () => ({ ...watched, mustPoll: watched.mustPoll || isPending(watched.task?.status.state) }),
    get: async () => ({ value: await agent.getTask(task.id, { signal }), findings: [] }),
  })
  const findings = waited.findings.filter(({ id }) => id !== 'wire/unsettled')
  if (events === 0 && isReplyError(error)) findings.push(notSubscribable(task, error))
  const polls = subscription.polls() + waited.polls
  const how = [
    ...(events > 0 || error === undefined
      ? [`${count(events, 'event')} of ${subscription.stream.method ?? 'a subscription'}`]
      : []),
    ...(polls > 0 ? [count(polls, 'poll')] : []),
  ].join(' and ')
  return { reply: replyOf(waited.task, reply), unsettled: waited.unsettled, how, findings }
}

function replyOf(task: Task, { dialect, declared, agent, secrets }: Reply): Reply {
  return toReply(task, { dialect, agent, secrets, ...(declared !== undefined && { declared }) })
}

/** True for errors that end a subscription, although the task can still be polled. */
function canPoll(error: unknown): boolean {
  if (isReplyError(error)) return true
  return isA2AError(error) && ['NOT_DECLARED', 'UNREACHABLE', 'TIMEOUT', 'ABORTED'].includes(error.code)
}

function notSubscribable({ id }: Task, error: Error): Finding {
  return finding(
    'conversation/not-subscribable',
    `task ${id} waits for authorization, but cannot be subscribed to: ${error.message}`,
  )
}
