import { A2AModelError } from '../core/errors.ts'
import { readJson } from '../model/answer.ts'
import type { ModelAnswer, ModelCalls, ModelMessage } from '../model/types.ts'
import type { QuoteFinder } from './evidence.ts'
import { formatReAsk, judgeQuestion, judgeRules, quoteReAsk } from './prompt.ts'
import { judgeAnswer, type Claim, type JudgeAnswer } from './answer.ts'
import type { CriterionVerdict, Evidence, JudgedConversation, ParsedCriterion } from './types.ts'

/** Who is asked about what. */
export interface VoteContext {
  conversation: JudgedConversation
  finder: QuoteFinder
  calls: Pick<ModelCalls, 'ask'>
  /** Makes marks that nobody in the conversation can know. */
  id: () => string
  temperature: number
  trial: number
  signal: AbortSignal
}

/** What one vote says of a criterion, once its words were looked for. */
export interface CheckedClaim {
  verdict: CriterionVerdict
  reason: string
  evidence: Evidence[]
  /** True if it has quotes, and none of them is in the transcript. */
  doubtful: boolean
}

/** One vote over all criteria that it was asked for. */
export interface Vote {
  claims: Map<string, CheckedClaim>
  /** Turns that tried to steer the judge; undefined if none did, empty if it is unknown which. */
  injection: number[] | undefined
  elisions: string[]
  /** What the judge wrote. */
  raw: string[]
}

/** Calls that a vote may take: the question, once more for its form, once more for its quotes. */
const callsOfVote = 3

/**
 * Asks for one vote. An answer of the wrong form, and quotes that nobody said, are asked for again, once each; `as claimed` takes
 * verdicts without looking for their words. Throws A2AModelError
 * `MODEL_ANSWER` for a form that stays wrong, and whatever `ask` throws.
 */
export async function takeVote(
  criteria: readonly ParsedCriterion[],
  context: VoteContext,
  nth: number,
  { quotes = 'checked' }: { quotes?: 'checked' | 'as claimed' } = {},
): Promise<Vote> {
  const { conversation, finder } = context
  const nonce = freshNonce(conversation, context.id)
  const question = judgeQuestion(conversation, criteria, nonce)
  const raw: string[] = []
  let attempt = (nth - 1) * callsOfVote

  const ask = async (
    keys: readonly string[],
    messages: readonly ModelMessage[],
    step: number,
  ): Promise<{ answer: JudgeAnswer; text: string } | { problem: string; text: string }> => {
    const document = await judgeAnswer(keys)
    const answer = await context.calls.ask(
      {
        role: 'judge',
        system: judgeRules,
        messages,
        schema: { name: 'verdicts', definition: document.jsonSchema },
        temperature: context.temperature,
        nonce,
        signal: context.signal,
      },
      { trial: context.trial, turn: conversation.turns, attempt: attempt + step },
    )
    const text = textOf(answer)
    raw.push(text)
    const reading = readJson(answer, document.check)
    return 'problem' in reading ? { problem: reading.problem, text } : { answer: reading.value, text }
  }

  const keys = criteria.map(({ key }) => key)
  const opening: ModelMessage[] = [{ role: 'user', content: question.text }]
  let first = await ask(keys, opening, 1)
  if ('problem' in first) {
    first = await ask(keys, after(opening, first.text, formatReAsk(first.problem, keys)), 2)
  }
  if ('problem' in first) {
    throw new A2AModelError('MODEL_ANSWER', `the judge gave no usable verdict: ${first.problem}.`, {
      raw: first.text.slice(0, 500),
      fix: 'Try a model that follows a JSON schema.',
    })
  }
  attempt += 2
  const { answer } = first
  const claims = new Map(
    criteria.map((criterion) => [criterion.key, check(criterion, answer.verdicts, finder)]),
  )
  if (quotes === 'as claimed') for (const claim of claims.values()) claim.supported = true
  const injections = [answer.injection]

  const wrong = criteria.filter(({ key }) => claims.get(key)?.supported === false)
  if (wrong.length > 0) {
    const wrongKeys = wrong.map(({ key }) => key)
    const naming = wrong.map(({ key }) => ({ key, quotes: claims.get(key)?.missing ?? [] }))
    const second = await ask(wrongKeys, after(opening, first.text, quoteReAsk(naming)), 1)
    if ('answer' in second) {
      injections.push(second.answer.injection)
      for (const one of wrong) claims.set(one.key, check(one, second.answer.verdicts, finder))
    }
  }
  return {
    claims: new Map([...claims].map(([key, claim]) => [key, settled(claim)])),
    injection: turnsOf(injections, question.forgedIn, conversation.turns),
    elisions: question.elisions,
    raw,
  }
}

