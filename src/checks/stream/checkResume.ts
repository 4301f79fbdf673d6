import type { A2AAgent } from '../../agent/types.ts'
import type { A2AStream, MessageInput } from '../../client/types.ts'
import { systemClock, type Clock } from '../../core/clock.ts'
import { isNoAnswer, isReplyError, type A2AReplyError } from '../../core/errors.ts'
import type { Budget } from '../types.ts'
import { createFold } from '../../protocol/fold.ts'
import { isActive, isTerminal, type Task } from '../../protocol/model.ts'
import { operationName, profileOf } from '../../protocol/versions/profiles.ts'
import type { Verdict } from '../verdict.ts'
import { limits, sendOptions, type AskOptions } from '../reply/sendAndCheck.ts'
import { failing, verdictOn, type Facts } from '../checkResult.ts'
import { describeReply } from '../reply/describeReply.ts'
import { count } from '../phrases.ts'
import { createGap, type Gap } from './gap.ts'
import { lostBetween } from './taskDifference.ts'
import { closeMs, earlyFinding, merged, readStream, type ReadStream } from './readStream.ts'

/** Options of `toResumeStream()`. */
export type ResumeOptions = Omit<AskOptions, 'after'> & {
  /** Disconnect after this many events. Default `'first-event'`, which is 1. */
  after?: 'first-event' | number
  /** Stream even if the card does not declare it. Default false. */
  force?: boolean
}

const expected = 'a stream that can be interrupted and resumed without losing events'
/** How often a task that is behind its own stream is fetched. */
const looks = 3

/**
 * Sends one message by the streaming method, disconnects, subscribes to the task, and compares all events with the task. The check
 * cannot be made if the task ends before that.
 */
export async function checkResume(
  agent: A2AAgent,
  [message, options = {}]: readonly [message: MessageInput, options?: ResumeOptions],
  budget: Budget,
  clock: Clock = systemClock,
): Promise<Verdict> {
  const { after = 'first-event', force, ...ask } = options
  const asked = {
    ...sendOptions(ask, budget),
    closeMs,
    ...(force !== undefined && { force }),
  }
  return verdictOn({ kind: 'agent', agent }, expected, async () => {
    const fold = createFold()
    const begun = agent.stream(message, asked)
    const cut = await cutAfter(begun, after === 'first-event' ? 1 : after, fold)
    if ('outcome' in cut) return cut

    const { waitMs, signal } = asked
    const again = agent.subscribe(cut.id, {
      closeMs,
      ...(force !== undefined && { force }),
      ...(waitMs !== undefined && { waitMs }),
      ...(signal && { signal }),
    })
    const startsWithTask = profileOf(begun.dialect ?? '0.3').tasks.streamsStartWithTask
    const gap = startsWithTask ? undefined : createGap({ agent, clock, budget, cut, stream: again })
    try {
      const resumed = {
        taskId: cut.id,
        state: cut.status.state,
        ...(cut.contextId !== undefined && { contextId: cut.contextId }),
      }
      const read = await readStream(again, { resumed }, (event) => {
        fold.add(event)
        gap?.add(event)
      })
      const facts = gap?.missed
        ? overAlready(gap.missed, cut)
        : await judge({ agent, budget, cut, again, read, gap, seen: fold.reply() as Task })
      return { ...facts, findings: merged(begun.findings, facts.findings ?? []) }
    } catch (error) {
      if (gap?.missed) return overAlready(gap.missed, cut)
      if (!mayBeOver(error)) throw error
      return await refused(error, cut, agent, budget)
    } finally {
      gap?.stop()
      await again[Symbol.asyncDispose]()
    }
  })
}

/** The task at the moment of the disconnection, or why the stream could not be interrupted. */
async function cutAfter(
  stream: A2AStream,
  events: number,
  fold: ReturnType<typeof createFold>,
): Promise<Task | Facts> {
  let seen = 0
  try {
    for await (const event of stream) {
      fold.add(event)
      seen += 1
      if (fold.ended || seen >= events) break
    }
  } finally {
    await stream[Symbol.asyncDispose]()
  }
  const reply = stream.soFar()
  if (reply === undefined) return unable('the stream ended before its first event')
  const { task } = reply
  if (task === undefined)
    return unable(`${describeReply(reply)}, so there is no task whose stream could be interrupted`)
  if (task.id === '') return unable('the task has no id, so it cannot be subscribed to')
  if (!stream.streamed) return unable('the agent answered with one JSON document, not a stream')
  if (!isActive(task.status.state)) return tooLate(task, `after ${count(seen, 'event')}`)
  if (seen < events)
    return unable(
      `the stream ended after ${count(seen, 'event')}, before the ${events} events after which it should be interrupted`,
    )
  return task
}

