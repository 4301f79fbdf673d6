import type { A2AAgent } from '../../src/agent/types.ts'
import { defineMatcher, type AsyncMatcher, type MatcherDefinition } from '../../src/runners/defineMatcher.ts'
import type { Budget } from '../../src/checks/types.ts'
import type { MatcherThis, VitestTask } from '../../src/runners/types.ts'
import { oneOf } from '../../src/core/validate.ts'
import type { Exchange } from '../../src/http/types.ts'
import type { Verdict } from '../../src/checks/verdict.ts'

/** An unreachable agent, for checks that make no request. */
export function fakeAgent(exchanges: readonly Exchange[] = [], secrets: readonly string[] = []): A2AAgent {
  return {
    isA2AAgent: true,
    url: 'http://127.0.0.1:4100',
    options: {},
    label: () => 'Fake (http://127.0.0.1:4100)',
    exchanges,
    secrets,
  } as unknown as A2AAgent
}

/** What a runner hands to a matcher in a direct call. */
export function self(over: Partial<MatcherThis> = {}): MatcherThis {
  return { promise: '', utils: { printReceived: String }, ...over }
}

/** A Vitest task that runs, and a way to end it as the runner does. */
export function fakeTask(over: Partial<VitestTask> = {}): VitestTask & { finish(): void } {
  const hooks: (() => void | Promise<void>)[] = []
  return {
    id: '1',
    name: 'a test',
    meta: {},
    result: { state: 'run' },
    context: { onTestFinished: (fn) => void hooks.push(fn) },
    finish: () => hooks.forEach((hook) => void hook()),
    ...over,
  }
}

export const verdict = (over: Partial<Verdict> = {}): Verdict => ({
  outcome: 'passed',
  agent: 'Fake (http://127.0.0.1:4100)',
  expected: 'a nod',
  received: 'a nod',
  findings: [],
  exchanges: [],
  secrets: [],
  ...over,
})

/** What a promise or function threw; fails when it did not. */
export async function thrown(run: () => unknown): Promise<Error & { code?: string }> {
  try {
    await run()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}

export type Options = { level?: string; deadlineMs?: number }

/** A matcher that runs the given check. */
export function toNod(
  check: (budget: Budget) => Verdict | Promise<Verdict>,
  over: Partial<MatcherDefinition<[options?: Options]>> = {},
): AsyncMatcher<[options?: Options]> {
  return defineMatcher<[options?: Options]>({
    name: 'toNod',
    subject: 'agent',
    options: { level: oneOf('low', 'high') },
    load: async () => async (_agent: unknown, _args: unknown, budget: Budget) => check(budget),
    ...over,
  } as MatcherDefinition<[options?: Options]>)
}
