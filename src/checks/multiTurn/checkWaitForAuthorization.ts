import { finding } from '../../findings/finding.ts'
import { orAborted, settlesWithin } from '../../core/abort.ts'
import { authorizationMarginMs } from '../../core/deadline.ts'
import type { A2AAgent } from '../../agent/types.ts'
import type { MessageInput, Reply } from '../../client/types.ts'
import { systemClock, type Clock } from '../../core/clock.ts'
import type { Finding } from '../../findings/types.ts'
import type { Budget } from '../types.ts'
import type { SendConfiguration } from '../../protocol/codec.ts'
import type { Part, Task } from '../../protocol/model.ts'
import { profileOf } from '../../protocol/versions/profiles.ts'
import type { Verdict } from '../verdict.ts'
import { failing, type CheckResult } from '../checkResult.ts'
import type { AuthorizedState } from '../options.ts'
import { describeReply } from '../reply/describeReply.ts'
import type { Expected } from '../reply/expectedValue.ts'
import { noAnswer } from '../reply/replyFailures.ts'
import { expectedReply } from '../reply/expectedReply.ts'
import { followTask, isPending, subscribeTo, type Followed } from './followTask.ts'
import type { CardVersion } from '../../card/types.ts'
import { inTurn, conversation, type MultiTurnOptions } from './sendMessages.ts'

/** Options of `toWaitForAuthorization()`. */
export type WaitForAuthorizationOptions = MultiTurnOptions & {
  /** Authorizes the task outside A2A, as a person would. Called once, with the waiting task and the reply it came with. */
  approve: (task: Task, reply: Reply) => unknown
  /** What the final reply must be. Default: anything. */
  expected?: Expected<Reply>
  /** The string in `expected` must be the whole text, not only contained in it. Default false. */
  exact?: boolean
  /** The state in which the task must settle after that. Default `completed`; for a denied authorization, `rejected` for example. */
  state?: AuthorizedState
}

const name = 'toWaitForAuthorization'

/**
 * Sends one message whose task must wait for an authorization, gets it authorized outside A2A, and waits until the task settles, without
 * another message. Source: A2A 0.3 §4.5; A2A 1.0 §7.6.
 */
export async function checkWaitForAuthorization(
  agent: A2AAgent,
  [message, options]: readonly [message: MessageInput, options: WaitForAuthorizationOptions],
  budget: Budget,
  _tools?: unknown,
  clock: Clock = systemClock,
): Promise<Verdict> {
  const { approve } = options
  const { expected, exact, state = 'completed' } = options
  const expectation = expected === undefined ? undefined : expectedReply(expected, { matcher: name, exact })
  const hope =
    'a task that waits for authorization (auth-required) ' +
    `and, once authorized, settles in state ${state}${expectation === undefined ? '' : ` with a reply ${expectation.phrase}`}`

  return conversation(agent, options, budget, hope, async ({ say, note }) => {
    const configuration = { ...(await unheld(agent)), ...options.configuration }
    const reply = await say(message, Object.keys(configuration).length > 0 ? { configuration } : {})
    const wrong = notWaiting(reply) ?? unexplained(reply, note)
    if (wrong !== undefined) return wrong

    const waitMs = options.waitMs ?? agent.options.waitMs ?? 60_000
    const startedAt = clock.now()
    const endAt = Math.min(startedAt + waitMs, (budget.deadlineAt ?? Infinity) - authorizationMarginMs)
    const task = reply.task as Task
    const waiting = { agent, clock, signal: budget.signal, endAt, reply, task }
    const subscription = await subscribeTo(waiting)
    try {
      const before = await agent.getTask(task.id, { signal: budget.signal })
      if (before.status.state !== 'auth-required') return didNotWait(before)

      const fault = await call(
        () => approve(before, reply),
        { clock, signal: budget.signal, endAt },
        startedAt,
      )
      if (fault !== undefined) return fault
      const followed = await followTask(waiting, subscription)
      note(...followed.findings)
      if (followed.unsettled) return stillWaiting(followed, clock.now() - startedAt)
      const { reply: last, how } = followed
      if (last.state !== state)
        return inTurn(failing('reply/task-state', describeReply(last)), 'once authorized')
      const result = await expectation?.judge(last, budget.signal)
      return result ?? { outcome: 'passed', received: `${describeReply(last)}, observed by ${how}` }
    } finally {
      subscription.stream.abort()
    }
  })
}

