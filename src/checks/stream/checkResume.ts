import type { A2AAgent } from '../../agent/types.ts'
import type { A2AStream, MessageInput } from '../../client/types.ts'
import { systemClock, type Clock } from '../../core/clock.ts'
import { isNoAnswer, isReplyError, type A2AReplyError } from '../../core/errors.ts'
import type { Budget } from '../../runners/types.ts'
import { createFold } from '../../protocol/fold.ts'
import { isActive, isTerminal, type Task } from '../../protocol/model.ts'
import type { Verdict } from '../../core/verdict.ts'
import { limits, sendOptions, type AskOptions } from '../reply/sendAndCheck.ts'
import { failing, verdictOn, type Facts } from '../checkResult.ts'
import { describeReply } from '../reply/describeReply.ts'
import { count } from '../phrases.ts'
import { createGap, type Gap } from './gap.ts'
import { lostBetween } from './taskDifference.ts'
import { closeMs, earlyFinding, merged, readStream, type ReadStream } from './readStream.ts'

/** Options of `toResumeStream()`. */
export type ResumeOptions = Omit<AskOptions, 'after'> & {
  /** After how many events the connection is cut. Default `'first-event'`, which is 1. */
  after?: 'first-event' | number
  /** Asks for streams even where the card does not declare them. Default false. */
  force?: boolean
}

const expected = 'a stream that can be cut and taken up again without a loss'
/** How often a task is looked up that is behind its own stream. */
const looks = 3

/**
 * Sends one message by the streaming method, cuts the connection, subscribes to the task, and compares what was seen with the task. A
 * task that ends before that leaves nothing to be said of the agent.
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
    const gap = begun.dialect === '1.0' ? undefined : createGap({ agent, clock, budget, cut, stream: again })
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

/** The task as it was when the connection was cut, or why that could not be done. */
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
  if (task === undefined) return unable(`${describeReply(reply)}, and so no task whose stream could be cut`)
  if (task.id === '') return unable('the task has no id by which it could be subscribed to')
  if (!stream.streamed) return unable('the agent answered with one JSON document, which cannot be cut')
  if (!isActive(task.status.state)) return tooLate(task, `after ${count(seen, 'event')}`)
  if (seen < events)
    return unable(
      `the stream ended after ${count(seen, 'event')}, before the ${events} after which it was to be cut`,
    )
  return task
}

interface Judged {
  agent: A2AAgent
  budget: Budget
  cut: Task
  again: A2AStream
  read: ReadStream
  /** Absent where a subscription has to begin with the task as it is. */
  gap: Gap | undefined
  seen: Task
}

async function judge({ agent, budget, cut, again, read, gap, seen }: Judged): Promise<Facts> {
  const only = read.rules.events === 1 && !isActive(seen.status.state)
  if (seen.status.state === 'canceled') return canceled(seen, cut)
  // 0.x gives the task that is over and closes: nothing was left to be resumed.
  if (only && isTerminal(seen.status.state)) return tooLate(seen, 'by the time of the subscription')

  const found = [...read.findings]
  if (read.early) found.unshift(await earlyFinding(read, again, agent, limits(budget)))
  // The first chunk may have come before the subscription.
  const client = again.findings.filter(({ id }) => !(gap?.open && id === 'wire/append-first'))
  const findings = merged(client, found)
  const excerpts = read.list.excerpts()
  const errors = found.filter(({ level }) => level === 'error')
  const [worst] = errors
  if (worst !== undefined) {
    const received =
      errors.length === 1
        ? worst.message
        : `a subscription of ${count(read.rules.events, 'event')} that breaks ${errors.length} rules`
    return { outcome: 'failed', received, findings, excerpts }
  }
  const unsettled = findings.find(({ id }) => id === 'wire/unsettled')
  if (unsettled !== undefined) return { outcome: 'failed', received: unsettled.message, findings, excerpts }

  const told = await lookUp(seen, agent, budget)
  const method = again.dialect === '1.0' ? 'GetTask' : 'tasks/get'
  const whole = (await gap?.bridge(seen, told)) ?? seen
  const lost = lostBetween(whole, told, method)
  if (lost !== undefined) return failing('stream/lost', lost, { findings, excerpts, fix: lostFix })
  const says =
    lostBetween(seen, told, method) === undefined
      ? `${method} says the same`
      : `${method} has that, and what came before the subscription`
  const received = `task ${cut.id}, cut while ${cut.status.state} and taken up again, ended ${seen.status.state} after ${count(read.rules.events, 'more event')}; ${says}`
  return { outcome: 'passed', received, findings }
}

const lostFix =
  'Begin a subscription with the task as it is now, and send every later event to it; store what is streamed before it is sent.'

/** The task as it is looked up; an agent may write down a moment later what it has streamed. */
async function lookUp(seen: Task, agent: A2AAgent, budget: Budget): Promise<Task> {
  let told = await agent.getTask(seen.id, limits(budget))
  for (let look = 1; look < looks && isActive(told.status.state); look++)
    told = await agent.getTask(seen.id, limits(budget))
  return told
}

/** True for the answers that agents give to a subscription to a task that is over. */
function mayBeOver(error: unknown): error is A2AReplyError {
  if (!isReplyError(error)) return false
  return error.status === 400 || error.finding === 'wire/stream-empty' || !isNoAnswer(error)
}

/** A subscription is refused rightly when the task is over, and only then. */
async function refused(error: A2AReplyError, cut: Task, agent: A2AAgent, budget: Budget): Promise<Facts> {
  let now: Task
  try {
    now = await agent.getTask(cut.id, limits(budget))
  } catch (lookUpError) {
    if (!isReplyError(lookUpError)) throw lookUpError
    return failing(
      'stream/resume-refused',
      `task ${cut.id} was ${cut.status.state} when its stream was cut, then: ${error.message}; a look-up: ${lookUpError.message}`,
      { fix: 'Keep a task, and its work, when the client that began it is gone.' },
    )
  }
  if (!isActive(now.status.state)) return overAlready(now, cut)
  return failing('stream/resume-refused', `task ${cut.id} is ${now.status.state}, but: ${error.message}`, {
    fix: 'Let clients subscribe to every task that is not over, whoever began it.',
  })
}

/** What to say of a task that settled before it could be subscribed to. */
function overAlready(now: Task, cut: Task): Facts {
  return now.status.state === 'canceled'
    ? canceled(now, cut)
    : tooLate(now, 'by the time of the subscription')
}

function canceled({ id }: Task, cut: Task): Facts {
  return failing(
    'stream/cut-cancels',
    `task ${id} was ${cut.status.state} when its stream was cut, and then it was canceled`,
    { fix: 'Let the work go on when a client goes: only cancel-task cancels it.' },
  )
}

function tooLate({ id, status }: Task, when: string): Facts {
  const how = isTerminal(status.state)
    ? status.state === 'completed'
      ? 'finished before it could be cut'
      : `finished before it could be cut (state ${status.state})`
    : `waits in state ${status.state} and so goes on no more`
  return unable(`task ${id} ${how}: ${when}`)
}

function unable(received: string): Facts {
  return {
    outcome: 'error',
    received,
    fix: 'Give a message whose task keeps the agent busy for longer, or a smaller `after`.',
  }
}
