import { finding } from '../../findings/finding.ts'
import { orAborted, settlesWithin } from '../../core/abort.ts'
import { authorizationMarginMs } from '../../core/deadline.ts'
import type { A2AAgent } from '../../agent/types.ts'
import type { MessageInput, Reply } from '../../client/types.ts'
import { systemClock, type Clock } from '../../core/clock.ts'
import { A2AUsageError } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import type { Budget } from '../../runners/types.ts'
import type { SendConfiguration } from '../../protocol/codec.ts'
import type { Part, Task } from '../../protocol/model.ts'
import type { Verdict } from '../../core/verdict.ts'
import { failing, type Facts } from '../checkResult.ts'
import { settledStates, type SettledState } from '../reply/checkTaskState.ts'
import { describeReply } from '../reply/describeReply.ts'
import type { Expected } from '../reply/expectedValue.ts'
import { noAnswer } from '../reply/replyFailures.ts'
import { expectedReply } from '../reply/expectedReply.ts'
import { followTask, isPending, subscribeTo, type Followed } from './followTask.ts'
import { inTurn, conversation, type MultiTurnOptions } from './sendMessages.ts'

/** Options of `toWaitForAuthorization()`. */
export type WaitForAuthorizationOptions = MultiTurnOptions & {
  /** Authorizes the task outside A2A, as a person would. Called once, with the waiting task and the reply it came with. */
  approve: (task: Task, reply: Reply) => unknown
  /** What the final reply must be. Default: anything. */
  expected?: Expected<Reply>
  /** The string in `expected` must be the whole text. Default false: contained in it. */
  exact?: boolean
  /** The state in which the task must settle after that. Default `completed`; for a denied authorization, `rejected` for example. */
  state?: AuthorizedState
}

/** Where a task can come to rest once its authorization was decided on. */
export type AuthorizedState = Exclude<SettledState, 'auth-required'>

/** The states in which a task can come to rest once its authorization was decided on. */
export const authorizedStates: readonly AuthorizedState[] = settledStates.filter(
  (state): state is AuthorizedState => state !== 'auth-required',
)

const name = 'toWaitForAuthorization'

/**
 * Sends one message whose task must wait for an authorization, has it authorized outside A2A, and sees the task through without
 * another message. Source: A2A 0.3 §4.5; A2A 1.0 §7.6.
 */
export async function checkWaitForAuthorization(
  agent: A2AAgent,
  [message, options]: readonly [message: MessageInput, options: WaitForAuthorizationOptions],
  budget: Budget,
  _tools?: unknown,
  clock: Clock = systemClock,
): Promise<Verdict> {
  const approve = (options as Partial<WaitForAuthorizationOptions> | undefined)?.approve
  if (approve === undefined) {
    throw new A2AUsageError(
      'BAD_OPTIONS',
      `${name}() needs the option "approve", a function that authorizes the task.`,
      {
        fix: `Write ${name}(message, { approve: async (task) => { … } }).`,
      },
    )
  }
  const { expected, exact, state = 'completed' } = options
  const expectation = expected === undefined ? undefined : expectedReply(expected, { matcher: name, exact })
  const hope =
    'a task that waits for authorization (auth-required), ' +
    `and once that is given settles in state ${state}${expectation === undefined ? '' : ` with a reply ${expectation.phrase}`}`

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
      const facts = await expectation?.judge(last, budget.signal)
      return facts ?? { outcome: 'passed', received: `${describeReply(last)}, seen by ${how}` }
    } finally {
      subscription.stream.abort()
    }
  })
}

/**
 * SDKs of 0.3 hold an answer back until the whole work is done, and so for ever, unless they are asked not to. 1.0 says that a
 * demand for authorization is answered at once (A2A 1.0 §3.2.2).
 */
async function unheld(agent: A2AAgent): Promise<SendConfiguration> {
  const { version, endpoint } = agent.options
  if (version !== undefined) return version === '1.0' ? {} : { wait: false }
  if (endpoint !== undefined) return {}
  const { shape } = (await agent.card()).report
  return shape.kind === 'card' && shape.version === '1.0' ? {} : { wait: false }
}

/** Why a reply does not ask for authorization. */
function notWaiting(reply: Reply): Facts | undefined {
  if (reply.state === 'auth-required' && !reply.unsettled) return undefined
  return (
    noAnswer(reply) ??
    failing('conversation/not-held', `no demand for authorization: ${describeReply(reply)}`, {
      fix: 'Put the task into state auth-required until somebody has authorized it.',
    })
  )
}

/** Nobody can authorize what is not explained; 1.0 demands it, the versions before only say what is customary. */
function unexplained(reply: Reply, note: (finding: Finding) => void): Facts | undefined {
  if (reply.task?.status.message?.parts.some(saysSomething)) return undefined
  const received = `task ${reply.taskId} waits for authorization, and has no status message that says which`
  const fix = 'Say in the status message what is to be authorized, by whom and where.'
  if (reply.dialect === '1.0') return failing('conversation/no-explanation', received, { fix })
  note(finding('conversation/no-explanation', received, { fix }))
  return undefined
}

function saysSomething(part: Part): boolean {
  return part.kind !== 'text' || part.text.trim() !== ''
}

function didNotWait({ id, status }: Task): Facts {
  const went = isPending(status.state) ? `is ${status.state}` : `has come to state ${status.state}`
  return failing('conversation/did-not-wait', `task ${id} ${went} before anybody authorized it`, {
    fix: 'Leave the task in state auth-required until the authorization is there.',
  })
}

function stillWaiting({ reply, how }: Followed, ms: number): Facts {
  const active = reply.state !== 'auth-required'
  return failing(
    active ? 'wire/unsettled' : 'conversation/still-waiting',
    active
      ? `task ${reply.taskId} still ${reply.state} ${ms} ms after approve() was called (${how})`
      : `task ${reply.taskId} still waits in state auth-required ${ms} ms after approve() was called (${how})`,
    {
      fix: active
        ? 'Let the task reach a terminal state, or raise waitMs when it needs longer.'
        : 'Let the task go on as soon as it is authorized, without a message; or see whether approve() authorizes it.',
    },
  )
}

/** Calls the test's own function, once. What goes wrong in it is our side's fault. */
async function call(
  approve: () => unknown,
  { clock, signal, endAt }: { clock: Clock; signal: AbortSignal; endAt: number },
  startedAt: number,
): Promise<Facts | undefined> {
  let thrown: { error: unknown } | undefined
  const given = (async () => approve())().catch((error: unknown) => (thrown = { error }))
  const settled = await orAborted(settlesWithin(clock, Math.max(0, endAt - clock.now()), given), signal)
  if (!settled) {
    return atFault(
      `approve() did not return within ${clock.now() - startedAt} ms`,
      'Let approve() return when the authorization is given; this matcher waits for the task.',
    )
  }
  if (thrown === undefined) return undefined
  return atFault(
    `approve() threw ${String(thrown.error)}`,
    'Fix the function that the test gives as approve().',
  )
}

function atFault(received: string, fix: string): Facts {
  return { outcome: 'invalid', received, fix }
}
