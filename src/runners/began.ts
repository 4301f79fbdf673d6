import { systemClock } from '../core/clock.ts'
import { shared } from './state.ts'
import type { JestTest } from './jestState.ts'
import type { VitestTask } from './types.ts'

/*
 * A runner's limit counts from the moment it calls the test's function, but the time that it tells is from before the
 * `beforeEach` hooks: with a hook that starts an agent for four seconds, a limit of five would look as good as used up.
 * Both runners set a property of the test at the right moment, so that moment is noted there. Should a version stop to set
 * it, the earlier time stands, which only makes a matcher give up sooner.
 */

/** Notes when the function of this Vitest test begins; to be called in its first `beforeEach` hook. */
export function noteVitestTest(task: VitestTask): void {
  shared.began.set(task, systemClock.now())
  const hooks = task.result?.hooks
  // Set to 'pass' after the last hook of each suite around the test; the last time counts.
  if (hooks !== undefined) onAssignment(hooks, 'beforeEach', () => shared.began.set(task, systemClock.now()))
}

/** Notes when the function of this Jest test begins; to be called in its first `beforeEach` hook. */
export function noteJestTest(test: JestTest): void {
  shared.began.set(test, systemClock.now())
  onAssignment(test, 'seenDone', () => shared.began.set(test, systemClock.now()))
}

function onAssignment(target: object, property: string, note: () => void): void {
  let value: unknown = (target as Record<string, unknown>)[property]
  try {
    Object.defineProperty(target, property, {
      configurable: true,
      enumerable: true,
      get: () => value,
      set(next: unknown) {
        value = next
        note()
      },
    })
  } catch {
    // Frozen: the earlier time stands.
  }
}
