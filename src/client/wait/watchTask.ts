import { timerSlackMs } from '../../core/deadline.ts'
import type { Clock } from '../../core/clock.ts'
import { isReplyError } from '../../core/errors.ts'
import type { Finding } from '../../core/finding.ts'
import { isActive, type StreamEvent, type Task } from '../../protocol/model.ts'
import type { A2AStream } from '../types.ts'
import type { Watched } from './waitForTask.ts'

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
 * How long the first event of a subscription may take before the task is fetched, in ms: before 1.0 that may be the next change, which
 * never comes where the last one was before the subscription.
 */
const firstEventMs = 250
/** How long the news that a look at the task has told may be on their way, in ms. */
const newsMs = 250

/**
 * Follows a task by its events. A subscription that fails, breaks off or is closed too early gives what was seen so far, for the wait
 * goes on by polling. Throws only what ends the whole wait.
 */
export async function watchTask(options: WatchOptions): Promise<Watched> {
  const { stream, signal } = options
  let snapshot = false
  let found: Found | undefined
  const stopLooking = lookAfter(options, (settled) => {
    found = settled
    stream.abort()
  })

  let reconcile = false
  try {
    for await (const event of stream) {
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
    stopLooking()
    stream.abort()
  }

  const seen = stream.soFar()
  const base = {
    events: stream.timings.events.length,
    progress: seen?.progress ?? [],
    findings: seen?.findings.filter(({ id }) => id !== 'wire/unsettled') ?? [],
  }
  if (found !== undefined) {
    const { task, untold } = found
    return {
      ...base,
      task,
      findings: untold ? [...base.findings, silence(stream, task)] : base.findings,
      reconcile: false,
    }
  }
  if (seen?.task === undefined) return { ...base, reconcile }
  return { ...base, task: seen.task, reconcile }
}

/** A task that a look found settled while its subscription said nothing. */
interface Found {
  task: Task
  /** True when it settled while it was subscribed to, so that the subscription should have told. */
  untold: boolean
}

/**
 * Looks at the task now and then while its subscription is silent. Tells once when the task has settled; nothing is told after the
 * function that comes back was called.
 */
function lookAfter({ clock, stream, probe }: WatchOptions, tell: (found: Found) => void): () => void {
  const { events } = stream.timings
  const start = clock.now()
  let stepMs = firstEventMs
  // Known to have been at work when it was subscribed to, so that what it does later is to be told.
  let followed = false
  let stopped = false
  let cancel = (): void => {}

  const after = (ms: number, then: () => void): void => {
    cancel()
    if (!stopped) cancel = clock.after(ms, then)
  }
  const silentMs = (): number => clock.now() - (events.at(-1) ?? start)
  const goOn = (): void => {
    if (followed || events.length > 0) {
      const leftMs = silenceMs - silentMs()
      return after(leftMs > 0 ? leftMs : silenceMs, look)
    }
    after(stepMs, look)
    stepMs = Math.min(stepMs * 2, silenceMs)
  }
  const look = (): void => {
    const heard = events.length
    if (heard > 0 && silentMs() < silenceMs) return goOn()
    // Some agents send the headers with the first event only.
    const openedAt = stream.timings.openedAt ?? start + silenceMs - firstEventMs
    const subscribed = clock.now() - openedAt >= firstEventMs - timerSlackMs
    void probe().then(
      (task) => {
        if (stopped) return
        if (events.length > heard) goOn()
        else if (isActive(task.status.state)) {
          followed ||= subscribed
          goOn()
        } else if (followed || heard > 0) {
          after(newsMs, () => (events.length > heard ? goOn() : tell({ task, untold: true })))
        } else tell({ task, untold: false })
      },
      // The subscription may go on well; whatever is amiss shows when polling takes over.
      goOn,
    )
  }

  goOn()
  void stream.open().then(
    () => after(firstEventMs, look),
    // Whoever reads the stream is told.
    () => {},
  )
  return () => {
    stopped = true
    cancel()
  }
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
    fix: 'Send every change of a task to all who subscribed to it.',
    source: 'A2A 0.3 §7.9, A2A 1.0 §3.1.6',
  }
}
