import type { Unfinished } from './unfinished.ts'
import type { VitestTask } from './types.ts'

/** What the copies of this package in one test file share. */
export interface SharedState {
  /** Which entry was loaded, for hints that differ between runners. */
  runner?: 'vitest' | 'jest' | 'expect'
  /** The Vitest test that runs, as the entry knows it: exact even where Vitest's own `expect` is not. */
  vitestTask?: () => VitestTask | undefined
  /** Matcher calls that have not settled. */
  unfinished: Set<Unfinished>
  /** When the function of a test began, by the runner's object for that test. */
  began: WeakMap<object, number>
}

// A test file may load the ESM and the CJS copy: one of them registers, the other one's matchers may run.
const key = Symbol.for('expect-a2a.matcher')

/** The state of this test file. */
export const shared: SharedState = ((globalThis as { [key]?: SharedState })[key] ??= {
  unfinished: new Set(),
  began: new WeakMap(),
})
