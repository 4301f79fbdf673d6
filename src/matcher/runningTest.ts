import { currentJestTest, fullName, jestState, type JestSelf, type JestTest } from './jestState.ts'
import { shared } from './state.ts'
import type { MatcherRecord, MatcherThis, VitestTask } from './types.ts'

/** The test that a matcher runs in, the same whatever the runner. */
export interface RunningTest {
  /** The runner's own object for it. */
  key: object
  name: string
  /** The runner's limit for its function in ms; absent when there is none. */
  timeoutMs?: number
  /** When its function began, as near as is known; absent before that. */
  began?: number
  /** Aborted when the runner gives up on it. */
  signal?: AbortSignal
  /** Which try this is: 0, 1, … */
  retry: number
  failed(): boolean
  /** Runs `fn` when the test is over; an error that it throws fails the test. False where the runner has no such way. */
  onFinished?(fn: () => void): boolean
  /** Where the records for reporters go. */
  records?: () => MatcherRecord[]
}

/** The test that a matcher with this `this` runs in; undefined outside a test, and where it is not certain which one it is. */
export function runningTest(self: MatcherThis): RunningTest | undefined {
  const known = shared.vitestTask?.()
  const task = known ?? self.task
  if (task !== undefined) {
    // With the global expect, Vitest takes the test that started last for the one that calls.
    return known === undefined && task.concurrent === true ? undefined : ofVitest(task)
  }
  const state = jestState()
  if (state === undefined) return undefined
  const test = currentJestTest(self as JestSelf, state)
  return test === undefined ? undefined : ofJest(test, state.testTimeout)
}

function ofVitest(task: VitestTask): RunningTest {
  const timeout = task.timeout
  // Once its function has returned, the limit is that of the hooks.
  const runs = task.result?.state === 'run'
  const began = runs ? (shared.began.get(task) ?? task.result?.startTime) : undefined
  return {
    key: task,
    name: task.name,
    retry: task.result?.retryCount ?? 0,
    ...(isLimit(timeout) && { timeoutMs: timeout }),
    ...(began !== undefined && { began }),
    ...(task.context.signal !== undefined && { signal: task.context.signal }),
    failed: () => task.result?.state === 'fail',
    onFinished(fn) {
      try {
        task.context.onTestFinished?.(fn)
        return task.context.onTestFinished !== undefined
      } catch {
        // Within a hook of onTestFinished itself.
        return false
      }
    },
    records: () => (task.meta['a2a'] ??= []) as MatcherRecord[],
  }
}

function ofJest(test: JestTest, testTimeout: number): RunningTest {
  const timeout = test.timeout ?? testTimeout
  const began = shared.began.get(test) ?? test.startedAt
  return {
    key: test,
    name: fullName(test),
    retry: Math.max(0, test.invocations - 1),
    ...(isLimit(timeout) && { timeoutMs: timeout }),
    ...(typeof began === 'number' && { began }),
    failed: () => test.errors.length > 0,
  }
}

/** Runners write "no limit" as 0 or Infinity; a timer beyond 2^31 ms fires at once, so nobody means one. */
function isLimit(ms: number | undefined): ms is number {
  return typeof ms === 'number' && ms > 0 && ms < 2 ** 31
}
