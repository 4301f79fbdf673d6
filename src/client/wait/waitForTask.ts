import { timerSlackMs, waitMarginMs } from '../../core/deadline.ts'
import type { Clock } from '../../core/clock.ts'
import { A2AReplyError, isA2AError, isReplyError } from '../../core/errors.ts'
import { addFindings, type Decoded, type Finding } from '../../core/finding.ts'
import { isActive, type Task } from '../../protocol/model.ts'
import { hasText, messageText } from '../reply.ts'

/** How the wait for a task went. */
export interface Waited {
  task: Task
  /** True when the task was still going on when the time was up. */
  unsettled: boolean
  polls: number
  ms: number
  /** Texts of the working statuses that were seen while waiting, oldest first. */
  progress: string[]
  findings: Finding[]
  /** How many events a subscription gave; absent when there was none. */
  events?: number
}

export interface WaitOptions {
  clock: Clock
  /** Longest wait in ms. */
  waitMs: number
  /** When the wait began, in ms since the epoch, where it did so before the first poll. Default: now. */
  since?: number
  /** Wall-clock limit in ms since the epoch, if anybody set one. */
  deadline?: number
  signal?: AbortSignal
  /** What get-task is called in the dialect that is spoken, for messages: `tasks/get`, `GetTask`. */
  method: string
  /**
   * Follows the task by its events until it settles or no more can be had that way; absent where the agent declares no streaming.
   * `probe` fetches the task, for a subscription that says nothing.
   */
  watch?(end: number, probe: () => Promise<Task>): Promise<Watched>
  /** Fetches the task once; `leftMs` is the time that is left. */
  get(leftMs: number): Promise<Decoded<Task>>
}

/** What following a task by its events came to. */
export interface Watched {
  /** As last seen; absent when no subscription was to be had. */
  task?: Task
  events: number
  progress: readonly string[]
  findings: readonly Finding[]
  /** True when the task may have changed unseen, so that it is fetched once more, and at once. */
  reconcile: boolean
}

const firstStepMs = 50
const longestStepMs = 1000
// A store that several workers share may lag behind the answer; see `lookup` below.
const lookupRetriesMs = [200, 400, 800]
const lookupGraceMs = 2000
// The first look at a task may take so long even when `waitMs` leaves less: without one there is nothing to tell.
const firstLookMs = 1000

/**
 * Waits until a task settles: until it is interrupted, terminal or in a state from which nothing more can be expected. Follows its
 * events where that can be done, and polls where it cannot; steps grow from 50 ms to 1 s. Goes on past `waitMs` only for a
 * first look at the task, of at most 1 s, and never past the deadline: then the task comes back as last seen.
 * Throws A2AReplyError `RPC_ERROR` when the agent does not know the task that it just returned.
 */
export async function waitForTask(first: Task, options: WaitOptions): Promise<Waited> {
  const { clock } = options
  const start = options.since ?? clock.now()
  const latest = (options.deadline ?? Infinity) - waitMarginMs
  const end = Math.min(start + options.waitMs, latest)
  const seen = { task: first, polls: 0, progress: [] as string[], findings: [] as Finding[] }
  const lookup = createLookup(first, clock.now(), options)
  // The event stream that answered has told of the task all the time.
  const followed = clock.now() > start && clock.now() >= end
  let looked = false
  const isFirstLook = (): boolean => !looked && seen.polls === 0
  const mayLook = (): boolean => {
    const now = clock.now()
    return isFirstLook() && !followed ? now < latest : now < end - timerSlackMs
  }
  noteProgress(seen.progress, first)

  const poll = async (isStale = (): boolean => false): Promise<Task> => {
    const now = clock.now()
    const until = isFirstLook() ? Math.min(Math.max(end, now + firstLookMs), latest) : end
    seen.polls += 1
    const { value, findings } = await options.get(until - now)
    if (isStale()) return value
    looked = true
    lookup.found()
    seen.task = value
    addFindings(seen.findings, findings)
    noteProgress(seen.progress, value)
    return value
  }

  let stepMs = firstStepMs
  let pauseMs: number | undefined
  let reconcile = false
  let events: number | undefined
  if (options.watch && isActive(first.status.state) && clock.now() < end) {
    let watching = true
    const watched = await options.watch(end, () => poll(() => !watching))
    watching = false
    if (watched.task !== undefined) {
      seen.task = watched.task
      events = watched.events
      looked ||= events > 0
      for (const text of watched.progress) if (!seen.progress.includes(text)) seen.progress.push(text)
      addFindings(seen.findings, watched.findings)
    }
    reconcile = watched.reconcile
    if (reconcile) pauseMs = 0
  }
  while (reconcile || isActive(seen.task.status.state)) {
    if (!mayLook()) break
    const leftMs = Math.max(0, end - clock.now())
    if (pauseMs !== 0 && leftMs > 0) await clock.sleep(Math.min(pauseMs ?? stepMs, leftMs), options.signal)
    if (!mayLook()) break
    if (pauseMs === undefined) stepMs = Math.min(stepMs * 2, longestStepMs)
    pauseMs = undefined
    const settled = !isActive(seen.task.status.state)
    reconcile = false
    try {
      await poll()
    } catch (error) {
      // The events have told the outcome; that the agent cannot be asked again takes nothing away.
      if (settled) break
      // The last request was cut short by our own limit: that says nothing about the agent but that it is not done.
      if (isOurTimeUp(error) && clock.now() >= end - timerSlackMs && !options.signal?.aborted) break
      pauseMs = lookup.missed(error)
    }
  }

  const ms = clock.now() - start
  addFindings(seen.findings, lookup.findings())
  const isUnsettled = isActive(seen.task.status.state)
  if (isUnsettled) {
    const { task, polls } = seen
    const isCutShort = latest < start + options.waitMs
    const finding = looked
      ? wentOn(first, task, ms, polls, events)
      : unseen(task, ms, polls, { followed, isCutShort })
    seen.findings.push(finding)
  }
  return { ...seen, unsettled: isUnsettled, ms, ...(events !== undefined && { events }) }
}

