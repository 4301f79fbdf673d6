import { noteJestTest } from './began.ts'
import { finishingJestTest, jestState, type JestTest } from './jestState.ts'
import { shared } from './state.ts'
import { refuseUnfinished, refuseUnfinishedIn } from './unfinished.ts'

/** The globals of Jest that the fences need. */
export interface JestHooks {
  beforeEach(fn: () => void): void
  afterEach(fn: () => void): void
  afterAll(fn: () => Promise<void>): void
  expect: { getState(): object }
}

/** Puts up the fences of this test file in Jest; `close` ends what the file opened. */
export function fenceJest(hooks: JestHooks, close: () => Promise<void>): void {
  shared.runner = 'jest'
  const current = (): JestTest | undefined => {
    const state = jestState()
    return state === undefined ? undefined : finishingJestTest(hooks.expect.getState(), state)
  }
  hooks.beforeEach(() => {
    const test = current()
    if (test !== undefined) noteJestTest(test)
  })
  hooks.afterEach(() => {
    const test = current()
    if (test !== undefined) refuseUnfinishedIn(test, test.errors.length > 0)
  })
  // Jest runs no `afterEach` for hooks, nor for concurrent tests.
  hooks.afterAll(async () => {
    try {
      refuseUnfinished()
    } finally {
      await close()
    }
  })
}
