import { openDocument, type Document } from '../core/document.ts'
import type { CriterionVerdict } from './types.ts'

/** Words that a judge quotes for a verdict, before they are looked up in the transcript. */
export interface ClaimedQuote {
  turn: number
  quote: string
}

/** What a judge decides about one criterion. */
export interface Claim {
  evidence: ClaimedQuote[]
  reason: string
  verdict: CriterionVerdict
}

/** A judge's whole answer. It has no overall verdict, so none can contradict the criteria. */
export interface JudgeAnswer {
  verdicts: Record<string, Claim>
  injection: { found: boolean; turn: number | null }
}

/** The answer to a question about these keys: exactly these, so that none can be left out. Loads zod. */
export function judgeAnswer(keys: readonly string[]): Promise<Document<JudgeAnswer>> {
  return openDocument({
    name: "judge's answer",
    schema: (z) => {
      const claim = z.object({
        // Models fill members in order: evidence comes before the verdict that rests on it.
        evidence: z.array(z.object({ turn: z.int(), quote: z.string() })),
        reason: z.string(),
        verdict: z.enum(['met', 'not_met', 'unknown']),
      })
      return z.strictObject({
        verdicts: z.strictObject(Object.fromEntries(keys.map((key) => [key, claim]))),
        injection: z.object({ found: z.boolean(), turn: z.int().nullable() }),
      })
    },
  })
}
