import type { A2AAgent } from '../../agent/types.ts'
import type { A2AStream, Reply } from '../../client/types.ts'
import { toReply } from '../../client/reply.ts'
import { settlesWithin } from '../../core/abort.ts'
import type { Clock } from '../../core/clock.ts'
import { isA2AError, isReplyError } from '../../core/errors.ts'
import type { Finding } from '../../core/finding.ts'
import { isActive, type Task, type TaskState } from '../../protocol/model.ts'
import { count } from '../show.ts'

/** A wait for a task that somebody must release. */
export interface Watch {
  readonly agent: A2AAgent
  readonly clock: Clock
  readonly signal: AbortSignal
  /** When the wait is over at the latest, in ms since the epoch. */
  readonly end: number
  /** The reply that left the task waiting. */
  readonly held: Reply
}

/** What became of the task. */
export interface Seen {
  reply: Reply
  /** True when the time was up before the task had come to rest. */
  late: boolean
  /** How it was watched, for messages: `1 event of SubscribeToTask and 2 polls`. */
  how: string
  findings: Finding[]
}

/** A subscription that is being read. */
export interface Subscription {
  stream: A2AStream
  /** Resolves when no more comes; never rejects. */
  done: Promise<Error | undefined>
  /** True when the agent began with the whole task. */
  whole: boolean
}

/** How long an agent may take to open a subscription before the test goes on without it, in ms. */
const openMs = 2000
/** How long a subscription may say nothing before the task is looked at all the same, in ms. */
const silenceMs = 5000
const newsMs = 250
const firstStepMs = 50
const longestStepMs = 1000

/** A task that waits for somebody outside A2A or is at work; a question comes to the client, and so ends the wait. */
export function isHeld(state: TaskState | undefined): boolean {
  return state === undefined || state === 'auth-required' || isActive(state)
}

/**
 * Subscribes to the task where the card declares streaming, and reads on in the background: what happens at once must not be missed.
 * Gives nothing where the agent has no subscriptions.
 */
export async function subscribeTo(watch: Watch): Promise<Subscription | undefined> {
  const { agent, clock, signal, end, held } = watch
  const stream = agent.subscribe(held.taskId ?? '', { signal, waitMs: Math.max(1, end - clock.now()) })
  const opening = stream.open().then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  // An agent may send nothing, not even headers, before something happens.
  const failed = (await settlesWithin(clock, openMs, opening)) ? await opening : undefined
  if (failed !== undefined && !goesWithout(failed.error)) throw failed.error
  if (failed !== undefined && isUndeclared(failed.error)) return undefined
  const subscription: Subscription = { stream, whole: false, done: Promise.resolve(undefined) }
  subscription.done = read(subscription)
  return subscription
}

async function read(subscription: Subscription): Promise<Error | undefined> {
  let first = true
  try {
    for await (const event of subscription.stream) {
      if (first) subscription.whole = event.type === 'task'
      first = false
    }
    return undefined
  } catch (error) {
    return error as Error
  }
}

/** Waits until the task comes to rest: by the subscription as long as that goes on, then by polling. */
export async function seeThrough(watch: Watch, subscription: Subscription | undefined): Promise<Seen> {
  const { agent, clock, signal, end, held } = watch
  const findings: Finding[] = []
  let how = ''
  if (subscription !== undefined) {
    const { stream } = subscription
    const untold = await silentEnd(watch, subscription)
    if (untold !== undefined) {
      const { method = 'the subscription' } = stream
      return { reply: replyOf(untold, held), late: false, how: '1 poll', findings: [silent(method, untold)] }
    }
    const error = await subscription.done
    if (signal.aborted) throw signal.reason
    if (error !== undefined && !goesWithout(error)) throw error
    // The wait is told of below, in its own words.
    findings.push(...stream.findings.filter(({ id }) => id !== 'wire/unsettled'))
    const { length } = stream.timings.events
    if (error !== undefined && length === 0 && isReplyError(error)) findings.push(notSubscribed(held, error))
    if (length > 0 || error === undefined)
      how = `${count(length, 'event')} of ${stream.method ?? 'a subscription'}`
    const reply = stream.soFar()
    if (reply !== undefined && subscription.whole && !isHeld(reply.state))
      return { reply, late: false, how, findings }
  }

  let polls = 0
  for (let stepMs = firstStepMs; ; stepMs = Math.min(stepMs * 2, longestStepMs)) {
    const task = await agent.getTask(held.taskId ?? '', { signal })
    polls += 1
    const leftMs = end - clock.now()
    const rest = !isHeld(task.status.state)
    if (rest || leftMs <= 0) {
      const polled = count(polls, 'poll')
      return {
        reply: replyOf(task, held),
        late: !rest,
        how: how === '' ? polled : `${how} and ${polled}`,
        findings,
      }
    }
    await clock.sleep(Math.min(stepMs, leftMs), signal)
  }
}

/** Reads a subscription to its end, and looks after the task now and then: gives it where it is done and nobody was told. */
async function silentEnd(
  { agent, clock, signal, held }: Watch,
  { stream, done }: Subscription,
): Promise<Task | undefined> {
  while (!(await settlesWithin(clock, silenceMs, done))) {
    const task = await agent.getTask(held.taskId ?? '', { signal })
    if (isHeld(task.status.state)) continue
    // The news may be on their way.
    if (await settlesWithin(clock, newsMs, done)) break
    stream.abort()
    return task
  }
  return undefined
}

function silent(method: string, { id, status }: Task): Finding {
  return {
    id: 'wire/silent-subscription',
    level: 'warning',
    message: `${method} did not tell that task ${id} is ${status.state}`,
    fix: 'Send every change of a task to all who subscribed to it.',
    source: 'A2A 0.3 §7.9, A2A 1.0 §3.1.6',
  }
}

function replyOf(task: Task, { dialect, declared, agent, secrets }: Reply): Reply {
  return toReply(task, { dialect, agent, secrets, ...(declared !== undefined && { declared }) })
}

function isUndeclared(error: unknown): boolean {
  return isA2AError(error) && error.code === 'NOT_DECLARED'
}

/** True for what ends a subscription, but does not keep the agent from being asked. */
function goesWithout(error: unknown): boolean {
  if (isReplyError(error)) return true
  return isA2AError(error) && ['NOT_DECLARED', 'UNREACHABLE', 'TIMEOUT', 'ABORTED'].includes(error.code)
}

function notSubscribed({ taskId }: Reply, error: Error): Finding {
  return {
    id: 'conversation/not-subscribable',
    level: 'warning',
    message: `task ${taskId} waits for authorization, but cannot be subscribed to: ${error.message}`,
    fix: 'Let clients that wait for an authorization subscribe to the task, as the card declares streaming.',
    source: 'A2A 1.0 §7.6.1',
  }
}
