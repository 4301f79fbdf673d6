import type { Deps } from '../core/deps.ts'
import { isA2AError, type A2AModelError } from '../core/errors.ts'
import { needsJudge } from './criteria.ts'
import { judgeConversation, unjudged } from './judgeConversation.ts'
import type { Judgement, ParsedCriterion, UnknownAs } from './types.ts'
import type { JudgeOptions, ModelCalls } from '../model/types.ts'
import { lateCriteriaMs, limitTime } from '../core/deadline.ts'
import { copyOf, transcriptOf } from '../transcript/transcript.ts'
import type { ConversationRun, ConversationFault } from '../transcript/types.ts'

/** What a run is judged with. */
export interface RunJudging {
  criteria: readonly ParsedCriterion[]
  threshold: number
  unknownAs?: UnknownAs
  judge?: JudgeOptions
  calls: Pick<ModelCalls, 'ask' | 'idOf'>
  deps: Pick<Deps, 'clock' | 'id'>
  trial: number
  signal: AbortSignal
}

/** A judgement as far as there is one, and what kept it from being whole. */
export interface Judged {
  judgement?: Judgement
  fault?: ConversationFault
}

/** True for a conversation that ended before anybody wanted it to. */
export function isCut({ endReason }: ConversationRun): boolean {
  return endReason === 'deadline' || endReason === 'budget'
}

/**
 * Judges a run. Where the judge has no time or fails, the code checks are decided and the rest stays unknown, with the fault.
 * Throws A2AUsageError for a check that is at fault in a conversation that came to its end.
 */
export async function judgeRun(run: ConversationRun, about: RunJudging): Promise<Judged> {
  if (run.fault?.outcome === 'invalid') return {}
  const answered = run.entries.some((entry) => entry.from === 'agent' && entry.error === undefined)
  const isAgents = run.fault === undefined || run.fault.finding !== undefined
  if (!answered && !isAgents) return {}
  if (!answered || !isAgents) return withoutModel(run, about, run.fault?.message ?? 'the agent said nothing')
  // Code needs no time of its own: a conversation that time ended is judged as far as it came.
  if (isCut(run) && about.signal.aborted && !needsJudge(about.criteria)) {
    return withoutModel(run, about, 'time was up')
  }
  const { entries, turns, maxTurns, endReason } = run
  const { unknownAs, judge } = about
  try {
    const judgement = await judgeConversation(
      { entries, turns, maxTurns, endReason, facts: [] },
      about.criteria,
      {
        transcript: transcriptOf(copyOf(entries), endReason),
        threshold: about.threshold,
        ...(unknownAs !== undefined && { unknownAs }),
        ...(judge !== undefined && { judge }),
        partial: isCut(run),
        calls: about.calls,
        id: about.deps.id,
        trial: about.trial,
        signal: about.signal,
      },
    )
    return { judgement: undecidedIfOpen(run, judgement) }
  } catch (error) {
    const fault = judgeFault(error, about.signal, isCut(run))
    if (fault === undefined) throw error
    const rest = await withoutModel(run, about, 'the judge gave no verdict')
    return { ...rest, fault }
  }
}

/** True where the last message of a conversation had no answer when it was cut. */
export function isOpen(run: ConversationRun): boolean {
  const last = run.entries.at(-1)
  return isCut(run) && last !== undefined && (last.from === 'user' || last.error !== undefined)
}

/** An agent that still owes an answer has not passed, whatever it said before. */
function undecidedIfOpen(run: ConversationRun, judgement: Judgement): Judgement {
  if (judgement.outcome !== 'passed' || !isOpen(run)) return judgement
  return { ...judgement, outcome: 'inconclusive' }
}

async function withoutModel(run: ConversationRun, about: RunJudging, why: string): Promise<Judged> {
  const { clock } = about.deps
  const { criteria, threshold } = about
  const time = limitTime(clock, new AbortController().signal, clock.now() + lateCriteriaMs)
  try {
    const judgement = await unjudged(criteria, {
      transcript: transcriptOf(copyOf(run.entries), run.endReason),
      threshold,
      partial: isCut(run),
      why,
      signal: time.signal,
    })
    return { judgement: undecidedIfOpen(run, judgement) }
  } catch {
    // What a check makes of half a conversation is of no interest beside what cut it.
    return {}
  } finally {
    time.close()
  }
}

/** What an error of the judge means; undefined for errors that are nobody's but the test's. */
function judgeFault(error: unknown, signal: AbortSignal, isShort: boolean): ConversationFault | undefined {
  if (signal.aborted) {
    const code = isA2AError(signal.reason) ? signal.reason.code : 'ABORTED'
    return code === 'DEADLINE' || code === 'TIMEOUT'
      ? {
          outcome: 'error',
          code,
          message: isShort
            ? 'time was up in the midst of the conversation, and none was left to judge it'
            : 'the conversation was held, but time was up before it was judged',
          fix: 'Raise the test timeout, e.g. it(name, fn, 60_000), or deadlineMs where that is set.',
        }
      : {
          outcome: 'error',
          code,
          message: 'the conversation was held, but the test was ended before it was judged',
        }
  }
  if (!isA2AError(error) || error.name !== 'A2AModelError') return undefined
  const { code, message, fix, raw } = error as A2AModelError
  return {
    outcome: 'error',
    code,
    message,
    ...(fix !== undefined && { fix }),
    ...(raw !== undefined && { raw }),
  }
}
