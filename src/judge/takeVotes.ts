import { A2AModelError, isA2AError } from '../core/errors.ts'
import type { JudgeOptions } from '../model/types.ts'
import type { ParsedCriterion } from './types.ts'
import { takeVote, type Vote, type VoteContext } from './takeVote.ts'
import { majorityOf, rotated, votesNeeded } from './countVotes.ts'

/** The votes on one conversation. */
export interface Poll {
  votes: Vote[]
  planned: number
  warnings: string[]
}

/** Votes that follow if the first one does not settle it. */
const further = 2

/**
 * Takes votes until they settle every criterion: at most `planned`, or for `auto` one, and two more if `isClose` says so. A vote without
 * a verdict does not count; its error is thrown if fewer than a majority gave a verdict.
 */
export async function poll(
  criteria: readonly ParsedCriterion[],
  context: VoteContext,
  planned: NonNullable<JudgeOptions['votes']>,
  isClose: (vote: Vote) => boolean,
): Promise<Poll> {
  const state: State = { votes: [], warnings: [], taken: 0 }
  if (planned !== 'auto') {
    for (let size = majorityOf(planned); size > 0;) {
      await takeVotes(criteria, context, size, state, planned)
      size = votesNeeded(criteria, state.votes, planned, state.taken)
    }
    return { votes: state.votes, warnings: state.warnings, planned }
  }
  await takeVotes(criteria, context, 1, state, 1)
  const [first] = state.votes
  if (first === undefined || !isClose(first))
    return { votes: state.votes, warnings: state.warnings, planned: 1 }
  await takeVotes(criteria, context, further, state, 1 + further)
  return { votes: state.votes, warnings: state.warnings, planned: 1 + further }
}

interface State {
  votes: Vote[]
  warnings: string[]
  taken: number
}

/** Takes some votes at the same time. */
async function takeVotes(
  criteria: readonly ParsedCriterion[],
  context: VoteContext,
  size: number,
  state: State,
  planned: number,
): Promise<void> {
  const numbers = Array.from({ length: size }, (_, index) => state.taken + index + 1)
  state.taken += size
  const results = await Promise.allSettled(
    numbers.map(async (nth) => takeVote(rotated(criteria, nth), context, nth)),
  )
  let last: unknown
  for (const [index, result] of results.entries()) {
    if (result.status === 'fulfilled') state.votes.push(result.value)
    else {
      last = result.reason
      if (context.signal.aborted || !isLostVote(last)) throw last
      state.warnings.push(`vote ${numbers[index]} of the judge gave no verdict: ${last.message}`)
    }
  }
  const possible = state.votes.length + planned - state.taken
  if (last === undefined || possible >= majorityOf(planned)) return
  if (planned === 1) throw last
  const { code, message, ...detail } = last as A2AModelError
  throw new A2AModelError(
    code,
    `only ${state.votes.length} of ${planned} votes of the judge gave a verdict: ${message}`,
    { ...detail, cause: last },
  )
}

/** Whether another vote may succeed, which it cannot without a model or a budget. */
function isLostVote(error: unknown): error is A2AModelError {
  if (!isA2AError(error)) return false
  const { code, transient } = error as A2AModelError
  return code === 'MODEL_ANSWER' || code === 'MODEL_REFUSED' || (code === 'MODEL_UNAVAILABLE' && transient)
}
