import { linkedController, orAborted, throwIfAborted, type LinkedController } from '../core/abort.ts'
import { A2AUsageError, isA2AError } from '../core/errors.ts'
import { isRecord } from '../core/guards.ts'
import { decide, neededPasses, statistics, type CountedOutcome } from './statistics.ts'
import type { TrialResult, TrialStatistics } from './types.ts'

type Outcome = TrialResult['outcome']

export interface TrialsOptions<T extends { outcome: Outcome }> {
  /** Trials that must count. */
  trials: number
  passRate: number
  trialConcurrency: number
  /** Trials that may be repeated. */
  maxInvalid: number
  beforeTrial?: ((trial: number) => void | Promise<void>) | undefined
  /**
   * Runs one trial. Trials are numbered from 1 in the order in which they start; a repeated one gets the next number, so that its seed
   * and its place in a cassette are new. The signal also fires once the rest cannot change the result.
   */
  run: (trial: number, signal: AbortSignal) => Promise<T>
  /** False if another trial would not help: no model, no time. Default: always true. */
  worthAnother?: (result: T) => boolean
  signal: AbortSignal
}

export interface TrialsResult<T> {
  outcome: Outcome
  /** All that finished, in the order of their numbers, including those that were repeated. */
  trials: T[]
  /** Absent for a single trial. */
  statistics?: TrialStatistics
  warnings: string[]
}

/**
 * Runs trials until the result is certain. Throws A2AUsageError `BAD_USE` if `beforeTrial` throws, what `run` throws, and the reason of
 * the signal if it is aborted before any trial finished.
 */
export async function runTrials<T extends { outcome: Outcome }>(
  options: TrialsOptions<T>,
): Promise<TrialsResult<T>> {
  return new Trials(options).run()
}

/** Trials while they run. */
class Trials<T extends { outcome: Outcome }> {
  private readonly options: TrialsOptions<T>
  private readonly needed: number
  private readonly stop: LinkedController
  private readonly counts: Record<CountedOutcome, number> = { passed: 0, failed: 0, inconclusive: 0 }
  private readonly results = new Map<number, T>()
  private readonly running = new Set<Promise<void>>()
  private started = 0
  private unusable = 0
  private rerun = 0
  private ended: { outcome: Outcome } | { thrown: unknown } | undefined

  constructor(options: TrialsOptions<T>) {
    this.options = { ...options, trialConcurrency: Math.max(1, options.trialConcurrency) }
    this.needed = neededPasses(options.trials, options.passRate)
    this.stop = linkedController(options.signal)
  }

  async run(): Promise<TrialsResult<T>> {
    while (!this.stop.signal.aborted) {
      this.startMore()
      await Promise.race(this.running)
    }
    await Promise.all(this.running)
    this.stop.unlink()
    return this.result()
  }

  private startMore(): void {
    const { trials, trialConcurrency } = this.options
    const { passed, failed, inconclusive } = this.counts
    const done = passed + failed + inconclusive
    while (this.running.size < trialConcurrency && done + this.running.size < trials) {
      const trial: Promise<void> = this.runOne(++this.started).finally(() => this.running.delete(trial))
      this.running.add(trial)
    }
  }

  private async runOne(trial: number): Promise<void> {
    const { signal } = this.stop
    try {
      await prepare(this.options.beforeTrial, trial, signal)
      const result = await this.options.run(trial, signal)
      // Later results come from trials that were aborted, and decide nothing.
      if (this.ended === undefined) this.take(trial, result)
    } catch (error) {
      // An aborted trial may throw.
      if (!signal.aborted) this.end({ thrown: error })
    }
  }

  private take(trial: number, result: T): void {
    const { trials, maxInvalid, signal, worthAnother = () => true } = this.options
    this.results.set(trial, result)
    const { outcome } = result
    if (outcome === 'invalid' || outcome === 'error') {
      this.unusable++
      if (!worthAnother(result) || this.unusable > maxInvalid) this.end({ outcome })
      else if (!signal.aborted) this.rerun++
      return
    }
    this.counts[outcome]++
    const decided = decide(this.counts, trials, this.needed)
    if (decided !== undefined) this.end({ outcome: decided })
  }

  private end(how: NonNullable<typeof this.ended>): void {
    this.ended ??= how
    this.stop.abort(new Error('The result of the trials is certain.'))
  }

  private result(): TrialsResult<T> {
    const { ended, results, counts, needed, rerun } = this
    const { trials: planned, signal } = this.options
    if (ended !== undefined && 'thrown' in ended) throw ended.thrown
    if (ended === undefined && results.size === 0) throw signal.reason
    const figures = statistics(counts, { planned, needed, rerun })
    return {
      outcome: ended?.outcome ?? 'error',
      trials: [...results].sort(([a], [b]) => a - b).map(([, result]) => result),
      ...(planned > 1 && { statistics: figures }),
      warnings: this.warnings(figures),
    }
  }

  private warnings({ n, rerun }: TrialStatistics): string[] {
    const { trials: planned, beforeTrial, trialConcurrency } = this.options
    const found: string[] = []
    if (this.ended === undefined) {
      found.push(`the trials were stopped after ${n} of ${planned}; the rest could have changed the result`)
    }
    if (rerun > 0) {
      found.push(
        `${rerun === 1 ? '1 trial was' : `${rerun} trials were`} repeated, because the simulated user broke or the trial decided nothing about the agent`,
      )
    }
    if (beforeTrial !== undefined && trialConcurrency > 1 && planned > 1) {
      found.push(
        '`beforeTrial` resets shared state while other trials are still running: `trialConcurrency` is above 1',
      )
    }
    return found
  }
}

/** Calls `beforeTrial`, and waits no longer than the signal allows. */
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
    const reason = isA2AError(error) || isErrorLike(error) ? error.message : String(error)
    throw new A2AUsageError('BAD_USE', `beforeTrial threw before trial ${trial}: ${reason}`, {
      fix: 'Nothing was sent to the agent in this trial. Make `beforeTrial` reset its state without throwing.',
      cause: error,
    })
  }
}

function isErrorLike(error: unknown): error is { message: string } {
  return isRecord(error) && typeof error['message'] === 'string'
}
