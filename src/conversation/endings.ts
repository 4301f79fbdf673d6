import { isA2AError } from '../core/errors.ts'
import type { ConversationPlan } from './planConversation.ts'
import type { TurnAnswer } from './sendTurn.ts'
import type { EndReason, GuardHit, ConversationFault, TranscriptEntry } from '../transcript/types.ts'
import { keyOfSaid } from '../simulator/normalizeText.ts'

/** How a conversation ended. */
export interface Ending {
  endReason: EndReason
  fault?: ConversationFault
  /** What to report if the end is not a fault. */
  warning?: string
  discarded?: GuardHit[] | undefined
  /** The error behind the fault. */
  cause?: unknown
}

/** How an answer ends the conversation; undefined if it can continue. */
export function endByAnswer(
  answer: TurnAnswer,
  context: { turn: number; onAgentError: ConversationPlan['onAgentError']; isLate: boolean },
): Ending | undefined {
  const { turn } = context
  const { state, error, reason, unsettled, findings } = answer
  const outcome = context.onAgentError === 'fail' ? 'failed' : 'error'
  if (error !== undefined) {
    const { code, message, finding, fix, unanswered } = error
    const fault: ConversationFault = {
      outcome,
      code,
      message: `turn ${turn}: ${message}`,
      finding,
      fix,
      unanswered,
    }
    return { endReason: 'agent_error', fault }
  }
  if (unsettled === true) {
    const finding = findings.find(({ id }) => id === 'wire/unsettled')
    const message = finding?.message ?? `the task is still ${state ?? 'running'}`
    if (context.isLate) return { endReason: 'deadline', warning: late(`turn ${turn}: ${message}`) }
    return {
      endReason: 'agent_error',
      fault: {
        outcome,
        code: 'UNSETTLED',
        message: `turn ${turn}: ${message}`,
        fix: 'Let the task finish, or raise turnTimeoutMs if it needs longer.',
        finding: 'wire/unsettled',
      },
    }
  }
  if (state === 'rejected' || state === 'canceled') return { endReason: 'agent_ended' }
  if (state !== 'failed' && state !== 'unknown') return undefined
  const why = reason === undefined ? '' : `: ${JSON.stringify(reason)}`
  return {
    endReason: 'agent_error',
    fault: {
      outcome,
      code: 'TASK_FAILED',
      message:
        state === 'failed'
          ? `turn ${turn}: the task failed${why}`
          : `turn ${turn}: the task is in an unknown state`,
      finding: state === 'failed' ? 'reply/task-failed' : 'reply/task-unknown',
    },
  }
}

/** The state of a conversation when an error ended it. */
export interface Progress {
  signal: AbortSignal
  /** True if the deadline of the conversation has passed, whether or not the signal noticed. */
  isPastDeadline: boolean
  waitingFor: string
  waitedMs: number
  /** True once the agent has answered. */
  answered: boolean
  turn: number
  plan: Pick<ConversationPlan, 'turnTimeoutMs'>
}

const raise = 'Raise the test timeout, e.g. it(name, fn, 60_000), or deadlineMs if it is set.'

/** The end by a deadline, by the runner, or by an agent that cannot be reached; undefined for other errors. */
export function endByTime(error: unknown, progress: Progress): Ending | undefined {
  const { signal, isPastDeadline, waitingFor, waitedMs, answered, turn, plan } = progress
  if (signal.aborted || (isPastDeadline && isA2AError(error) && error.code === 'DEADLINE')) {
    const reason: unknown = signal.aborted ? signal.reason : error
    const code = isA2AError(reason) ? reason.code : 'ABORTED'
    const isTime = code === 'DEADLINE' || code === 'TIMEOUT'
    const message = `${isTime ? 'the deadline passed' : 'the test was aborted'} after ${waitedMs} ms of waiting for ${waitingFor}`
    if (answered && isTime) return { endReason: 'deadline', warning: late(message) }
    return {
      endReason: 'deadline',
      fault: { outcome: 'error', code, message, fix: isTime ? raise : undefined },
      cause: reason,
    }
  }
  if (!isA2AError(error)) return undefined
  if (error.name !== 'A2AConnectionError' && error.name !== 'A2APolicyError') return undefined
  const isTurn = error.code === 'DEADLINE'
  return {
    endReason: 'agent_error',
    fault: {
      outcome: 'error',
      code: isTurn ? 'TIMEOUT' : error.code,
      message: isTurn
        ? `turn ${turn}: the agent did not answer within ${plan.turnTimeoutMs} ms, the option turnTimeoutMs`
        : `turn ${turn}: ${error.message}`,
      fix: isTurn
        ? 'Raise turnTimeoutMs if the agent may take longer.'
        : (error.fix ?? 'Check what the agent logged at that time.'),
    },
    cause: error,
  }
}

const late = (message: string): string => `${message}, so the conversation was cut short. ${raise}`

/** The end by a model that gave no answer, or by the budget; undefined for other errors. */
export function endByModel(error: unknown, answered: boolean): Ending | undefined {
  if (!isA2AError(error) || error.name !== 'A2AModelError') return undefined
  const { code, message, fix } = error
  if (code === 'BUDGET' && answered)
    return { endReason: 'budget', warning: `the conversation was cut short: ${message}` }
  return {
    endReason: code === 'BUDGET' ? 'budget' : 'model_error',
    fault: { outcome: 'error', code, message, fix },
    cause: error,
  }
}

/** True if both sides have just repeated something they said earlier. */
export function isLoop(entries: readonly TranscriptEntry[]): boolean {
  const user = entries.findLast(({ from }) => from === 'user')
  const agent = entries.at(-1)
  if (user?.by !== 'simulator' || agent?.from !== 'agent') return false
  return saidBefore(entries, user) && saidBefore(entries, agent)
}

function saidBefore(entries: readonly TranscriptEntry[], last: TranscriptEntry): boolean {
  const key = keyOfSaid(last)
  return key !== '' && entries.some((one) => one !== last && one.from === last.from && keyOfSaid(one) === key)
}
