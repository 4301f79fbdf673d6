import { closeOpened } from '../agent/lifetime.ts'
import { snapshotSerializer, type SnapshotSerializer } from '../report/serializer.ts'
import { provideTestPlace } from '../model/configuration.ts'
import { fenceJest, type JestHooks } from './jestFences.ts'
import { testPlace } from './runningTest.ts'
import { fenceVitest, type VitestHooks } from './vitestFences.ts'

/** The part of an `expect` that registering needs. */
export interface Extensible {
  extend(matchers: never): void
  addSnapshotSerializer?(serializer: SnapshotSerializer): void
  getState?(): object
}

/** Tells what is no matcher, such as `converse()`, which test runs. */
function tellTest(expect: Extensible): void {
  provideTestPlace(() => testPlace({ utils: { printReceived: String }, ...expect.getState?.() }))
}

function extend(expect: Extensible, matchers: object): void {
  expect.extend(matchers as never)
  expect.addSnapshotSerializer?.(snapshotSerializer)
}

/** Registers matchers, serializer and fences with Vitest. */
export function registerInVitest(expect: Extensible, hooks: VitestHooks, matchers: object): void {
  extend(expect, matchers)
  tellTest(expect)
  fenceVitest(hooks, closeOpened)
}

/** Registers matchers, serializer and fences with Jest. */
export function registerInJest(globals: JestHooks & { expect: Extensible }, matchers: object): void {
  extend(globals.expect, matchers)
  tellTest(globals.expect)
  fenceJest(globals, closeOpened)
}

/** Registers matchers with an `expect` that belongs to no runner: there are no hooks, and no snapshots. */
export function registerAlone(expect: Extensible, matchers: object): void {
  expect.extend(matchers as never)
}
