import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { score } from '../../src/judge/score.ts'
import type { CriterionVerdict } from '../../src/judge/types.ts'

type One = Parameters<typeof score>[0][number]

const must = (verdict: CriterionVerdict, weight = 1, required = false): One => ({
  kind: 'must',
  weight,
  required,
  verdict,
})
const mustNot = (verdict: CriterionVerdict): One => ({ kind: 'mustNot', weight: 1, required: false, verdict })

describe('the outcome', () => {
  test.each<[string, One[], number, ReturnType<typeof score>]>([
    ['all met', [must('met'), must('met')], 1, { outcome: 'passed', score: 1, scoreMax: 1 }],
    ['one of two met', [must('met'), must('not_met')], 1, { outcome: 'failed', score: 0.5, scoreMax: 0.5 }],
    [
      'one of two met, half is enough',
      [must('met'), must('not_met')],
      0.5,
      { outcome: 'passed', score: 0.5, scoreMax: 0.5 },
    ],
    [
      'by weight',
      [must('met', 3), must('not_met', 1)],
      0.75,
      { outcome: 'passed', score: 0.75, scoreMax: 0.75 },
    ],
    [
      'an unknown that decides',
      [must('met'), must('unknown')],
      1,
      { outcome: 'inconclusive', score: 0.5, scoreMax: 1 },
    ],
    [
      'an unknown that cannot save it',
      [must('not_met'), must('unknown')],
      1,
      { outcome: 'failed', score: 0, scoreMax: 0.5 },
    ],
    [
      'an unknown that does not matter',
      [must('met'), must('unknown')],
      0.5,
      { outcome: 'passed', score: 0.5, scoreMax: 1 },
    ],
    [
      'a broken prohibition',
      [must('met'), mustNot('not_met')],
      0,
      { outcome: 'failed', score: 1, scoreMax: 1 },
    ],
    [
      'an undecided prohibition',
      [must('met'), mustNot('unknown')],
      1,
      { outcome: 'inconclusive', score: 1, scoreMax: 1 },
    ],
    [
      'an undecided prohibition next to a failure',
      [must('not_met'), mustNot('unknown')],
      1,
      { outcome: 'failed', score: 0, scoreMax: 0 },
    ],
    [
      'a required one that is unmet',
      [must('met', 9), must('not_met', 1, true)],
      0.5,
      { outcome: 'failed', score: 0.9, scoreMax: 0.9 },
    ],
    [
      'a required one that is unknown',
      [must('met', 9), must('unknown', 1, true)],
      0.5,
      { outcome: 'inconclusive', score: 0.9, scoreMax: 1 },
    ],
    ['prohibitions alone', [mustNot('met')], 1, { outcome: 'passed', score: 1, scoreMax: 1 }],
    [
      'prohibitions alone, broken',
      [mustNot('met'), mustNot('not_met')],
      1,
      { outcome: 'failed', score: 0, scoreMax: 0 },
    ],
    [
      'prohibitions alone, undecided',
      [mustNot('unknown')],
      1,
      { outcome: 'inconclusive', score: 0, scoreMax: 1 },
    ],
    [
      'weights whose sum is endless',
      [must('met', 1e308), must('met', 1e308)],
      1,
      { outcome: 'passed', score: 1, scoreMax: 1 },
    ],
  ])('%s', (_, criteria, threshold, wanted) => {
    expect(score(criteria, threshold)).toEqual(wanted)
  })

  test('tolerates floating-point errors', () => {
    const criteria = [must('met', 0.1), must('met', 0.2), must('not_met', 0.7)]
    expect(score(criteria, 0.3).outcome).toBe('passed')
    expect(score(criteria, 0.3 + 1e-6).outcome).toBe('failed')
  })

  test('counts unknown as unmet with unknownAs', () => {
    expect(score([must('met'), must('unknown')], 1, 'not_met')).toEqual({
      outcome: 'failed',
      score: 0.5,
      scoreMax: 0.5,
    })
    expect(score([must('met'), mustNot('unknown')], 1, 'not_met').outcome).toBe('failed')
  })
})

describe('for any criteria', () => {
  const verdict = fc.constantFrom<CriterionVerdict>('met', 'not_met', 'unknown')
  const one = fc.record<One>({
    kind: fc.constantFrom('must', 'mustNot', 'check'),
    weight: fc.oneof(fc.double({ min: 1e-3, max: 1e3, noNaN: true }), fc.integer({ min: 1, max: 5 })),
    required: fc.boolean(),
    verdict,
  })
  const fixed = fc.array(
    one.map((all) => (all.kind === 'mustNot' ? { ...all, weight: 1, required: false } : all)),
    { minLength: 1, maxLength: 8 },
  )
  const threshold = fc.double({ min: 0, max: 1, noNaN: true })
  const rank = { failed: 0, inconclusive: 1, passed: 2 }
  const better = { not_met: 'unknown', unknown: 'met', met: 'met' } as const

  test('0 <= score <= scoreMax <= 1', () => {
    fc.assert(
      fc.property(fixed, threshold, (criteria, least) => {
        const { score: reached, scoreMax } = score(criteria, least)
        expect(reached).toBeGreaterThanOrEqual(0)
        expect(scoreMax).toBeGreaterThanOrEqual(reached)
        expect(scoreMax).toBeLessThanOrEqual(1 + 1e-12)
      }),
    )
  })

  test('without an unknown nothing is inconclusive, nor where unknown counts as unmet', () => {
    fc.assert(
      fc.property(fixed, threshold, (criteria, least) => {
        const sure = criteria.filter((all) => all.verdict !== 'unknown')
        expect(score(sure, least).outcome).not.toBe('inconclusive')
        expect(score(criteria, least, 'not_met').outcome).not.toBe('inconclusive')
      }),
    )
  })

  test('a better verdict never makes a worse outcome or score, nor does a lower threshold', () => {
    fc.assert(
      fc.property(fixed, threshold, threshold, fc.nat(), (criteria, a, b, at) => {
        const before = score(criteria, a)
        const improved = criteria.map((all, index) =>
          index === at % criteria.length ? { ...all, verdict: better[all.verdict] } : all,
        )
        const after = score(improved, a)
        expect(rank[after.outcome]).toBeGreaterThanOrEqual(rank[before.outcome])
        expect(after.score).toBeGreaterThanOrEqual(before.score - 1e-12)
        const [low, high] = a < b ? [a, b] : [b, a]
        expect(rank[score(criteria, low).outcome]).toBeGreaterThanOrEqual(rank[score(criteria, high).outcome])
      }),
    )
  })

  test('inconclusive means that the unknown decide: either way is possible', () => {
    fc.assert(
      fc.property(fixed, threshold, (criteria, least) => {
        const all = (verdictOf: CriterionVerdict): One[] =>
          criteria.map((each) => (each.verdict === 'unknown' ? { ...each, verdict: verdictOf } : each))
        const { outcome } = score(criteria, least)
        const [best, worst] = [score(all('met'), least).outcome, score(all('not_met'), least).outcome]
        const wanted = best === worst ? best : 'inconclusive'
        expect(outcome).toBe(wanted)
      }),
    )
  })

  test('passed keeps all gates, and reaches the threshold', () => {
    fc.assert(
      fc.property(fixed, threshold, (criteria, least) => {
        const { outcome, score: reached } = score(criteria, least)
        if (outcome !== 'passed') return
        expect(reached).toBeGreaterThanOrEqual(least - 1e-9)
        const gates = criteria.filter(({ kind, required }) => kind === 'mustNot' || required)
        expect(gates.every((gate) => gate.verdict === 'met')).toBe(true)
      }),
    )
  })
})
