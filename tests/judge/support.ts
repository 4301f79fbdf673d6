import { transcriptOf } from '../../src/transcript/transcript.ts'
import type { TranscriptEntry } from '../../src/transcript/types.ts'
import { parseCriteria } from '../../src/judge/criteria.ts'
import { judgeConversation, type JudgeContext } from '../../src/judge/judgeConversation.ts'
import type { Claim } from '../../src/judge/answer.ts'
import type { Criterion, CriterionVerdict, JudgedConversation, Judgement } from '../../src/judge/types.ts'
import type { CallPlace, ModelAnswer, ModelRequest } from '../../src/model/types.ts'

/** A reply of a fake judge: text, data, an error to throw, or a function of the request. */
export type Reply = string | object | ((request: ModelRequest) => string | object)

export interface FakeCalls {
  calls: JudgeContext['calls']
  requests: ModelRequest[]
  places: CallPlace[]
}

/** Calls that a script answers, by number, or the same function each time. */
export function fakeCalls(
  replies: readonly Reply[] | ((request: ModelRequest) => string | object),
): FakeCalls {
  const requests: ModelRequest[] = []
  const places: CallPlace[] = []
  return {
    requests,
    places,
    calls: {
      idOf: async (role) => (role === 'judge' ? 'fake-judge' : undefined),
      ask: (request, place) => {
        request.signal.throwIfAborted()
        const index = requests.push(request) - 1
        places.push(place)
        const next = typeof replies === 'function' ? replies : replies[index]
        if (next === undefined) return Promise.reject(new Error(`the judge was asked ${index + 1} times`))
        return Promise.resolve(next).then((reply): ModelAnswer => {
          const said = typeof reply === 'function' ? (reply as (r: ModelRequest) => unknown)(request) : reply
          if (Object.prototype.toString.call(said) === '[object Error]') throw said
          return { text: typeof said === 'string' ? said : JSON.stringify(said) }
        })
      },
    },
  }
}

export const user = (turn: number, text: string): TranscriptEntry => ({ turn, from: 'user', text })
export const agent = (turn: number, text: string, more: Partial<TranscriptEntry> = {}): TranscriptEntry => ({
  turn,
  from: 'agent',
  text,
  ...more,
})

export const refund: readonly TranscriptEntry[] = [
  user(1, 'Hi, I was charged twice for order #4411.'),
  agent(1, 'I have refunded the second charge of 20 euros.'),
  user(2, 'When do I get it?'),
  agent(2, 'You will have it within five working days.'),
]

export function conversationOf(
  entries: readonly TranscriptEntry[],
  more: Partial<JudgedConversation> = {},
): JudgedConversation {
  const turns = Math.max(0, ...entries.map(({ turn }) => turn))
  return { entries, turns, maxTurns: 10, endReason: 'goal', facts: [], ...more }
}

/** One criterion's part of an answer: a verdict, and a quote as `[turn, words]`. */
export function claim(verdict: CriterionVerdict, ...quotes: [number, string][]): Claim {
  return { evidence: quotes.map(([turn, quote]) => ({ turn, quote })), reason: `It is ${verdict}.`, verdict }
}

/** A whole answer of the judge. */
export function answer(
  verdicts: Record<string, Claim>,
  injection: { found: boolean; turn: number | null } = { found: false, turn: null },
): object {
  return { verdicts, injection }
}

/** The keys that a request asks for, in their order. */
export function keysAsked(request: ModelRequest): string[] {
  const { properties } = request.schema?.definition as { properties: { verdicts: { required: string[] } } }
  return properties.verdicts.required
}

export interface Judged extends FakeCalls {
  judgement: Judgement
}

export type Setting = Partial<Omit<JudgeContext, 'calls'>> & { conversation?: Partial<JudgedConversation> }

/** Judges a conversation by a fake judge. */
export async function judge(
  entries: readonly TranscriptEntry[],
  criteria: string | readonly Criterion[],
  replies: readonly Reply[] | ((request: ModelRequest) => string | object),
  { conversation: more = {}, ...setting }: Setting = {},
): Promise<Judged> {
  const fake = fakeCalls(replies)
  let ids = 0
  const conversation = conversationOf(entries, more)
  const judgement = await judgeConversation(
    conversation,
    parseCriteria(criteria, 'toPassConversation').criteria,
    {
      transcript: transcriptOf(entries, conversation.endReason),
      threshold: 1,
      partial: false,
      calls: fake.calls,
      id: () => `mark-${++ids}-of-the-test`,
      trial: 1,
      signal: new AbortController().signal,
      ...setting,
    },
  )
  return { ...fake, judgement }
}
