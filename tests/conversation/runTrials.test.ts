import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide, neededPasses, type CountedOutcome } from '../../src/conversation/statistics.ts'
import { runTrials, type TrialsOptions, type TrialsResult } from '../../src/conversation/runTrials.ts'

type Outcome = CountedOutcome | 'invalid' | 'error'
interface Result {
  trial: number
  outcome: Outcome
}

const hold = (
  outcomes: readonly Outcome[],
  options: Partial<TrialsOptions<Result>> = {},
): Promise<TrialsResult<Result>> => {
  const trials = options.trials ?? outcomes.length
  return runTrials<Result>({
    trials,
    passRate: 1,
    trialConcurrency: 1,
    maxInvalid: trials,
    signal: new AbortController().signal,
    run: async (trial) => {
      const outcome = outcomes[trial - 1]
      if (outcome === undefined) throw new Error(`nobody expects trial ${trial}`)
      return { trial, outcome }
    },
    ...options,
  })
}
const numbers = ({ trials }: TrialsResult<Result>): number[] => trials.map(({ trial }) => trial)

describe('one trial', () => {
  test.each(['passed', 'failed', 'inconclusive'] as const)(
    '%s is the result, without statistics',
    async (outcome) => {
      expect(await hold([outcome])).toEqual({ outcome, trials: [{ trial: 1, outcome }], warnings: [] })
    },
  )

  test('that was invalid is repeated under the next number', async () => {
    expect(await hold(['invalid', 'passed'], { trials: 1 })).toEqual({
      outcome: 'passed',
      trials: [
        { trial: 1, outcome: 'invalid' },
        { trial: 2, outcome: 'passed' },
      ],
      warnings: [
        '1 trial was repeated, because the simulated user broke or the trial decided nothing about the agent',
      ],
    })
  })

  test.each(['invalid', 'error'] as const)('%s once too often is the result', async (outcome) => {
    const result = await hold(['error', outcome], { trials: 1 })
    expect(result).toMatchObject({ outcome, trials: [{ outcome: 'error' }, { outcome }] })
    expect((await hold([outcome], { trials: 1, maxInvalid: 0 })).outcome).toBe(outcome)
  })

  test('that a retry would not fix is not repeated', async () => {
    const result = await hold(['error'], { trials: 1, worthAnother: ({ outcome }) => outcome === 'invalid' })
    expect(result).toEqual({ outcome: 'error', trials: [{ trial: 1, outcome: 'error' }], warnings: [] })
  })
})

