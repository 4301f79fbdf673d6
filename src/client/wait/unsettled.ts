import { finding } from '../../findings/finding.ts'
import type { Finding } from '../../findings/types.ts'
import type { Task } from '../../protocol/model.ts'

/** How the wait for a task that did not settle went. */
export interface UnsettledWait {
  first: Task
  last: Task
  ms: number
  polls: number
  /** How many events a subscription gave; undefined if there was none. */
  events: number | undefined
  /** True if the task was seen again after it was first returned. */
  seenAgain: boolean
  /** True if the event stream that answered was read for the whole wait. */
  followed: boolean
  /** True if the deadline ended the wait, not `waitMs`. */
  byDeadline: boolean
}

const slowFix = 'Make the task reach a terminal state, or raise `waitMs` if it needs longer.'

/** The finding for a task that is still active when the wait ends. */
export function unsettledFinding(wait: UnsettledWait): Finding {
  if (wait.seenAgain) return stillActive(wait)
  const { last, ms, polls } = wait
  const { id, status } = last
  if (wait.followed) {
    return unsettled(
      `task ${id} still ${status.state} after ${ms} ms of the event stream that answered`,
      slowFix,
    )
  }
  const why =
    polls === 0
      ? `${ms} ms left no time to poll it again`
      : `${count(polls, 'poll')} in ${ms} ms gave no answer`
  const limit = wait.byDeadline ? "the test's time limit, or deadlineMs," : 'waitMs'
  return unsettled(
    `task ${id} was ${status.state} when the agent returned it; ${why}`,
    `Raise ${limit} so that the task can be polled until it is done.`,
  )
}

/** The finding for a task that is still active when its stream is ended. */
export function unsettledStream({ id, status }: Task, ms: number, events: number): Finding {
  return unsettled(`task ${id} still ${status.state} after ${ms} ms and ${count(events, 'event')}`, slowFix)
}

function stillActive({ first, last, ms, polls, events }: UnsettledWait): Finding {
  const { state, timestamp } = last.status
  // A stuck task looks as it did at first; a slow one reports something new now and then.
  const stuck =
    JSON.stringify([first.status, first.artifacts]) === JSON.stringify([last.status, last.artifacts])
  const since = timestamp === undefined ? 'nothing about it changed' : `status unchanged since ${timestamp}`
  return unsettled(
    `task ${last.id} still ${state} after ${ms} ms and ${count(polls, 'poll')}` +
      (events === undefined ? '' : ` and ${count(events, 'event')}`) +
      (stuck ? `; ${since}` : '; it did change in that time'),
    stuck
      ? 'The task looks stuck: let it reach a terminal state, or raise waitMs when it needs longer.'
      : 'The task makes progress: raise waitMs when it needs longer.',
  )
}

function unsettled(message: string, fix: string): Finding {
  return finding('wire/unsettled', message, { path: 'status.state', fix })
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
