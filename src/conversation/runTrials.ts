import { linkedController, orAborted, throwIfAborted } from '../core/abort.ts'
import { A2AUsageError, isA2AError } from '../core/errors.ts'
import { decide, neededPasses, statistics, type CountedOutcome } from './statistics.ts'
import type { TrialResult, TrialStatistics } from './types.ts'

type Outcome = TrialResult['outcome']

export interface TrialsOptions<T extends { outcome: Outcome }> {
  /** Trials that shall count. */
  trials: number
  passRate: number
  trialConcurrency: number
  /** Trials that may be held again. */
  maxInvalid: number
  beforeTrial?: (trial: number) => void | Promise<void>
  /**
   * Holds one trial. Trials are numbered from 1 in the order in which they begin; one that is held again gets the next number, so
   * that its seed and its place in a cassette are new. The signal also fires once the rest cannot change the result.
   */
  run: (trial: number, signal: AbortSignal) => Promise<T>
  /** False for a result that another try would not fix: no model, no time. Default: always true. */
  worthAnother?: (result: T) => boolean
  signal: AbortSignal
}

export interface TrialsResult<T> {
  outcome: Outcome
  /** All that came to an end, in the order of their numbers; also those that were held again. */
  trials: T[]
  /** Absent for a single trial. */
  statistics?: TrialStatistics
  warnings: string[]
}

/**
 * Holds trials until the result is certain. Throws A2AUsageError `BAD_USE` where `beforeTrial` throws, what `run` throws, and the
 * reason of the signal where that is aborted before any trial came to an end.
 */
export async function runTrials<T extends { outcome: Outcome }>(
  options: TrialsOptions<T>,
): Promise<TrialsResult<T>> {
  const { trials: planned, passRate, maxInvalid, signal } = options
  const trialConcurrency = Math.max(1, options.trialConcurrency)
  const needed = neededPasses(planned, passRate)
  const counts: Record<CountedOutcome, number> = { passed: 0, failed: 0, inconclusive: 0 }
  const results = new Map<number, T>()
  const stop = linkedController(signal)
  const both = stop.signal
  const running = new Set<Promise<void>>()
  let started = 0
  let unusable = 0
  let rerun = 0
  let ended: { outcome: Outcome } | { thrown: unknown } | undefined

  const end = (how: NonNullable<typeof ended>): void => {
    ended ??= how
    stop.abort(new Error('The result of the trials is certain.'))
  }
  const take = (trial: number, result: T): void => {
    results.set(trial, result)
    const { outcome } = result
    if (outcome === 'invalid' || outcome === 'error') {
      unusable++
      const again = options.worthAnother?.(result) ?? true
      if (!again || unusable > maxInvalid) end({ outcome })
      else if (!signal.aborted) rerun++
      return
    }
    counts[outcome]++
    const decided = decide(counts, planned, needed)
    if (decided !== undefined) end({ outcome: decided })
  }
  const hold = async (trial: number): Promise<void> => {
    try {
      await prepare(options.beforeTrial, trial, both)
      const result = await options.run(trial, both)
      // What comes after the end was cut off by it, and says nothing.
      if (ended === undefined) take(trial, result)
    } catch (error) {
      // Whoever was told to stop may throw.
      if (!both.aborted) end({ thrown: error })
    }
  }

  while (!both.aborted) {
    const done = counts.passed + counts.failed + counts.inconclusive
    while (running.size < trialConcurrency && done + running.size < planned) {
      const trial: Promise<void> = hold(++started).finally(() => running.delete(trial))
      running.add(trial)
    }
    await Promise.race(running)
  }
  await Promise.all(running)
  stop.unlink()

  if (ended !== undefined && 'thrown' in ended) throw ended.thrown
  if (ended === undefined && results.size === 0) throw signal.reason
  const outcome: Outcome = ended?.outcome ?? 'error'
  const figures = statistics(counts, { planned, needed, rerun })
  return {
    outcome,
    trials: [...results].sort(([a], [b]) => a - b).map(([, result]) => result),
    ...(planned > 1 ? { statistics: figures } : {}),
    warnings: [
      ...(ended === undefined
        ? [`the trials were stopped after ${figures.n} of ${planned}; the rest could have changed the result`]
        : []),
      ...(figures.rerun === 0
        ? []
        : [
            `${figures.rerun === 1 ? '1 trial was' : `${figures.rerun} trials were`} held again, because the simulated user broke or nothing could be said of the agent`,
          ]),
      ...(options.beforeTrial !== undefined && trialConcurrency > 1 && planned > 1
        ? [
            '`beforeTrial` puts the world of the agent in order while other trials go on: `trialConcurrency` is above 1',
          ]
        : []),
    ],
  }
}

/** Waits for the test's own function, but not beyond the end. */
async function prepare(
  beforeTrial: ((trial: number) => void | Promise<void>) | undefined,
  trial: number,
  signal: AbortSignal,
): Promise<void> {
  throwIfAborted(signal)
  if (beforeTrial === undefined) return
  try {
    await orAborted((async () => beforeTrial(trial))(), signal)
  } catch (error) {
    if (signal.aborted) throw error
    const told = isA2AError(error) || isErrorLike(error) ? error.message : String(error)
    throw new A2AUsageError('BAD_USE', `beforeTrial threw before trial ${trial}: ${told}`, {
      fix: 'Nothing was sent to the agent; let `beforeTrial` put its world in order without throwing.',
      cause: error,
    })
  }
}

function isErrorLike(error: unknown): error is { message: string } {
  return (
    typeof error === 'object' &&
    error !== null &&
    typeof (error as { message?: unknown }).message === 'string'
  )
}