describe('several trials', () => {
  test('stop when enough have passed', async () => {
    const result = await hold(['passed', 'passed', 'failed', 'passed'], { trials: 5, passRate: 0.6 })
    expect(result).toMatchObject({
      outcome: 'passed',
      statistics: { n: 4, passed: 3, failed: 1, planned: 5, needed: 3, decidedEarly: true, rerun: 0 },
      warnings: [],
    })
    expect(numbers(result)).toEqual([1, 2, 3, 4])
  })

  test('stop when too few can pass', async () => {
    const result = await hold(['failed', 'failed'], { trials: 5, passRate: 0.8 })
    expect(result).toMatchObject({ outcome: 'failed', statistics: { n: 2, decidedEarly: true } })
  })

  test('are inconclusive where the undecided decide', async () => {
    const result = await hold(['passed', 'inconclusive', 'failed'], { passRate: 2 / 3 })
    expect(result).toMatchObject({
      outcome: 'inconclusive',
      statistics: { n: 3, decidedEarly: false, needed: 2 },
    })
  })

  test('do not count a trial that was repeated', async () => {
    const result = await hold(['passed', 'error', 'invalid', 'passed', 'passed'], { trials: 3 })
    expect(result).toMatchObject({
      outcome: 'passed',
      statistics: { n: 3, passed: 3, rerun: 2, planned: 3, decidedEarly: false },
      warnings: [
        '2 trials were repeated, because the simulated user broke or the trial decided nothing about the agent',
      ],
    })
    expect(numbers(result)).toEqual([1, 2, 3, 4, 5])
  })

  test('are invalid as a whole when that happens too often; the others are kept', async () => {
    const result = await hold(['passed', 'invalid', 'invalid', 'error'], { trials: 3, maxInvalid: 2 })
    expect(result).toMatchObject({ outcome: 'error', statistics: { n: 1, passed: 1, rerun: 2 } })
    expect(numbers(result)).toEqual([1, 2, 3, 4])
  })

  const counted = fc.constantFrom<CountedOutcome>('passed', 'failed', 'inconclusive')
  test('have the same result whether they stop early or not', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(counted, { minLength: 1, maxLength: 8 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 4 }),
        async (outcomes, passRate, trialConcurrency) => {
          const count = (one: CountedOutcome): number => outcomes.filter((outcome) => outcome === one).length
          const all = {
            passed: count('passed'),
            failed: count('failed'),
            inconclusive: count('inconclusive'),
          }
          const needed = neededPasses(outcomes.length, passRate)
          const full = decide(all, outcomes.length, needed)
          const result = await hold(outcomes, { passRate, trialConcurrency })
          expect(result.outcome).toBe(full)
          expect(full).toBe(
            all.passed >= needed
              ? 'passed'
              : all.passed + all.inconclusive < needed
                ? 'failed'
                : 'inconclusive',
          )
        },
      ),
    )
  })

  test('never run more than can count and be repeated', async () => {
    const any = fc.constantFrom<Outcome>('passed', 'failed', 'inconclusive', 'invalid', 'error')
    await fc.assert(
      fc.asyncProperty(
        fc.array(any, { minLength: 20, maxLength: 20 }),
        fc.integer({ min: 1, max: 6 }),
        fc.nat(6),
        fc.integer({ min: 1, max: 4 }),
        async (outcomes, trials, maxInvalid, trialConcurrency) => {
          let [now, most, begun] = [0, 0, 0]
          const result = await hold(outcomes, {
            trials,
            maxInvalid,
            trialConcurrency,
            run: async (trial) => {
              begun++
              most = Math.max(most, ++now)
              await Promise.resolve()
              now--
              return { trial, outcome: outcomes[trial - 1]! }
            },
          })
          expect(begun).toBeLessThanOrEqual(trials + maxInvalid)
          expect(most).toBeLessThanOrEqual(Math.min(trialConcurrency, trials))
          expect(now).toBe(0)
          const unusable = result.trials.filter(({ outcome }) => outcome === 'invalid' || outcome === 'error')
          expect(unusable.length > maxInvalid).toBe(['invalid', 'error'].includes(result.outcome))
        },
      ),
    )
  })
})

describe('trials at the same time', () => {
  test('are limited to the given number; the result ends the running ones', async () => {
    const begun: number[] = []
    const stopped: number[] = []
    const result = await hold([], {
      trials: 4,
      trialConcurrency: 3,
      run: async (trial, signal) => {
        begun.push(trial)
        if (trial === 2) return { trial, outcome: 'failed' }
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
        stopped.push(trial)
        throw signal.reason
      },
    })
    expect(begun).toEqual([1, 2, 3])
    expect(stopped).toEqual([1, 3])
    expect(result).toMatchObject({
      outcome: 'failed',
      trials: [{ trial: 2 }],
      statistics: { n: 1, failed: 1 },
    })
  })

  test('ignore results after the end', async () => {
    const result = await hold([], {
      trials: 2,
      trialConcurrency: 2,
      run: async (trial, signal) => {
        if (trial === 2) return { trial, outcome: 'failed' }
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
        return { trial, outcome: 'error' }
      },
    })
    expect(numbers(result)).toEqual([2])
    expect(result.outcome).toBe('failed')
  })

  test('are reported in the order of their numbers', async () => {
    let release: () => void = () => {}
    const second = new Promise<void>((resolve) => (release = resolve))
    const result = await hold([], {
      trials: 2,
      trialConcurrency: 2,
      run: async (trial) => {
        if (trial === 1) await second
        else release()
        return { trial, outcome: 'passed' }
      },
    })
    expect(numbers(result)).toEqual([1, 2])
  })
})

