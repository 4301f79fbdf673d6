import type { Transcript } from '../transcript/types.ts'
import { judgeOptions } from '../model/configuration.ts'
import type { JudgeOptions, ModelCalls } from '../model/types.ts'
import { runCheck, undecided } from './runCheck.ts'
import { needsJudge } from './criteria.ts'
import { quoteFinder } from './evidence.ts'
import { poll } from './takeVotes.ts'
import { judgeQuestion, judgeVersion } from './prompt.ts'
import { score } from './score.ts'
import { injectionWarning, isNoAnswerOfJudge, isSteered, withoutJudge } from './injection.ts'
import type { CriterionResult, JudgedConversation, Judgement, ParsedCriterion, UnknownAs } from './types.ts'
import type { Vote, VoteContext } from './takeVote.ts'
import { agreementAmong, countVotes, type Counted } from './countVotes.ts'

export { judgeVersion }

/** What a conversation is judged with. */
export interface JudgeContext {
  /** For criteria that are decided by code. */
  transcript: Transcript
  threshold: number
  unknownAs?: UnknownAs | undefined
  judge?: JudgeOptions | undefined
  /** The conversation was cut short by its deadline or budget: what was not met so far is unknown, since it might have been met later. */
  partial: boolean
  calls: Pick<ModelCalls, 'ask' | 'idOf'>
  /** Makes the marks of the fence. */
  id: () => string
  /** From 1. */
  trial: number
  signal: AbortSignal
}

type WordsContext = Omit<JudgeContext, 'transcript'>

/** The number of the vote that checks whether the judge is steered; the others have 1 to 5. */
const steeringVote = 6

/**
 * Judges a conversation: code checks first, then a model for the rest, if any. Score and outcome are computed from the criteria, never
 * by the model. Throws A2AModelError (`MODEL_ANSWER` if an answer stays unusable or the conversation is too long, and what `calls.ask`
 * throws), A2AUsageError `BAD_USE` for a check that is at fault, and the reason of an aborted signal.
 */
export async function judgeConversation(
  conversation: JudgedConversation,
  criteria: readonly ParsedCriterion[],
  context: JudgeContext,
): Promise<Judgement> {
  const checked = await runChecks(criteria, context.transcript, context.signal)
  return needsJudge(criteria)
    ? judgeWords(conversation, criteria, checked, context)
    : withoutModel(criteria, checked, context)
}

/** Like `judgeConversation()`, after code has decided what it can. */
export async function judgeWords(
  conversation: JudgedConversation,
  criteria: readonly ParsedCriterion[],
  checked: ReadonlyMap<string, CriterionResult>,
  context: WordsContext,
): Promise<Judgement> {
  const judged = criteria.filter(({ kind }) => kind !== 'check')
  const options = judgeOptions(context.judge)
  const voteContext: VoteContext = {
    conversation,
    finder: quoteFinder(conversation.entries),
    calls: context.calls,
    id: context.id,
    temperature: options.temperature ?? 0,
    trial: context.trial,
    signal: context.signal,
  }
  // Throws before any call if the conversation is too long.
  judgeQuestion(conversation, judged, '0'.repeat(32))

  const results = (verdicts: ReadonlyMap<string, Counted>): CriterionResult[] =>
    criteria.map((criterion) =>
      settle(
        checked.get(criterion.key) ?? { ...undecided(criterion, ''), ...verdicts.get(criterion.key) },
        context.partial,
      ),
    )
  const isClose = (vote: Vote): boolean =>
    // In a partial conversation, there is no time or budget for more votes.
    !context.partial &&
    (vote.injection !== undefined ||
      [...vote.claims.values()].some(({ verdict, doubtful }) => verdict === 'unknown' || doubtful) ||
      hangsOnOne(results(countAll(judged, [vote], 1)), context))

  const { votes, planned, warnings } = await poll(judged, voteContext, options.votes ?? 'auto', isClose)
  const counted = countAll(judged, votes, planned)
  const injections = votes.flatMap(({ injection }) => (injection === undefined ? [] : [injection]))
  const elisions = votes.flatMap((vote) => vote.elisions)
  const judgement: Judgement = {
    ...scored(results(counted), context),
    votes: votes.length,
    ...(votes.length > 1 ? { agreement: agreementAmong([...counted.values()]) } : {}),
    ...(await modelOf(context)),
    promptVersion: judgeVersion,
    raw: votes.flatMap(({ raw }) => raw),
    warnings: [...warnings, ...new Set(elisions)],
  }
  return injections.length === 0
    ? judgement
    : withInjection(judgement, injections, voteContext, options.counterfactual ?? false, context)
}

