import { AsyncLocalStorage } from 'node:async_hooks'
import { noteVitestTest } from './began.ts'
import { shared } from './state.ts'
import type { VitestTask } from './types.ts'
import { refuseUnfinished } from './unfinished.ts'

/** The hooks of Vitest that the fences need; `aroundEach` came with 4.1. */
export interface VitestHooks {
  beforeEach(fn: (context: { task: unknown }) => void): void
  afterEach(fn: () => void): void
  afterAll(fn: () => Promise<void>): void
  aroundEach?: (fn: (runTest: () => Promise<void>, context: { task: unknown }) => Promise<void>) => void
}

/** Puts up the fences of this test file in Vitest; `close` ends what the file opened. */
export function fenceVitest(hooks: VitestHooks, close: () => Promise<void>): void {
  shared.runner = 'vitest'
  // Vitest takes the test that started last for the one that calls, which is wrong in `test.concurrent` with the global expect.
  const running = new AsyncLocalStorage<VitestTask>()
  let alone: VitestTask | undefined
  shared.vitestTask = () => running.getStore() ?? alone
  hooks.aroundEach?.((runTest, { task }) => running.run(task as VitestTask, runTest))
  hooks.beforeEach(({ task }) => {
    const test = task as VitestTask
    noteVitestTest(test)
    // Before 4.1, and before `this.task` came with 4.0, only a test that runs alone is certain.
    if (hooks.aroundEach === undefined) alone = test.concurrent === true ? undefined : test
  })
  hooks.afterEach(() => {
    alone = undefined
  })
  hooks.afterAll(async () => {
    try {
      refuseUnfinished()
    } finally {
      await close()
    }
  })
}
