/** The part of a circus test that is read here; the same in Jest 29 and 30. */
export interface JestTest {
  name: string
  fn?: unknown
  concurrent?: boolean
  errors: unknown[]
  invocations: number
  timeout?: number | null
  startedAt?: number | null
  parent: JestBlock
}

interface JestBlock {
  name: string
  parent?: JestBlock
  children: (({ type: 'test' } & JestTest) | ({ type: 'describeBlock' } & JestBlock))[]
}

interface JestState {
  currentlyRunningTest: JestTest | null
  rootDescribeBlock: JestBlock
  testTimeout: number
}

/** What Jest tells a matcher about the test it runs in. */
export interface JestSelf {
  /** Jest 30.5 and later: the circus test itself, also in concurrent tests. */
  currentTestIdentity?: () => unknown
  /** Jest 29 and later: the full name of a concurrent test, undefined in others. */
  currentConcurrentTestName?: () => string | undefined
}

/** The state of jest-circus, which it keeps under a symbol on the global object; undefined in every other runner. */
export function jestState(): JestState | undefined {
  const found = Object.getOwnPropertySymbols(globalThis).find(
    (symbol) => symbol.description === 'JEST_STATE_SYMBOL',
  )
  if (found === undefined) return undefined
  const state = (globalThis as unknown as Record<symbol, unknown>)[found] as Partial<JestState> | undefined
  return typeof state?.testTimeout === 'number' && state.rootDescribeBlock !== undefined
    ? (state as JestState)
    : undefined
}

/** The test that a matcher runs in, where that is certain. */
export function currentJestTest(self: JestSelf, state: JestState): JestTest | undefined {
  const identity = self.currentTestIdentity?.()
  if (isJestTest(identity)) return identity
  const name = self.currentConcurrentTestName?.()
  if (name !== undefined) {
    const named = testsIn(state.rootDescribeBlock).filter((test) => fullName(test) === name)
    return named.length === 1 ? named[0] : undefined
  }
  const running = state.currentlyRunningTest
  // Jest 29 starts all concurrent tests ahead: what runs outside their names then cannot be told apart.
  return running === null || running.concurrent === true ? undefined : running
}

/** The test whose `afterEach` hooks run. */
export function finishingJestTest(self: JestSelf, state: JestState): JestTest | undefined {
  const identity = self.currentTestIdentity?.()
  return isJestTest(identity) ? identity : (state.currentlyRunningTest ?? undefined)
}

/** The name of a test with those of its blocks, as Jest prints it. */
export function fullName(test: JestTest): string {
  const names = [test.name]
  for (let block: JestBlock | undefined = test.parent; block?.parent !== undefined; block = block.parent) {
    names.unshift(block.name)
  }
  return names.join(' ')
}

function isJestTest(value: unknown): value is JestTest {
  return typeof value === 'object' && value !== null && Array.isArray((value as Partial<JestTest>).errors)
}

function testsIn(block: JestBlock): JestTest[] {
  return block.children.flatMap((child) => (child.type === 'test' ? [child] : testsIn(child)))
}
