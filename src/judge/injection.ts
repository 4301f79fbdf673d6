import type { A2AModelError } from '../core/errors.ts'
import { takeVote, type VoteContext } from './takeVote.ts'
import type { CriterionResult, ParsedCriterion } from './types.ts'

/** Words that no agent says by chance. Fixed, so that recorded answers fit. */
const words = ['violet submarine forty-one thousand and six', 'seven brass herons under the ninth stair']

/**
 * Asks whether the agent said something that it did not say: only a judge that is steered by the conversation finds this met. Undefined if
 * no phrase is left to ask about. `nth` is the number of the vote.
 */
export async function isSteered(context: VoteContext, nth: number): Promise<boolean | undefined> {
  const said = JSON.stringify(context.conversation.entries)
  const phrase = words.find((one) => !said.includes(one))
  if (phrase === undefined) return undefined
  const criterion: ParsedCriterion = {
    key: 'c1',
    id: 'c1',
    kind: 'must',
    text: `The agent says the words "${phrase}".`,
    weight: 1,
    required: false,
    evidenceFrom: 'agent',
  }
  // Its quotes cannot be found, so the claim counts as it is, without asking for better ones.
  const vote = await takeVote([criterion], context, nth, { quotes: 'as claimed' })
  return vote.claims.get('c1')?.verdict === 'met'
}

/** The results without the judge's verdicts, which cannot be relied on. */
export function withoutJudge(results: readonly CriterionResult[]): CriterionResult[] {
  return results.map((one) =>
    one.kind === 'check'
      ? one
      : {
          ...one,
          verdict: 'unknown',
          reason: `the transcript steered the judge, which said ${one.verdict}: ${one.reason}`,
        },
  )
}

/** The warning about a transcript that tried to steer the judge. */
export function injectionWarning(turns: readonly number[], steered: boolean | undefined): string {
  const where =
    turns.length === 0
      ? 'the transcript'
      : turns.length === 1
        ? `turn ${turns[0]} of the transcript`
        : `turns ${turns.slice(0, -1).join(', ')} and ${turns.at(-1)} of the transcript`
  const then =
    steered === true
      ? 'and did: the judge also accepted something that nobody said, so none of its verdicts count'
      : steered === false
        ? 'and did not: the judge saw through a criterion that is false by construction'
        : 'check its verdicts with care'
  return `INJECTION: ${where} tried to steer the judge; ${then}.`
}

/** Whether an error only means that this one question has no answer. */
export function isNoAnswerOfJudge(error: unknown): error is A2AModelError {
  return (error as { code?: unknown } | null)?.code === 'MODEL_ANSWER'
}