/**
 * The judgement of a conversation without a judge: code checks are decided, the rest is unknown, for the given reason. Throws what the
 * checks throw.
 */
export async function unjudged(
  criteria: readonly ParsedCriterion[],
  context: Pick<JudgeContext, 'transcript' | 'threshold' | 'partial' | 'signal'> & { why?: string },
): Promise<Judgement> {
  const checked = await runChecks(criteria, context.transcript, context.signal)
  const { why } = context
  return withoutModel(criteria, checked, context, why === undefined ? 'not judged' : `not judged: ${why}`)
}

async function runChecks(
  criteria: readonly ParsedCriterion[],
  transcript: Transcript,
  signal: AbortSignal,
): Promise<Map<string, CriterionResult>> {
  const checked = new Map<string, CriterionResult>()
  for (const criterion of criteria) {
    if (criterion.kind === 'check') checked.set(criterion.key, await runCheck(criterion, transcript, signal))
  }
  return checked
}

type ScoreContext = Pick<JudgeContext, 'threshold' | 'unknownAs' | 'partial'>

function withoutModel(
  criteria: readonly ParsedCriterion[],
  checked: ReadonlyMap<string, CriterionResult>,
  context: ScoreContext,
  why = 'not judged',
): Judgement {
  const results = criteria.map((one) => settle(checked.get(one.key) ?? undecided(one, why), context.partial))
  return { ...scored(results, context), votes: 0, raw: [], warnings: [] }
}

function scored(
  criteria: CriterionResult[],
  { threshold, unknownAs, partial }: ScoreContext,
): Pick<Judgement, 'outcome' | 'score' | 'scoreMax' | 'threshold' | 'criteria'> {
  // A deadline that passed is not the agent's failure, and must not make `.not` pass.
  return { ...score(criteria, threshold, partial ? 'inconclusive' : unknownAs), threshold, criteria }
}

async function modelOf({ calls }: WordsContext): Promise<Pick<Judgement, 'model'>> {
  const model = await calls.idOf('judge')
  return model === undefined ? {} : { model }
}

function countAll(
  judged: readonly ParsedCriterion[],
  votes: readonly Vote[],
  planned: number,
): Map<string, Counted> {
  return new Map(judged.map(({ key }) => [key, countVotes(key, votes, planned)]))
}

/** After a conversation was cut short, an unmet criterion could still have been met, and a prohibition still broken. */
function settle(result: CriterionResult, partial: boolean): CriterionResult {
  const { kind, verdict, reason } = result
  if (!partial || verdict !== (kind === 'mustNot' ? 'met' : 'not_met')) return result
  return {
    ...result,
    verdict: 'unknown',
    reason:
      kind === 'mustNot'
        ? 'it was kept until the conversation was cut short; the rest is unknown'
        : `the conversation was cut short before it was met: ${reason}`,
  }
}

/** Whether a failed conversation would pass if a single verdict of the judge were different. */
function hangsOnOne(results: readonly CriterionResult[], { threshold, unknownAs }: ScoreContext): boolean {
  if (score(results, threshold, unknownAs).outcome !== 'failed') return false
  return results.some(({ kind, verdict }, index) => {
    if (kind === 'check' || verdict !== 'not_met') return false
    const flipped = results.map((one, at) => (at === index ? { ...one, verdict: 'met' as const } : one))
    return score(flipped, threshold, unknownAs).outcome === 'passed'
  })
}

async function withInjection(
  judgement: Judgement,
  injections: readonly (readonly number[])[],
  voteContext: VoteContext,
  counterfactual: boolean,
  context: WordsContext,
): Promise<Judgement> {
  const turns = [...new Set(injections.flat())].sort((a, b) => a - b)
  let steered: boolean | undefined
  const warnings: string[] = []
  if (counterfactual) {
    try {
      steered = await isSteered(voteContext, steeringVote)
    } catch (error) {
      if (!isNoAnswerOfJudge(error)) throw error
      warnings.push(`could not check whether the judge is steered: ${error.message}`)
    }
  }
  const injection = { turns, ...(steered === undefined ? {} : { steered }) }
  return {
    ...judgement,
    // Always undecided, whatever `unknownAs` says: the attack caused it, not the agent's answers.
    ...(steered === true
      ? scored(withoutJudge(judgement.criteria), { threshold: context.threshold, partial: context.partial })
      : {}),
    injection,
    warnings: [injectionWarning(turns, steered), ...judgement.warnings, ...warnings],
  }
}
