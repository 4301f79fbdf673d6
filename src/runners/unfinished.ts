import { A2AConnectionError, A2AUsageError } from '../core/errors.ts'
import { shared } from './state.ts'
import type { OpenBudget } from './budget.ts'
import { isCalledBy, ObservedPromise } from './observedPromise.ts'
import type { RunningTest } from './runningTest.ts'
import type { MatcherResult } from './types.ts'

/** A matcher call that was not awaited, or not yet. */
export interface Unfinished {
  /** As it should have been written: `await expect(agent).not.toReply("hi")`. */
  call: string
  /** The test that it belongs to, where that is certain. */
  test?: RunningTest
  /** Where it was called, as a stack. */
  stack?: string
  /** Whether anything waits for it, if only a function that the test does not wait for. */
  awaited: boolean
  /** What it would have said, had anybody waited for it. */
  failure?: string
  /** Ends its work; its promise never settles then, so that nothing is blamed on a later test. */
  abandon(): void
}

/** How one call is watched. */
export interface WatchedCall {
  call: string
  negated: boolean
  test: RunningTest | undefined
  stack: string | undefined
  budget(): OpenBudget | undefined
  run(): Promise<MatcherResult>
}

/**
 * Runs a matcher and watches whether its test waits for it: a forgotten `await` would pass silently, or fail later under the name of
 * another test. Such a call fails its own test instead, whether it has settled by then or not.
 */
export function watch({ call, negated, test, stack, budget, run }: WatchedCall): Promise<MatcherResult> {
  let state: 'pending' | 'settled' | 'abandoned' = 'pending'
  const entry: Unfinished = {
    call,
    awaited: false,
    ...(test !== undefined && { test }),
    ...(stack !== undefined && { stack }),
    abandon() {
      if (state === 'pending') state = 'abandoned'
      shared.unfinished.delete(entry)
      budget()?.abort(new A2AConnectionError('ABORTED', 'the test ended without waiting for the agent'))
    },
  }
  const done = (): void => {
    if (state === 'settled' && entry.awaited) shared.unfinished.delete(entry)
  }
  const settled = (failure: string | undefined): void => {
    if (state === 'abandoned') return
    state = 'settled'
    if (!entry.awaited && failure !== undefined) {
      entry.failure = failure
      // With no fence to report it, Node's own report of an unhandled rejection is all there is.
      if (fenced) promise.keepQuiet()
    }
    done()
  }

  shared.unfinished.add(entry)
  const asked =
    test?.onFinished?.(() => {
      if (!shared.unfinished.has(entry)) return
      entry.abandon()
      // A test that failed by itself needs no second reason.
      if (!test.failed()) throw forgotten([entry])
    }) ?? false
  const fenced = asked || shared.runner === 'vitest' || shared.runner === 'jest'

  const promise = new ObservedPromise<MatcherResult>(
    (resolve, reject) => {
      run().then(
        (result) => {
          settled(result.pass === negated && !entry.awaited ? result.message() : undefined)
          if (state !== 'abandoned') resolve(result)
        },
        (error: Error) => {
          settled(error.message)
          if (state !== 'abandoned') reject(error)
        },
      )
    },
    () => {
      entry.awaited = true
      done()
    },
    // The function of Jest's `expect` that calls matchers and chains to what they return.
    shared.runner === 'jest' ? () => isCalledBy('throwingMatcher') : undefined,
  )
  return promise
}

/**
 * Fails the test that ends, when it left a matcher behind; for runners whose tests cannot be asked to call back (`afterEach`).
 * Throws A2AUsageError `BAD_USE`.
 */
export function refuseUnfinishedIn(key: object, failed: boolean): void {
  const left = [...shared.unfinished].filter((entry) => entry.test?.key === key)
  for (const entry of left) entry.abandon()
  if (left.length > 0 && !failed) throw forgotten(left)
}

/**
 * The net under the fences: fails the file for every matcher that no test could be blamed for (`afterAll`).
 * Throws A2AUsageError `BAD_USE`.
 */
export function refuseUnfinished(): void {
  const left = [...shared.unfinished]
  for (const entry of left) entry.abandon()
  // What is awaited by an unknown test was most likely cut off by the runner's limit, which has been reported.
  const blamed = left.filter(({ test, awaited }) => (test === undefined ? !awaited : !test.failed()))
  if (blamed.length > 0) throw forgotten(blamed, true)
}

function forgotten(entries: readonly Unfinished[], late = false): A2AUsageError {
  const several = entries.length > 1
  const calls = entries.map(({ call, test }) =>
    late && test !== undefined ? `  ${call}  (in "${test.name}")` : `  ${call}`,
  )
  const lines = [
    `[error] ${several ? `${entries.length} matchers were` : 'a matcher was'} not awaited: the ${
      late ? 'file' : 'test'
    } would pass whatever the agent does.`,
    '',
    'Write:',
    ...calls,
  ]
  if (late && entries.some(({ test }) => test === undefined)) {
    lines.push(
      '',
      'It was called in a hook or in a concurrent test, so the failure cannot be attributed to one test.',
    )
  }
  for (const { failure } of entries) {
    if (failure !== undefined) lines.push('', 'It would have failed with:', '', failure)
  }
  const error = new A2AUsageError('BAD_USE', lines.join('\n'))
  const stack = entries[0]?.stack
  if (stack !== undefined) error.stack = `${error.name}: ${error.message}\n${stack}`
  return error
}
