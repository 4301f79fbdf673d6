import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide, neededPasses, passHatK, statistics, wilson } from '../../src/conversation/statistics.ts'

describe('the Wilson interval', () => {
  test.each([
    [1, 1, 0.21, 1],
    [2, 3, 0.21, 0.94],
    [3, 3, 0.44, 1],
    [4, 5, 0.38, 0.96],
    [5, 5, 0.57, 1],
    [8, 10, 0.49, 0.94],
    [9, 10, 0.6, 0.98],
    [10, 10, 0.72, 1],
    [18, 20, 0.7, 0.97],
    [20, 20, 0.84, 1],
    [0, 3, 0, 0.56],
    [0, 0, 0, 1],
  ])('of %i in %i is %d to %d', (successes, n, low, high) => {
    const interval = wilson(successes, n)
    expect(interval.map((bound) => Math.round(bound * 100) / 100)).toEqual([low, high])
    if (successes === n) expect(interval[1]).toBe(1)
    if (successes === 0) expect(interval[0]).toBe(0)
  })

  test('contains the rate, lies in 0 to 1, and narrows with more trials', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(500), (n, some) => {
        const successes = Math.min(some, n)
        const [low, high] = wilson(successes, n)
        expect(low).toBeGreaterThanOrEqual(0)
        expect(high).toBeLessThanOrEqual(1)
        expect(low).toBeLessThanOrEqual(successes / n)
        expect(high).toBeGreaterThanOrEqual(successes / n)
        const [more, less] = wilson(successes * 4, n * 4)
        expect(less - more).toBeLessThan(high - low)
      }),
    )
  })
})

describe('pass^k', () => {
  test.each([
    [4, 5, 1, 0.8],
    [4, 5, 2, 0.6],
    [4, 5, 3, 0.4],
    [9, 10, 3, 0.7],
    [9, 10, 5, 0.5],
    [5, 5, 5, 1],
    [1, 5, 2, 0],
    [0, 5, 1, 0],
    [3, 5, 6, 0],
  ])('of %i in %i for %i is %d', (successes, n, k, chance) => {
    expect(passHatK(successes, n, k)).toBeCloseTo(chance, 12)
  })

  test('is the share of all choices of k trials that passed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }),
        fc.integer({ min: 1, max: 9 }),
        (list, k) => {
          let [all, good] = [0, 0]
          for (let set = 0; set < 1 << list.length; set++) {
            const chosen = list.filter((_, i) => (set >> i) & 1)
            if (chosen.length !== k) continue
            all++
            if (chosen.every(Boolean)) good++
          }
          const passed = list.filter(Boolean).length
          expect(passHatK(passed, list.length, k)).toBeCloseTo(all === 0 ? 0 : good / all, 9)
        },
      ),
    )
  })
})

describe('needed', () => {
  test.each([
    [1, 1, 1],
    [5, 0.8, 4],
    [3, 0.75, 3],
    [10, 0.7, 7],
    [3, 2 / 3, 2],
    [100, 0.07, 7],
    [4, 0, 0],
  ])('of %i with %d is %i', (trials, rate, passes) => {
    expect(neededPasses(trials, rate)).toBe(passes)
  })
})

describe('decided', () => {
  test.each([
    ['nothing yet', [0, 0, 0], undefined],
    ['enough passed', [3, 0, 0], 'passed'],
    ['too many failed', [0, 3, 0], 'failed'],
    ['it may still pass', [2, 2, 0], undefined],
    ['it may still fail', [1, 1, 2], undefined],
    ['all done, undecided', [2, 1, 2], 'inconclusive'],
    ['all done, failed', [1, 3, 1], 'failed'],
    ['unknown never hides a pass', [3, 0, 2], 'passed'],
  ] as const)('5 trials, 3 needed: %s', (_, [passed, failed, inconclusive], outcome) => {
    expect(decide({ passed, failed, inconclusive }, 5, 3)).toBe(outcome)
  })

  test('with a rate of 0 one trial runs anyway', () => {
    expect(decide({ passed: 0, failed: 0, inconclusive: 0 }, 3, 0)).toBeUndefined()
    expect(decide({ passed: 0, failed: 1, inconclusive: 0 }, 3, 0)).toBe('passed')
  })
})

test('the figures', () => {
  expect(statistics({ passed: 4, failed: 1, inconclusive: 0 }, { planned: 5, needed: 4, rerun: 2 })).toEqual({
    n: 5,
    passed: 4,
    failed: 1,
    inconclusive: 0,
    rerun: 2,
    planned: 5,
    needed: 4,
    passRate: 0.8,
    ci95: wilson(4, 5),
    passHat: { 1: 0.8, 2: expect.closeTo(0.6), 3: expect.closeTo(0.4), 4: expect.closeTo(0.2), 5: 0 },
    decidedEarly: false,
  })
  expect(
    statistics({ passed: 3, failed: 0, inconclusive: 0 }, { planned: 5, needed: 3, rerun: 0 }),
  ).toMatchObject({
    n: 3,
    decidedEarly: true,
  })
  expect(
    statistics({ passed: 0, failed: 0, inconclusive: 0 }, { planned: 5, needed: 3, rerun: 0 }),
  ).toMatchObject({
    n: 0,
    passRate: 0,
    ci95: [0, 1],
    passHat: {},
    decidedEarly: false,
  })
})
