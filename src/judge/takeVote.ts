import { A2AModelError } from '../core/errors.ts'
import { readJson } from '../model/answer.ts'
import type { ModelAnswer, ModelCalls, ModelMessage } from '../model/types.ts'
import type { QuoteFinder } from './evidence.ts'
import { formatReAsk, judgeQuestion, judgeRules, quoteReAsk } from './prompt.ts'
import { judgeAnswer, type Claim, type JudgeAnswer } from './answer.ts'
import type { CriterionVerdict, Evidence, JudgedConversation, ParsedCriterion } from './types.ts'

/** What a vote needs. */
export interface VoteContext {
  conversation: JudgedConversation
  finder: QuoteFinder
  calls: Pick<ModelCalls, 'ask'>
  /** Makes markers that nobody in the conversation can know. */
  id: () => string
  temperature: number
  trial: number
  signal: AbortSignal
}

/** One vote's verdict on a criterion, after its quotes were looked up. */
export interface CheckedClaim {
  verdict: CriterionVerdict
  reason: string
  evidence: Evidence[]
  /** True if it has quotes, but none of them is in the transcript. */
  doubtful: boolean
}

/** One vote on all criteria it was asked about. */
export interface Vote {
  claims: Map<string, CheckedClaim>
  /** Turns that tried to steer the judge; undefined if none did, empty if it is unknown which. */
  injection: number[] | undefined
  elisions: string[]
  /** What the judge wrote. */
  raw: string[]
}

/** The most calls of a vote: the question, again if the answer cannot be read, and again for its quotes. */
const callsOfVote = 3

/**
 * Takes one vote. Asks again, once each, after an answer of the wrong form and for quotes that nobody said; `as claimed` accepts
 * verdicts without looking up their quotes. Throws A2AModelError `MODEL_ANSWER` for a second answer of the wrong form, and what `ask`
 * throws.
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
  const dialogue = new JudgeDialogue(context, question.text, nonce, (nth - 1) * callsOfVote)
  const answer = await dialogue.ask(criteria.map(({ key }) => key))
  const claims = new Map(
    criteria.map((criterion) => [criterion.key, check(criterion, answer.verdicts, finder)]),
  )
  if (quotes === 'as claimed') for (const claim of claims.values()) claim.supported = true
  const injections = [answer.injection]

  const wrong = criteria.filter(({ key }) => claims.get(key)?.supported === false)
  if (wrong.length > 0) {
    const missing = wrong.map(({ key }) => ({ key, quotes: claims.get(key)?.missing ?? [] }))
    const second = await dialogue.askForQuotes(missing)
    if (second !== undefined) {
      injections.push(second.injection)
      for (const one of wrong) claims.set(one.key, check(one, second.verdicts, finder))
    }
  }
  return {
    claims: new Map([...claims].map(([key, claim]) => [key, settled(claim)])),
    injection: turnsOf(injections, question.forgedIn, conversation.turns),
    elisions: question.elisions,
    raw: dialogue.raw,
  }
}

type Reading = { answer: JudgeAnswer; text: string } | { problem: string; text: string }

/** The calls of one vote. Each has its own attempt number, which is its place in a cassette. */
class JudgeDialogue {
  /** What the judge wrote, call by call. */
  readonly raw: string[] = []
  private readonly context: VoteContext
  private readonly opening: readonly ModelMessage[]
  private readonly nonce: string
  private readonly attemptsBefore: number

  constructor(context: VoteContext, question: string, nonce: string, attemptsBefore: number) {
    this.context = context
    this.opening = [{ role: 'user', content: question }]
    this.nonce = nonce
    this.attemptsBefore = attemptsBefore
  }

  /** Asks for verdicts; once more if the answer cannot be read. */
  async ask(keys: readonly string[]): Promise<JudgeAnswer> {
    let reading = await this.call(keys, this.opening, 1)
    if ('problem' in reading) {
      const messages = this.replyTo(reading.text, formatReAsk(reading.problem, keys))
      reading = await this.call(keys, messages, 2)
    }
    if ('answer' in reading) return reading.answer
    throw new A2AModelError('MODEL_ANSWER', `the judge gave no usable verdict: ${reading.problem}.`, {
      raw: reading.text.slice(0, 500),
      fix: 'Try a model that follows a JSON schema.',
    })
  }

  /** Asks for better quotes; undefined if the answer cannot be read. */
  async askForQuotes(
    missing: readonly { key: string; quotes: string[] }[],
  ): Promise<JudgeAnswer | undefined> {
    const keys = missing.map(({ key }) => key)
    const messages = this.replyTo(this.raw.at(-1) ?? '', quoteReAsk(missing))
    const reading = await this.call(keys, messages, 3)
    return 'answer' in reading ? reading.answer : undefined
  }

  private async call(
    keys: readonly string[],
    messages: readonly ModelMessage[],
    attempt: number,
  ): Promise<Reading> {
    const { calls, conversation, temperature, trial, signal } = this.context
    const document = await judgeAnswer(keys)
    const answer = await calls.ask(
      {
        role: 'judge',
        system: judgeRules,
        messages,
        schema: { name: 'verdicts', definition: document.jsonSchema },
        temperature,
        nonce: this.nonce,
        signal,
      },
      { trial, turn: conversation.turns, attempt: this.attemptsBefore + attempt },
    )
    const text = textOf(answer)
    this.raw.push(text)
    const reading = readJson(answer, document.check)
    return 'problem' in reading ? { problem: reading.problem, text } : { answer: reading.value, text }
  }

  private replyTo(judge: string, next: string): ModelMessage[] {
    // Some services refuse a message without text.
    const content = judge.trim() === '' ? '(nothing)' : judge
    return [...this.opening, { role: 'assistant', content }, { role: 'user', content: next }]
  }
}

function textOf({ text, json }: ModelAnswer): string {
  return text === '' && json !== undefined ? JSON.stringify(json) : text
}

/** A marker that does not occur in the conversation. */
function freshNonce(conversation: JudgedConversation, id: () => string): string {
  const text = JSON.stringify(conversation.entries)
  for (let tries = 0; tries < 100; tries++) {
    const nonce = id().replaceAll(/[^a-zA-Z0-9]/g, '')
    if (nonce !== '' && !text.includes(nonce)) return nonce
  }
  throw new A2AModelError(
    'MODEL_ANSWER',
    'every marker that `id` of Deps made is already in the conversation.',
    {
      fix: 'Let `id` return a different value in each call.',
    },
  )
}

interface LookedUp extends Claim {
  evidence: Evidence[]
  /** False if the verdict needs a quote and has none of the right speaker. */
  supported: boolean
  /** Quotes that the right speaker did not say. */
  missing: string[]
}

function check(criterion: ParsedCriterion, verdicts: Record<string, Claim>, finder: QuoteFinder): LookedUp {
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

function settled({ verdict, reason, evidence, supported, missing }: LookedUp): CheckedClaim {
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
  const reported = found.filter((one) => one.found)
  if (reported.length === 0 && forgedIn.length === 0) return undefined
  const named = reported.flatMap(({ turn }) => (turn !== null && turn >= 1 && turn <= turns ? [turn] : []))
  return [...new Set([...named, ...forgedIn])].sort((a, b) => a - b)
}