/**
 * SDKs of 0.3 answer only when all work is done, so never in this case, unless the request is non-blocking. 1.0 says that a
 * task in auth-required is returned at once (A2A 1.0 §3.2.2).
 */
async function unheld(agent: A2AAgent): Promise<SendConfiguration> {
  const { version, endpoint } = agent.options
  if (version !== undefined) return unblocked(version)
  if (endpoint !== undefined) return {}
  const { shape } = (await agent.card()).report
  return shape.kind === 'card' ? unblocked(shape.version) : { wait: false }
}

function unblocked(version: CardVersion): SendConfiguration {
  return profileOf(version).tasks.returnsWhenInterrupted ? {} : { wait: false }
}

/** The failure of a reply that does not ask for authorization. */
function notWaiting(reply: Reply): CheckResult | undefined {
  if (reply.state === 'auth-required' && !reply.unsettled) return undefined
  return (
    noAnswer(reply) ??
    failing('conversation/not-held', `no request for authorization: ${describeReply(reply)}`, {
      fix: 'Keep the task in state auth-required until it is authorized.',
    })
  )
}

/** The finding for a missing explanation, which 1.0 requires and earlier versions recommend. */
function unexplained(reply: Reply, note: (finding: Finding) => void): CheckResult | undefined {
  if (reply.task?.status.message?.parts.some(saysSomething)) return undefined
  const received = `task ${reply.taskId} waits for authorization, but has no status message that says what for`
  const fix = 'Explain in the status message what must be authorized, by whom and where.'
  if (profileOf(reply.dialect).tasks.explainsAuthorization)
    return failing('conversation/no-explanation', received, { fix })
  note(finding('conversation/no-explanation', received, { fix }))
  return undefined
}

function saysSomething(part: Part): boolean {
  return part.kind !== 'text' || part.text.trim() !== ''
}

function didNotWait({ id, status }: Task): CheckResult {
  const went = isPending(status.state) ? `is ${status.state}` : `reached state ${status.state}`
  return failing('conversation/did-not-wait', `task ${id} ${went} before it was authorized`, {
    fix: 'Leave the task in state auth-required until it is authorized.',
  })
}

function stillWaiting({ reply, how }: Followed, ms: number): CheckResult {
  const active = reply.state !== 'auth-required'
  return failing(
    active ? 'wire/unsettled' : 'conversation/still-waiting',
    active
      ? `task ${reply.taskId} still ${reply.state} ${ms} ms after approve() was called (${how})`
      : `task ${reply.taskId} is still waiting in state auth-required ${ms} ms after approve() was called (${how})`,
    {
      fix: active
        ? 'Make the task reach a terminal state, or raise `waitMs` if it needs longer.'
        : 'Continue the task as soon as it is authorized, without a message; or check that approve() authorizes it.',
    },
  )
}

/** Calls the function of the test once. Its errors are not the agent's fault. */
async function call(
  approve: () => unknown,
  { clock, signal, endAt }: { clock: Clock; signal: AbortSignal; endAt: number },
  startedAt: number,
): Promise<CheckResult | undefined> {
  let thrown: { error: unknown } | undefined
  const given = (async () => approve())().catch((error: unknown) => (thrown = { error }))
  const settled = await orAborted(settlesWithin(clock, Math.max(0, endAt - clock.now()), given), signal)
  if (!settled) {
    return atFault(
      `approve() did not return within ${clock.now() - startedAt} ms`,
      'Return from approve() as soon as the authorization is given; the matcher waits for the task.',
    )
  }
  if (thrown === undefined) return undefined
  return atFault(`approve() threw ${String(thrown.error)}`, 'Fix the function approve() of the test.')
}

function atFault(received: string, fix: string): CheckResult {
  return { outcome: 'invalid', received, fix }
}