/** Bears with an agent that does not find its own task at once, and keeps count of it. */
function createLookup(
  first: Task,
  start: number,
  { clock, method }: WaitOptions,
): { found(): void; missed(error: unknown): number; findings(): Finding[] } {
  let hits = 0
  let misses = 0
  let missesInRow = 0
  let missedAfterHit = false
  let said = '(-32001)'

  return {
    found() {
      hits += 1
      missesInRow = 0
    },
    missed(error) {
      const notFound = notFoundAs(error)
      if (notFound === undefined) throw error
      said = notFound
      misses += 1
      missesInRow += 1
      if (hits > 0) missedAfterHit = true
      const pauseMs = lookupRetriesMs[missesInRow - 1]
      const early = clock.now() - start < lookupGraceMs
      if (pauseMs === undefined || !(early || hits > 0)) {
        throw new A2AReplyError(
          'RPC_ERROR',
          `the agent returned task ${first.id} (${first.status.state}), but ${method} says not found ${said}, ` +
            `${missesInRow} ${missesInRow === 1 ? 'try' : 'tries'}`,
          {
            rpcCode: -32001,
            finding: 'wire/task-lookup',
            fix: 'Store a task before returning it, and share the task store between workers.',
            cause: error,
          },
        )
      }
      return pauseMs
    },
    findings() {
      if (misses === 0) return []
      const calls = `${misses} of ${hits + misses} calls of ${method} said not found ${said}`
      return [
        {
          id: 'wire/task-lookup',
          level: 'warning',
          message: missedAfterHit
            ? `looking up task ${first.id} is intermittent: ${calls}`
            : `task ${first.id} was not found at once: ${calls}`,
          fix: 'Store a task before returning it, and share the task store between workers.',
          source: 'A2A 0.3 §7.3, A2A 1.0 §3.1.3',
        },
      ]
    },
  }
}

function notFoundAs(error: unknown): string | undefined {
  if (!isReplyError(error)) return undefined
  if (error.rpcCode === -32001) return '(-32001)'
  return error.rpcCode === undefined && error.status === 404 ? '(HTTP 404)' : undefined
}

function isOurTimeUp(error: unknown): boolean {
  return isA2AError(error) && (error.code === 'TIMEOUT' || error.code === 'DEADLINE')
}

/** What to say of a task that was seen again, and was not done. */
function wentOn(first: Task, last: Task, ms: number, polls: number, events: number | undefined): Finding {
  const { state, timestamp } = last.status
  // A stuck task looks as it did at first; a slow one says something new now and then.
  const stuck =
    JSON.stringify([first.status, first.artifacts]) === JSON.stringify([last.status, last.artifacts])
  const since =
    timestamp === undefined ? 'nothing of it changed meanwhile' : `status unchanged since ${timestamp}`
  return unsettled(
    `task ${last.id} still ${state} after ${ms} ms and ${count(polls, 'poll')}` +
      (events === undefined ? '' : ` and ${count(events, 'event')}`) +
      (stuck ? `; ${since}` : '; it did change meanwhile'),
    stuck
      ? 'The task looks stuck: let it reach a terminal state, or raise waitMs when it needs longer.'
      : 'The task moves on: raise waitMs when it needs longer.',
  )
}

/** What to say of a task that was not seen again: nothing of what became of it. */
function unseen(
  { id, status }: Task,
  ms: number,
  polls: number,
  { followed, isCutShort }: { followed: boolean; isCutShort: boolean },
): Finding {
  if (followed) {
    return unsettled(
      `task ${id} still ${status.state} after ${ms} ms of the event stream that answered`,
      'Let the task reach a terminal state, or raise waitMs when it needs longer.',
    )
  }
  const why =
    polls === 0
      ? `${ms} ms left no time to look at it again`
      : `${count(polls, 'poll')} in ${ms} ms told no more of it`
  const limit = isCutShort ? "the test's time limit, or deadlineMs," : 'waitMs'
  return unsettled(
    `task ${id} was ${status.state} when the agent returned it; ${why}`,
    `Raise ${limit} so that the task can be looked at until it is done.`,
  )
}

function unsettled(message: string, fix: string): Finding {
  return { id: 'wire/unsettled', level: 'error', path: 'status.state', message, fix }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function noteProgress(progress: string[], task: Task): void {
  if (task.status.state !== 'working') return
  const text = messageText(task.status.message)
  if (hasText(text) && progress.at(-1) !== text) progress.push(text)
}