function after(opening: readonly ModelMessage[], said: string, next: string): ModelMessage[] {
  // Some services refuse a message without text.
  return [
    ...opening,
    { role: 'assistant', content: said.trim() === '' ? '(nothing)' : said },
    { role: 'user', content: next },
  ]
}

function textOf({ text, json }: ModelAnswer): string {
  return text === '' && json !== undefined ? JSON.stringify(json) : text
}

/** A mark that does not occur in the conversation. */
function freshNonce(conversation: JudgedConversation, id: () => string): string {
  const said = JSON.stringify(conversation.entries)
  for (let tries = 0; tries < 100; tries++) {
    const nonce = id().replaceAll(/[^a-zA-Z0-9]/g, '')
    if (nonce !== '' && !said.includes(nonce)) return nonce
  }
  throw new A2AModelError('MODEL_ANSWER', 'no mark was found that the conversation does not have in it.', {
    fix: 'Give `id` of Deps values that differ from call to call.',
  })
}

interface LookedFor extends Claim {
  evidence: Evidence[]
  /** False if the verdict needs a quote and has none of the right speaker. */
  supported: boolean
  /** Quotes that the right one did not say. */
  missing: string[]
}

function check(criterion: ParsedCriterion, verdicts: Record<string, Claim>, finder: QuoteFinder): LookedFor {
  const claim = verdicts[criterion.key] as Claim
  const needed =
    (criterion.kind === 'must' && claim.verdict === 'met') ||
    (criterion.kind === 'mustNot' && claim.verdict === 'not_met')
  // No quote is needed to show that a prohibition was kept; but a judge that invents one has not read the conversation.
  const cited = criterion.kind === 'mustNot' && claim.verdict === 'met' && claim.evidence.length > 0
  let supported = !needed && !cited
  const missing: string[] = []
  const evidence = claim.evidence.map((claimed) => {
    const own = finder.find(claimed, criterion.evidenceFrom)
    if (own.verified) {
      supported = true
      return own
    }
    missing.push(claimed.quote)
    const anybodys = finder.find(claimed, 'anybody')
    if (cited && anybodys.verified) supported = true
    return anybodys
  })
  return { ...claim, evidence, supported, missing }
}

function settled({ verdict, reason, evidence, supported, missing }: LookedFor): CheckedClaim {
  const doubtful = evidence.length > 0 && !evidence.some(({ verified }) => verified)
  if (supported) return { verdict, reason, evidence, doubtful }
  const quote = missing[0] === undefined ? '' : `: ${JSON.stringify(missing[0].slice(0, 200))}`
  const isOthers = evidence.some(({ quote: said, verified }) => verified && said === missing[0])
  const why = isOthers ? 'evidence of the wrong speaker' : 'evidence not in the transcript'
  return {
    verdict: 'unknown',
    reason: `${why}${quote} (the judge said ${verdict}: ${reason})`,
    evidence,
    doubtful: true,
  }
}

function turnsOf(
  found: readonly JudgeAnswer['injection'][],
  forgedIn: readonly number[],
  turns: number,
): number[] | undefined {
  const told = found.filter((one) => one.found)
  if (told.length === 0 && forgedIn.length === 0) return undefined
  const named = told.flatMap(({ turn }) => (turn !== null && turn >= 1 && turn <= turns ? [turn] : []))
  return [...new Set([...named, ...forgedIn])].sort((a, b) => a - b)
}