interface Judged {
  agent: A2AAgent
  budget: Budget
  cut: Task
  again: A2AStream
  read: ReadStream
  /** Absent if a subscription must start with the current task. */
  gap: Gap | undefined
  seen: Task
}

async function judge({ agent, budget, cut, again, read, gap, seen }: Judged): Promise<Facts> {
  const only = read.rules.events === 1 && !isActive(seen.status.state)
  if (seen.status.state === 'canceled') return canceled(seen, cut)
  // 0.x returns the finished task and closes the stream: there was nothing left to resume.
  if (only && isTerminal(seen.status.state)) return tooLate(seen, 'when the subscription was opened')

  const found = [...read.findings]
  if (read.early) found.unshift(await earlyFinding(read, again, agent, limits(budget)))
  // The first chunk may have been sent before the subscription.
  const client = again.findings.filter(({ id }) => !(gap?.open && id === 'wire/append-first'))
  const findings = merged(client, found)
  const excerpts = read.list.excerpts()
  const errors = found.filter(({ level }) => level === 'error')
  const [worst] = errors
  if (worst !== undefined) {
    const received =
      errors.length === 1
        ? worst.message
        : `a subscription with ${count(read.rules.events, 'event')} that breaks ${errors.length} rules`
    return { outcome: 'failed', received, findings, excerpts }
  }
  const unsettled = findings.find(({ id }) => id === 'wire/unsettled')
  if (unsettled !== undefined) return { outcome: 'failed', received: unsettled.message, findings, excerpts }

  const told = await lookUp(seen, agent, budget)
  const method = operationName('getTask', { dialect: again.dialect ?? '0.3' })
  const whole = (await gap?.bridge(seen, told)) ?? seen
  const lost = lostBetween(whole, told, method)
  if (lost !== undefined) return failing('stream/lost', lost, { findings, excerpts, fix: lostFix })
  const says =
    lostBetween(seen, told, method) === undefined
      ? `${method} returns the same`
      : `${method} has those events, and the ones before the subscription`
  const received = `task ${cut.id}, interrupted while ${cut.status.state} and resumed, ended in state ${seen.status.state} after ${count(read.rules.events, 'more event')}; ${says}`
  return { outcome: 'passed', received, findings }
}

const lostFix =
  'Start a subscription with the current task, then send every later event; store what you stream before sending it.'

/** Fetches the task; an agent may store what it streamed a moment later. */
async function lookUp(seen: Task, agent: A2AAgent, budget: Budget): Promise<Task> {
  let told = await agent.getTask(seen.id, limits(budget))
  for (let look = 1; look < looks && isActive(told.status.state); look++)
    told = await agent.getTask(seen.id, limits(budget))
  return told
}

/** True for the errors with which agents refuse a subscription to a finished task. */
function mayBeOver(error: unknown): error is A2AReplyError {
  if (!isReplyError(error)) return false
  return error.status === 400 || error.finding === 'wire/stream-empty' || !isNoAnswer(error)
}

/** Refusing a subscription is right only if the task is finished. */
async function refused(error: A2AReplyError, cut: Task, agent: A2AAgent, budget: Budget): Promise<Facts> {
  let now: Task
  try {
    now = await agent.getTask(cut.id, limits(budget))
  } catch (lookUpError) {
    if (!isReplyError(lookUpError)) throw lookUpError
    return failing(
      'stream/resume-refused',
      `task ${cut.id} was ${cut.status.state} when its stream was interrupted, then: ${error.message}; GetTask: ${lookUpError.message}`,
      { fix: 'Keep a task and its work when the client that started it disconnects.' },
    )
  }
  if (!isActive(now.status.state)) return overAlready(now, cut)
  return failing('stream/resume-refused', `task ${cut.id} is ${now.status.state}, but: ${error.message}`, {
    fix: 'Let clients subscribe to every task that is not finished, no matter which client started it.',
  })
}

/** The result for a task that settled before the subscription. */
function overAlready(now: Task, cut: Task): Facts {
  return now.status.state === 'canceled'
    ? canceled(now, cut)
    : tooLate(now, 'when the subscription was opened')
}

function canceled({ id }: Task, cut: Task): Facts {
  return failing(
    'stream/cut-cancels',
    `task ${id} was ${cut.status.state} when its stream was interrupted, and was then canceled`,
    { fix: 'Keep working when a client disconnects; only CancelTask (tasks/cancel) cancels a task.' },
  )
}

function tooLate({ id, status }: Task, when: string): Facts {
  const { state } = status
  if (!isTerminal(state))
    return unable(`task ${id} is waiting in state ${state} ${when}, so there is nothing to resume`)
  return unable(`task ${id} had already finished${state === 'completed' ? '' : ` (state ${state})`} ${when}`)
}

function unable(received: string): Facts {
  return {
    outcome: 'error',
    received,
    fix: 'Pass a message whose task takes longer, or a smaller `after`.',
  }
}
