import type { Clock } from '../clock.ts'
import { isReplyError } from '../errors.ts'
import type { Finding } from '../finding.ts'
import { isActive, type StreamEvent, type Task } from '../protocol/model.ts'
import type { A2AStream } from './types.ts'
import type { Watched } from './wait.ts'

export interface WatchOptions {
  clock: Clock
  /** A subscription to it that ends with the wait. */
  stream: A2AStream
  /** Fetches the task, to see whether the subscription keeps something back. */
  probe(): Promise<Task>
  /** Told that the agent knows no subscriptions at all. */
  onMissing(): void
  signal?: AbortSignal | undefined
}

/** How long a subscription may be silent before the task is fetched all the same, in ms. */
const silenceMs = 5000

/**
 * Follows a task by its events. A subscription that fails, breaks off or is closed too early gives what was seen so far, for the wait
 * goes on by polling. Throws only what ends the whole wait.
 */
export async function watchTask(options: WatchOptions): Promise<Watched> {
  const { clock, stream, signal } = options
  let snapshot = false
  let told: Task | undefined
  let heardAt = clock.now()
  let stopped = false

  /** Looks after a silent subscription now and then: an agent may forget to tell that a task is done. */
  const lookAfter = (): (() => void) =>
    clock.after(silenceMs, () => {
      if (stopped) return
      if (clock.now() - heardAt < silenceMs) {
        cancel = lookAfter()
        return
      }
      void options.probe().then(
        (task) => {
          if (stopped) return
          if (isActive(task.status.state)) cancel = lookAfter()
          else {
            told = task
            stream.abort()
          }
        },
        // The subscription may go on well; whatever is amiss shows when polling takes over.
        () => {
          if (!stopped) cancel = lookAfter()
        },
      )
    })
  let cancel = lookAfter()

  let reconcile = false
  try {
    for await (const event of stream) {
      heardAt = clock.now()
      if (event.type === 'task') snapshot = true
      const state = stateOf(event)
      if (state !== undefined && !isActive(state)) break
    }
    // Closed in the midst of the task, or without what happened before the subscription.
    reconcile = stream.ended === 'closed' || !snapshot
  } catch (error) {
    if (signal?.aborted) throw error
    if (isMissing(error)) options.onMissing()
    // A task that is over cannot be subscribed to, so it is looked at without delay.
    else reconcile = isReplyError(error)
  } finally {
    stopped = true
    cancel()
    stream.abort()
  }

  const seen = stream.soFar()
  const base = {
    events: stream.timings.events.length,
    progress: seen?.progress ?? [],
    findings: seen?.findings.filter(({ id }) => id !== 'wire/unsettled') ?? [],
  }
  if (told !== undefined)
    return { ...base, task: told, findings: [...base.findings, silence(stream, told)], reconcile: false }
  if (seen?.task === undefined) return { ...base, reconcile }
  return { ...base, task: seen.task, reconcile }
}

/** True when the agent knows no subscriptions, whatever the task. */
function isMissing(error: unknown): boolean {
  if (!isReplyError(error)) return false
  if (error.rpcCode !== undefined) return error.rpcCode === -32601
  return error.status === 404 || error.status === 405 || error.status === 501 || error.code === 'NOT_JSON'
}

function stateOf(event: StreamEvent): Task['status']['state'] | undefined {
  if (event.type === 'task') return event.task.status.state
  return event.type === 'status' ? event.status.state : undefined
}

function silence({ method = 'the subscription' }: A2AStream, task: Task): Finding {
  return {
    id: 'wire/silent-subscription',
    level: 'warning',
    message: `${method} did not tell within ${silenceMs} ms that task ${task.id} is ${task.status.state}`,
    mend: 'Send every change of a task to all who subscribed to it.',
    source: 'A2A 0.3 §7.9, A2A 1.0 §3.1.6',
  }
}