describe('beforeTrial', () => {
  test('is awaited before each trial, even a repeated one', async () => {
    const seen: string[] = []
    await hold([], {
      trials: 2,
      beforeTrial: async (trial) => {
        await Promise.resolve()
        seen.push(`before ${trial}`)
      },
      run: async (trial) => {
        seen.push(`run ${trial}`)
        return { trial, outcome: trial === 1 ? 'invalid' : 'passed' }
      },
    })
    expect(seen).toEqual(['before 1', 'run 1', 'before 2', 'run 2', 'before 3', 'run 3'])
  })

  test.each<[string, () => Promise<void> | void, string]>([
    [
      'throws',
      () => {
        throw new TypeError('no database')
      },
      'no database',
    ],
    ['rejects', () => Promise.reject(new Error('no database')), 'no database'],
    [
      'throws a string',
      () => {
        throw 'no database'
      },
      'no database',
    ], // eslint-disable-line no-throw-literal
  ])('that %s is a usage error, and names the trial', async (_, fail, message) => {
    const held: number[] = []
    const promise = hold([], {
      trials: 3,
      beforeTrial: (trial) => (trial === 2 ? fail() : undefined),
      run: async (trial) => {
        held.push(trial)
        return { trial, outcome: 'passed' }
      },
    })
    await expect(promise).rejects.toMatchObject({
      name: 'A2AUsageError',
      code: 'BAD_USE',
      message: `beforeTrial threw before trial 2: ${message}`,
      fix: 'Nothing was sent to the agent in this trial. Make `beforeTrial` reset its state without throwing.',
    })
    expect(held).toEqual([1])
  })

  test('that never settles does not delay the end', async () => {
    const end = new AbortController()
    const promise = hold(['passed'], {
      trials: 2,
      signal: end.signal,
      beforeTrial: (trial) => {
        if (trial === 1) return
        queueMicrotask(() => end.abort(new Error('over')))
        return new Promise(() => {})
      },
    })
    expect(await promise).toMatchObject({ outcome: 'error', trials: [{ trial: 1 }] })
  })

  test('with concurrent trials gives a warning', async () => {
    const result = await hold(['passed', 'passed'], { trialConcurrency: 2, beforeTrial: () => {} })
    expect(result.warnings).toEqual([
      '`beforeTrial` resets shared state while other trials are still running: `trialConcurrency` is above 1',
    ])
  })
})

describe('the deadline', () => {
  const cut = (
    last: (trial: number, signal: AbortSignal) => Promise<Result>,
  ): Promise<TrialsResult<Result>> => {
    const end = new AbortController()
    return hold([], {
      trials: 4,
      passRate: 1,
      signal: end.signal,
      run: async (trial, signal) => {
        if (trial < 3) return { trial, outcome: 'passed' }
        end.abort(new Error('over'))
        return last(trial, signal)
      },
    })
  }

  test('keeps the earlier trials', async () => {
    const result = await cut(async (_, signal) => {
      throw signal.reason
    })
    expect(result).toMatchObject({
      outcome: 'error',
      statistics: { n: 2, passed: 2, planned: 4, rerun: 0, decidedEarly: false },
      warnings: ['the trials were stopped after 2 of 4; the rest could have changed the result'],
    })
    expect(numbers(result)).toEqual([1, 2])
  })

  test('keeps what the last one returned', async () => {
    const result = await cut(async (trial) => ({ trial, outcome: 'error' }))
    expect(result).toMatchObject({ outcome: 'error', statistics: { n: 2, rerun: 0 } })
    expect(numbers(result)).toEqual([1, 2, 3])
    expect((await cut(async (trial) => ({ trial, outcome: 'failed' }))).outcome).toBe('failed')
  })

  test('before any trial is rethrown', async () => {
    const over = new Error('over')
    await expect(hold(['passed'], { signal: AbortSignal.abort(over) })).rejects.toBe(over)
  })
})

test('rethrows what a trial throws, after the others have ended', async () => {
  const ended: number[] = []
  const promise = hold([], {
    trials: 2,
    trialConcurrency: 2,
    run: async (trial, signal) => {
      if (trial === 1) throw new Error('a bug')
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      ended.push(trial)
      throw signal.reason
    },
  })
  await expect(promise).rejects.toThrow('a bug')
  expect(ended).toEqual([2])
})
