import { runnerMarginMs } from '../core/deadline.ts'
import { currentJestTest, fullName, jestState, type JestSelf, type JestTest } from './jestState.ts'
import { shared } from './state.ts'
import type { TestPlace } from '../model/configuration.ts'
import type { MatcherRecord, MatcherThis, VitestTask } from './types.ts'

/** The test that a matcher runs in, the same whatever the runner. */
export interface RunningTest {
  /** The runner's own object for it. */
  key: object
  /** With the names of the blocks around it. */
  name: string
  /** What tells it from another of the same name, where the runner has such a thing. */
  id?: string
  file?: string
  /** How often the runner is set to try it again. */
  retries: number
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
  /** Leaves a line for people, with a text attached, where the runner has such a way. */
  annotate?(message: string, type: string, markdown: string): void
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
  return test === undefined ? undefined : ofJest(test, state.testTimeout, self.testPath)
}

function ofVitest(task: VitestTask): RunningTest {
  const timeout = task.timeout
  // Once its function has returned, the limit is that of the hooks.
  const runs = task.result?.state === 'run'
  const began = runs ? (shared.began.get(task) ?? task.result?.startTime) : undefined
  return {
    key: task,
    name: vitestName(task),
    id: task.id,
    retry: task.result?.retryCount ?? 0,
    retries: typeof task.retry === 'object' ? (task.retry.count ?? 0) : (task.retry ?? 0),
    ...(task.file?.filepath !== undefined && { file: task.file.filepath }),
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
    annotate(message, type, body) {
      // Vitest waits for it by itself; whatever it minds is no business of the test.
      task.context.annotate?.(message, type, { contentType: 'text/markdown', body }).catch(() => {})
    },
  }
}

/** As Vitest prints it. */
function vitestName(task: VitestTask): string {
  const names = [task.name]
  for (let block = task.suite; block !== undefined; block = block.suite) names.unshift(block.name)
  return names.join(' > ')
}

/** Where `jest.retryTimes()` leaves its number. */
function jestRetries(): number {
  const times = Number((globalThis as Record<symbol, unknown>)[Symbol.for('RETRY_TIMES')] ?? 0)
  return Number.isInteger(times) ? times : 0
}

function ofJest(test: JestTest, testTimeout: number, path: string | undefined): RunningTest {
  const timeout = test.timeout ?? testTimeout
  const began = shared.began.get(test) ?? test.startedAt
  return {
    key: test,
    name: fullName(test),
    retry: Math.max(0, test.invocations - 1),
    retries: jestRetries(),
    ...(typeof path === 'string' && { file: path }),
    ...(isLimit(timeout) && { timeoutMs: timeout }),
    ...(typeof began === 'number' && { began }),
    failed: () => test.errors.length > 0,
  }
}

/** Runners write "no limit" as 0 or Infinity; a timer beyond 2^31 ms fires at once, so nobody means one. */
function isLimit(ms: number | undefined): ms is number {
  return typeof ms === 'number' && ms > 0 && ms < 2 ** 31
}

/** The test that runs, for what is called outside of matchers; undefined where it is not certain which one it is. */
export function testPlace(self: MatcherThis): TestPlace | undefined {
  const test = runningTest(self)
  if (test === undefined) return undefined
  const { name, id, file, retry, retries, timeoutMs, began, signal } = test
  return {
    name,
    run: `${began ?? ''}/${retry}`,
    retries,
    ...(id !== undefined && { id }),
    ...(file !== undefined && { file }),
    ...(timeoutMs !== undefined &&
      began !== undefined && { deadline: began + timeoutMs - runnerMarginMs(timeoutMs) }),
    ...(signal !== undefined && { signal }),
  }
}
