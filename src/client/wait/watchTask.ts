import { finding } from '../../findings/finding.ts'
import type { Clock } from '../../core/clock.ts'
import { isReplyError } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import { isActive, type StreamEvent, type Task, type TaskState } from '../../protocol/model.ts'
import type { A2AStream } from '../types.ts'
import { SilentSubscription, type Settled } from './silence.ts'
import { silenceMs } from './timing.ts'

export interface WatchOptions {
  clock: Clock
  /** A subscription to the task that ends with the wait. */
  stream: A2AStream
  /** Fetches the task, to see whether the subscription misses something. */
  poll(): Promise<Task>
  /** Called if the agent knows no subscriptions at all. */
  onMissing?: (() => void) | undefined
  signal?: AbortSignal | undefined
  /** Whether a state is worth waiting in. Default: the active ones. */
  isPending?: ((state: TaskState) => boolean) | undefined
  /** True if the task is known to be pending when it is subscribed to. Default false. */
  knownPending?: boolean
}

/** What following a task by its events gave. */
export interface Watched {
  /** As last seen; absent if there was no subscription. */
  task?: Task
  events: number
  progress: readonly string[]
  findings: readonly Finding[]
  /** True if the task may have changed unseen, so that it must be polled at once. */
  mustPoll: boolean
  /** What broke the subscription. */
  error?: unknown
}

/**
 * Follows a task by its events. A subscription that fails, breaks off or is closed too early gives what was seen so far, because the
 * wait continues by polling. Throws only what ends the whole wait.
 */
export async function watchTask(options: WatchOptions): Promise<Watched> {
  const { stream, signal, isPending = isActive } = options
  let snapshot = false
  let settled: Settled | undefined
  let broken: { error: unknown } | undefined
  let mustPoll = false
  const silence = new SilentSubscription({
    ...options,
    onSettled(found) {
      settled = found
      stream.abort()
    },
  })
  try {
    for await (const event of stream) {
      if (event.type === 'task') snapshot = true
      const state = stateOf(event)
      if (state !== undefined && !isPending(state)) break
    }
    // Closed midway through the task, or without what happened before the subscription.
    mustPoll = stream.ended === 'closed' || !snapshot
  } catch (error) {
    if (signal?.aborted) throw error
    broken = { error }
    if (isMissing(error)) options.onMissing?.()
    // A task that is over cannot be subscribed to, so it is polled without delay.
    else mustPoll = isReplyError(error)
  } finally {
    silence.stop()
    stream.abort()
  }
  return { ...resultOf(stream, settled, mustPoll), ...broken }
}

function resultOf(stream: A2AStream, settled: Settled | undefined, mustPoll: boolean): Watched {
  const seen = stream.soFar()
  const events = stream.timings.events.length
  const progress = seen?.progress ?? []
  // The wait reports this itself.
  const findings = seen?.findings.filter(({ id }) => id !== 'wire/unsettled') ?? []
  if (settled !== undefined) {
    const { task, unreported } = settled
    if (unreported) findings.push(silentFinding(stream, task))
    return { task, events, progress, findings, mustPoll: false }
  }
  return { ...(seen?.task && { task: seen.task }), events, progress, findings, mustPoll }
}

/** True if the agent knows no subscriptions, whatever the task. */
function isMissing(error: unknown): boolean {
  if (!isReplyError(error)) return false
  if (error.rpcCode !== undefined) return error.rpcCode === -32601
  return error.status === 404 || error.status === 405 || error.status === 501 || error.code === 'NOT_JSON'
}

function stateOf(event: StreamEvent): TaskState | undefined {
  if (event.type === 'task') return event.task.status.state
  return event.type === 'status' ? event.status.state : undefined
}

function silentFinding({ method = 'the subscription' }: A2AStream, { id, status }: Task): Finding {
  return finding(
    'wire/silent-subscription',
    `${method} did not report within ${silenceMs} ms that task ${id} is ${status.state}`,
  )
}
