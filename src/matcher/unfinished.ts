import { A2AConnectionError, A2AUsageError } from '../errors.ts'
import { shared } from './state.ts'
import type { OpenBudget } from './budget.ts'
import type { RunningTest } from './runningTest.ts'

/** A matcher call that has not settled. */
export interface Unfinished {
  /** As it should have been written: `await expect(agent).not.toReply("hi")`. */
  call: string
  /** The test that it belongs to, where that is certain. */
  test?: RunningTest
  /** Where it was called, as a stack. */
  stack?: string
  /** Ends its work; its promise never settles then, so that nothing is blamed on a later test. */
  abandon(): void
}

/** What `watch` hands to the matcher. */
export interface Watch {
  /** To be called when the matcher has settled. */
  settled(): void
  /** True once the test ended without it. */
  readonly abandoned: boolean
}

/** Watches one matcher call, so that its test fails when it ends first: a forgotten `await` would pass silently. */
export function watch(
  call: string,
  test: RunningTest | undefined,
  budget: () => OpenBudget | undefined,
  stack?: string,
): Watch {
  let abandoned = false
  const entry: Unfinished = {
    call,
    ...(test !== undefined && { test }),
    ...(stack !== undefined && { stack }),
    abandon() {
      abandoned = true
      shared.unfinished.delete(entry)
      budget()?.abort(new A2AConnectionError('ABORTED', 'the test ended without waiting for the agent'))
    },
  }
  shared.unfinished.add(entry)
  test?.onFinished?.(() => {
    if (!shared.unfinished.has(entry)) return
    entry.abandon()
    // A test that failed by itself needs no second reason.
    if (!test.failed()) throw forgotten([entry])
  })
  return {
    settled: () => void shared.unfinished.delete(entry),
    get abandoned() {
      return abandoned
    },
  }
}

/**
 * Fails the test that ends, when it left a matcher behind; for runners whose tests cannot be asked to call back (`afterEach`).
 * Throws A2AUsageError `BAD_USE`.
 */
export function refuseUnfinishedIn(key: object | undefined, failed: boolean): void {
  if (key === undefined) return
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
  const blamed = left.filter((entry) => entry.test?.failed() !== true)
  if (blamed.length > 0) throw forgotten(blamed, true)
}

function forgotten(entries: readonly Unfinished[], late = false): A2AUsageError {
  const calls = entries.map(({ call, test }) =>
    late && test !== undefined ? `  ${call}  (in "${test.name}")` : `  ${call}`,
  )
  const several = entries.length > 1
  const error = new A2AUsageError(
    'BAD_USE',
    [
      `[error] ${several ? `${entries.length} matchers were` : 'a matcher was'} not awaited: the ${
        late ? 'file' : 'test'
      } ended before ${several ? 'they' : 'it'} had checked anything.`,
      '',
      'Write:',
      ...calls,
      ...(late && entries.some(({ test }) => test === undefined)
        ? ['', 'It ran in a hook or in a concurrent test, so no single test is blamed.']
        : []),
    ].join('\n'),
  )
  const stack = entries[0]?.stack
  if (stack !== undefined) error.stack = `${error.name}: ${error.message}\n${stack}`
  return error
}
