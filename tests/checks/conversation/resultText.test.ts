import { expect, test } from 'vitest'
import { scoreText } from '../../../src/checks/conversation/resultText.ts'
import type { CriterionResult, Judgement } from '../../../src/judge/types.ts'

const unmet = (nth: number): CriterionResult => ({
  key: `c${nth}`,
  id: `c${nth}`,
  kind: 'must',
  text: `criterion ${nth}`,
  weight: 1,
  required: false,
  verdict: 'not_met',
  reason: '',
  evidence: [],
  votes: [],
})

function textOf(count: number): string {
  const criteria = Array.from({ length: count }, (_, at) => unmet(at + 1))
  const judgement: Judgement = {
    outcome: 'failed',
    score: 0,
    scoreMax: 0,
    threshold: 1,
    criteria,
    votes: 1,
    raw: [],
    warnings: [],
  }
  return scoreText(judgement)
}

test.each([
  [1, 'not met: c1 "criterion 1"'],
  [3, 'not met: c1 "criterion 1", c2 "criterion 2" and c3 "criterion 3"'],
  [4, 'not met: c1 "criterion 1", c2 "criterion 2", c3 "criterion 3" and 1 more'],
  [6, 'not met: c1 "criterion 1", c2 "criterion 2", c3 "criterion 3" and 3 more'],
])('names at most 3 of %d criteria that are not met', (count, text) => {
  expect(textOf(count)).toBe(`score 0, 1 required; ${text}`)
})
