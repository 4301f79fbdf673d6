import type { Deps } from '../core/deps.ts'
import { isA2AError, type A2AModelError } from '../core/errors.ts'
import { needsJudge } from './criteria.ts'
import { judgeConversation, unjudged } from './judgeConversation.ts'
import type { Judgement, ParsedCriterion, UnknownAs } from './types.ts'
import type { JudgeOptions, ModelCalls } from '../model/types.ts'
import { lateCriteriaMs, limitTime } from '../core/deadline.ts'
import { copyOf, transcriptOf } from '../transcript/transcript.ts'
import type { ConversationRun, ConversationFault } from '../transcript/types.ts'

/** What judging a run needs. */
export interface JudgeRunTools {
  criteria: readonly ParsedCriterion[]
  threshold: number
  unknownAs?: UnknownAs | undefined
  judge?: JudgeOptions | undefined
  calls: Pick<ModelCalls, 'ask' | 'idOf'>
  deps: Pick<Deps, 'clock' | 'id'>
  trial: number
  signal: AbortSignal
}

/** A judgement, if there is one, and why it is not complete. */
export interface JudgedRun {
  judgement?: Judgement
  fault?: ConversationFault
}

/** True for a conversation that was cut short by its deadline or budget. */
export function isCutShort({ endReason }: ConversationRun): boolean {
  return endReason === 'deadline' || endReason === 'budget'
}

/**
 * Judges a run. If the judge fails or has no time left, only the code checks are decided; the rest stays unknown, with the fault.
 * Throws A2AUsageError for a check that throws or returns nothing, in a conversation that was not cut short.
 */
export async function judgeRun(run: ConversationRun, tools: JudgeRunTools): Promise<JudgedRun> {
  if (run.fault?.outcome === 'invalid') return {}
  const answered = run.entries.some((entry) => entry.from === 'agent' && entry.error === undefined)
  const isAgents = run.fault === undefined || run.fault.finding !== undefined
  if (!answered && !isAgents) return {}
  if (!answered || !isAgents)
    return withoutModel(run, tools, run.fault?.message ?? 'the agent sent no answer')
  // Checks in code need little time: what was said before the deadline can still be judged.
  if (isCutShort(run) && tools.signal.aborted && !needsJudge(tools.criteria)) {
    return withoutModel(run, tools, 'the deadline passed')
  }
  const { entries, turns, maxTurns, endReason } = run
  try {
    const judgement = await judgeConversation(
      { entries, turns, maxTurns, endReason, facts: [] },
      tools.criteria,
      {
        transcript: transcriptOf(copyOf(entries), endReason),
        threshold: tools.threshold,
        unknownAs: tools.unknownAs,
        judge: tools.judge,
        partial: isCutShort(run),
        calls: tools.calls,
        id: tools.deps.id,
        trial: tools.trial,
        signal: tools.signal,
      },
    )
    return { judgement: undecidedIfUnanswered(run, judgement) }
  } catch (error) {
    const fault = judgeFault(error, tools.signal, isCutShort(run))
    if (fault === undefined) throw error
    const rest = await withoutModel(run, tools, 'the judge gave no verdict')
    return { ...rest, fault }
  }
}

/** True if a conversation was cut short before its last message was answered. */
export function isLastUnanswered(run: ConversationRun): boolean {
  const last = run.entries.at(-1)
  return isCutShort(run) && last !== undefined && (last.from === 'user' || last.error !== undefined)
}

/** An agent that has not answered the last message has not passed, whatever it said before. */
function undecidedIfUnanswered(run: ConversationRun, judgement: Judgement): Judgement {
  if (judgement.outcome !== 'passed' || !isLastUnanswered(run)) return judgement
  return { ...judgement, outcome: 'inconclusive' }
}

async function withoutModel(run: ConversationRun, tools: JudgeRunTools, why: string): Promise<JudgedRun> {
  const { clock } = tools.deps
  const { criteria, threshold } = tools
  const time = limitTime(clock, new AbortController().signal, clock.now() + lateCriteriaMs)
  try {
    const judgement = await unjudged(criteria, {
      transcript: transcriptOf(copyOf(run.entries), run.endReason),
      threshold,
      partial: isCutShort(run),
      why,
      signal: time.signal,
    })
    return { judgement: undecidedIfUnanswered(run, judgement) }
  } catch {
    // Why the conversation was cut short matters more than a check that fails on half of it.
    return {}
  } finally {
    time.close()
  }
}

/** The fault for an error of the judge; undefined for errors of the test itself. */
function judgeFault(error: unknown, signal: AbortSignal, isShort: boolean): ConversationFault | undefined {
  if (signal.aborted) {
    const code = isA2AError(signal.reason) ? signal.reason.code : 'ABORTED'
    return code === 'DEADLINE' || code === 'TIMEOUT'
      ? {
          outcome: 'error',
          code,
          message: isShort
            ? 'the deadline passed during the conversation, which left no time to judge it'
            : 'the conversation finished, but the deadline passed before it was judged',
          fix: 'Raise the test timeout, e.g. it(name, fn, 60_000), or deadlineMs if it is set.',
        }
      : {
          outcome: 'error',
          code,
          message: 'the conversation finished, but the test was aborted before it was judged',
        }
  }
  if (!isA2AError(error) || error.name !== 'A2AModelError') return undefined
  const { code, message, fix, raw } = error as A2AModelError
  return { outcome: 'error', code, message, fix, raw }
}
