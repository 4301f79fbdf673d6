import { describe, expect, test } from 'vitest'
import { allowed, faster, slower, waitFor, type Pace } from '../../src/model/pace.ts'

const now = 1_750_000_000_000

/** The pace after that number of answers. */
function after(answers: number, pace: Pace, limit: number): Pace {
  let current = pace
  for (let index = 0; index < answers; index++) current = faster(current, limit, now)
  return current
}

describe('the pace', () => {
  test('is the limit at first, and answers do not change it', () => {
    const pace: Pace = {}
    expect(allowed(pace, 4, now)).toBe(4)
    expect(faster(pace, 4, now)).toBe(pace)
  })

  test('halves with each refusal, down to 1', () => {
    let pace: Pace = {}
    const caps = [1, 2, 3, 4].map((step) => {
      pace = slower(pace, 9, now + step, { startedAt: now + step })
      return allowed(pace, 9, now + step)
    })
    expect(caps).toEqual([4, 2, 1, 1])
  })

  test('halves once for calls that were running at the same time', () => {
    const first = slower({}, 8, now, { startedAt: now - 50 })
    const second = slower(first, 8, now + 10, { startedAt: now - 40 })
    expect(allowed(second, 8, now + 10)).toBe(4)
    expect(allowed(slower(second, 8, now + 20, { startedAt: now + 5 }), 8, now + 20)).toBe(2)
  })

  test('grows by one with five answers, up to the limit', () => {
    const halved = slower({}, 4, now, { startedAt: now })
    expect([4, 5, 9, 10].map((answers) => allowed(after(answers, halved, 4), 4, now))).toEqual([2, 3, 3, 4])
    expect(after(11, halved, 4)).toEqual({})
  })

  test('is never above a lower limit', () => {
    expect(allowed(slower({}, 8, now, { startedAt: now }), 2, now)).toBe(2)
  })

  test('is the limit again after two minutes', () => {
    const halved = slower({}, 4, now, { startedAt: now })
    expect(allowed(halved, 4, now + 119_000)).toBe(2)
    expect(allowed(halved, 4, now + 121_000)).toBe(4)
  })
})

describe('the pause', () => {
  test('is as long as was asked for, and no call starts meanwhile', () => {
    const pace = slower({}, 4, now, { startedAt: now, retryAfterMs: 3_000 })
    expect([waitFor(pace, now), waitFor(pace, now + 2_999), waitFor(pace, now + 3_000)]).toEqual([
      3_000, 1, 0,
    ])
    expect([allowed(pace, 4, now + 2_999), allowed(pace, 4, now + 3_000)]).toEqual([0, 2])
  })

  test('is the longer of two', () => {
    const long = slower({}, 4, now, { startedAt: now, retryAfterMs: 3_000 })
    expect(waitFor(slower(long, 4, now + 10, { startedAt: now, retryAfterMs: 10 }), now + 10)).toBe(2_990)
  })

  test('is an hour if an hour was asked for', () => {
    const pace = slower({}, 4, now, { startedAt: now, retryAfterMs: 3_600_000 })
    expect(waitFor(pace, now)).toBe(3_600_000)
  })

  test('outlives an answer to a call that was running', () => {
    const pace = slower({}, 1, now, { startedAt: now, retryAfterMs: 3_000 })
    expect(waitFor(faster(pace, 1, now + 10), now + 10)).toBe(2_990)
  })
})
