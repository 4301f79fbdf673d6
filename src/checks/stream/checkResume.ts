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
import { failing, verdictOn, type CheckResult } from '../checkResult.ts'
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
const maxPolls = 3

/**
 * Sends one message by the streaming method, disconnects, subscribes to the task, and compares all events with the task. The check
 * cannot be made if the task ends before that.
 */
export async function checkResume(
  agent: A2AAgent,
  [message, options = {}]: readonly [message: MessageInput, options?: ResumeOptions | undefined],
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
    const firstStream = agent.stream(message, asked)
    const interrupted = await interruptAfter(firstStream, after === 'first-event' ? 1 : after, fold)
    if ('outcome' in interrupted) return interrupted

    const { waitMs, signal } = asked
    const resumedStream = agent.subscribe(interrupted.id, {
      closeMs,
      ...(force !== undefined && { force }),
      ...(waitMs !== undefined && { waitMs }),
      ...(signal && { signal }),
    })
    const startsWithTask = profileOf(firstStream.dialect ?? '0.3').tasks.streamsStartWithTask
    const gap = startsWithTask
      ? undefined
      : createGap({ agent, clock, budget, interrupted, stream: resumedStream })
    try {
      const resumed = {
        taskId: interrupted.id,
        state: interrupted.status.state,
        ...(interrupted.contextId !== undefined && { contextId: interrupted.contextId }),
      }
      const read = await readStream(resumedStream, { resumed }, (event) => {
        fold.add(event)
        gap?.add(event)
      })
      const result = gap?.missed
        ? overAlready(gap.missed, interrupted)
        : await judge({ agent, budget, interrupted, resumedStream, read, gap, seen: fold.reply() as Task })
      return { ...result, findings: merged(firstStream.findings, result.findings ?? []) }
    } catch (error) {
      if (gap?.missed) return overAlready(gap.missed, interrupted)
      if (!mayBeOver(error)) throw error
      return await refused(error, interrupted, agent, budget)
    } finally {
      gap?.stop()
      await resumedStream[Symbol.asyncDispose]()
    }
  })
}

/** The task at the moment of the disconnection, or why the stream could not be interrupted. */
async function interruptAfter(
  stream: A2AStream,
  events: number,
  fold: ReturnType<typeof createFold>,
): Promise<Task | CheckResult> {
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
  if (reply === undefined) return cannotCheck('the stream ended before its first event')
  const { task } = reply
  if (task === undefined)
    return cannotCheck(`${describeReply(reply)}, so there is no task whose stream could be interrupted`)
  if (task.id === '') return cannotCheck('the task has no id, so it cannot be subscribed to')
  if (!stream.streamed) return cannotCheck('the agent answered with one JSON document, not a stream')
  if (!isActive(task.status.state)) return alreadyFinished(task, `after ${count(seen, 'event')}`)
  if (seen < events)
    return cannotCheck(
      `the stream ended after ${count(seen, 'event')}, before the ${events} events after which it should be interrupted`,
    )
  return task
}

interface Judged {
  agent: A2AAgent
  budget: Budget
  interrupted: Task
  resumedStream: A2AStream
  read: ReadStream
  /** Absent if a subscription must start with the current task. */
  gap: Gap | undefined
  seen: Task
}

async function judge({
  agent,
  budget,
  interrupted,
  resumedStream,
  read,
  gap,
  seen,
}: Judged): Promise<CheckResult> {
  const only = read.rules.events === 1 && !isActive(seen.status.state)
  if (seen.status.state === 'canceled') return canceled(seen, interrupted)
  // 0.x returns the finished task and closes the stream: there was nothing left to resume.
  if (only && isTerminal(seen.status.state)) return alreadyFinished(seen, 'when the subscription was opened')

  const found = [...read.findings]
  if (read.early) found.unshift(await earlyFinding(read, resumedStream, agent, limits(budget)))
  // The first chunk may have been sent before the subscription.
  const client = resumedStream.findings.filter(({ id }) => !(gap?.open && id === 'wire/append-first'))
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

  const fetched = await lookUp(seen, agent, budget)
  const method = operationName('getTask', { dialect: resumedStream.dialect ?? '0.3' })
  const whole = (await gap?.bridge(seen, fetched)) ?? seen
  const lost = lostBetween(whole, fetched, method)
  if (lost !== undefined) return failing('stream/lost', lost, { findings, excerpts, fix: lostFix })
  const says =
    lostBetween(seen, fetched, method) === undefined
      ? `${method} returns the same`
      : `${method} has those events, and the ones before the subscription`
  const received = `task ${interrupted.id}, interrupted while ${interrupted.status.state} and resumed, ended in state ${seen.status.state} after ${count(read.rules.events, 'more event')}; ${says}`
  return { outcome: 'passed', received, findings }
}

const lostFix =
  'Start a subscription with the current task, then send every later event; store what you stream before sending it.'

/** Fetches the task; an agent may store what it streamed a moment later. */
async function lookUp(seen: Task, agent: A2AAgent, budget: Budget): Promise<Task> {
  let fetched = await agent.getTask(seen.id, limits(budget))
  for (let poll = 1; poll < maxPolls && isActive(fetched.status.state); poll++)
    fetched = await agent.getTask(seen.id, limits(budget))
  return fetched
}

/** True for the errors with which agents refuse a subscription to a finished task. */
function mayBeOver(error: unknown): error is A2AReplyError {
  if (!isReplyError(error)) return false
  return error.status === 400 || error.finding === 'wire/stream-empty' || !isNoAnswer(error)
}

/** Refusing a subscription is right only if the task is finished. */
async function refused(
  error: A2AReplyError,
  interrupted: Task,
  agent: A2AAgent,
  budget: Budget,
): Promise<CheckResult> {
  let now: Task
  try {
    now = await agent.getTask(interrupted.id, limits(budget))
  } catch (lookUpError) {
    if (!isReplyError(lookUpError)) throw lookUpError
    return failing(
      'stream/resume-refused',
      `task ${interrupted.id} was ${interrupted.status.state} when its stream was interrupted, then: ${error.message}; GetTask: ${lookUpError.message}`,
      { fix: 'Keep a task and its work when the client that started it disconnects.' },
    )
  }
  if (!isActive(now.status.state)) return overAlready(now, interrupted)
  return failing(
    'stream/resume-refused',
    `task ${interrupted.id} is ${now.status.state}, but: ${error.message}`,
    {
      fix: 'Let clients subscribe to every task that is not finished, no matter which client started it.',
    },
  )
}

/** The result for a task that settled before the subscription. */
function overAlready(now: Task, interrupted: Task): CheckResult {
  return now.status.state === 'canceled'
    ? canceled(now, interrupted)
    : alreadyFinished(now, 'when the subscription was opened')
}

function canceled({ id }: Task, interrupted: Task): CheckResult {
  return failing(
    'stream/cut-cancels',
    `task ${id} was ${interrupted.status.state} when its stream was interrupted, and was then canceled`,
    { fix: 'Keep working when a client disconnects; only CancelTask (tasks/cancel) cancels a task.' },
  )
}

function alreadyFinished({ id, status }: Task, when: string): CheckResult {
  const { state } = status
  if (!isTerminal(state))
    return cannotCheck(`task ${id} is waiting in state ${state} ${when}, so there is nothing to resume`)
  return cannotCheck(
    `task ${id} had already finished${state === 'completed' ? '' : ` (state ${state})`} ${when}`,
  )
}

function cannotCheck(received: string): CheckResult {
  return {
    outcome: 'error',
    received,
    fix: 'Pass a message whose task takes longer, or a smaller `after`.',
  }
}
