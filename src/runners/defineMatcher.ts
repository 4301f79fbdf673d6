import { settlesWithin } from '../core/abort.ts'
import { cleanupMs } from '../core/deadline.ts'
import { systemClock } from '../core/clock.ts'
import { A2AUsageError } from '../core/errors.ts'
import { itemsAfter } from '../core/itemsAfter.ts'
import type { Exchange } from '../http/types.ts'
import type { Subject } from '../agent/subject.ts'
import type { A2AAgent } from '../agent/types.ts'
import type { ConversationRun } from '../transcript/types.ts'
import type { Verdict } from '../checks/verdict.ts'
import { showArgs } from '../report/args.ts'
import { openBudget, type OpenBudget } from './budget.ts'
import { refuseSimulatedBrowser } from './environment.ts'
import { refuseNesting } from './nested.ts'
import {
  checkArguments,
  checkOptions,
  duration,
  type ArgumentSpec,
  type OptionsSpec,
} from '../core/validate.ts'
import { runningTest, type RunningTest } from './runningTest.ts'
import { settle } from './settle.ts'
import { conversationOf } from './received.ts'
import type { Budget, TestFacts } from '../checks/types.ts'
import type { MatcherResult, MatcherThis } from './types.ts'
import { watch } from './unfinished.ts'

export { defineReplyMatcher } from './defineReplyMatcher.ts'
export type { ReplyMatcher } from './defineReplyMatcher.ts'

/** What a check may borrow from the runner. */
export interface MatcherTools {
  /** The runner's own deep equality, which knows asymmetric matchers and custom testers. */
  equals(actual: unknown, expected: unknown): boolean
  /** The test that calls, where that is certain. */
  test?: TestFacts
}

interface Definition<Args extends readonly unknown[]> {
  name: string
  /** The arguments before the options, in order. */
  args?: readonly ArgumentSpec[]
  /** The keys of the trailing options object; `deadlineMs` goes without saying. */
  options?: OptionsSpec
  /** True for what costs so much that `expect.poll`, which calls a matcher again and again, is refused. */
  costly?: true
  /** Completes "Expected: …" where the agent's own fault kept the check from a verdict. */
  expected?: (args: Args) => string
}

/**
 * Comes to a verdict about what `expect()` holds. Throws A2AReplyError where the agent is at fault, other errors where nothing
 * can be said. Everything that it waits for takes `budget.signal`.
 */
export type Check<On, Args> = (on: On, args: Args, budget: Budget, tools: MatcherTools) => Promise<Verdict>

/**
 * A matcher that calls an agent: a name and a check, which `load` loads with the first call, so that registering the matchers
 * costs next to nothing.
 */
export type MatcherDefinition<Args extends readonly unknown[]> = Definition<Args> &
  (
    | {
        /** `expect()` must hold something that answers. */
        subject: 'agent'
        load: () => Promise<Check<A2AAgent, Args>>
      }
    | {
        /** `expect()` may hold a card by itself. */
        subject: 'agent-or-card'
        load: () => Promise<Check<Subject, Args>>
      }
    | {
        /** `expect()` must hold a conversation. */
        subject: 'conversation'
        load: () => Promise<Check<ConversationRun, Args>>
      }
  )

/** A matcher as `expect.extend` takes it; its property `awaited` is true. */
export type AsyncMatcher<Args extends readonly unknown[]> = (
  this: MatcherThis,
  received: unknown,
  ...args: Args
) => Promise<MatcherResult>

/**
 * Makes a matcher from a check: it resolves the subject, keeps the time, turns the verdict into what runners understand, and
 * puts up the fences (a forgotten `await`, nesting, the runner's limit).
 */
export function defineMatcher<Args extends readonly unknown[]>(
  definition: MatcherDefinition<Args>,
): AsyncMatcher<Args> {
  const { name, args: specs = [] } = definition
  const options: OptionsSpec = { ...definition.options, deadlineMs: duration }

  function matcher(this: MatcherThis, received: unknown, ...args: Args): Promise<MatcherResult> {
    refuseNesting(this, name)
    const here: { stack?: string } = {}
    Error.captureStackTrace(here, matcher)
    const stack = here.stack?.replace(/^.*\n/, '')
    const test = runningTest(this)
    const call = {
      matcher: name,
      args: showArgs(args),
      ...(definition.subject === 'conversation' && { subject: 'run' }),
      ...(this.isNot === true && { isNot: true }),
    }
    let budget: OpenBudget | undefined
    const begun = systemClock.now()

    const run = async (): Promise<MatcherResult> => {
      let subject: Subject | undefined
      let last: Exchange | undefined
      let verdict: Verdict | undefined
      let error: unknown
      try {
        checkArguments(name, args, specs)
        checkOptions(name, args[specs.length], options)
        refuseSimulatedBrowser()
        if (definition.costly === true && this.poll === true) throw polled(name)
        const tools = toolsOf(this, test)
        if (definition.subject === 'conversation') {
          const run = conversationOf(received, name)
          const check = await definition.load()
          budget = openBudget(systemClock, test, deadlineOf(args[specs.length]))
          verdict = await within(budget, check(run, args, budget, tools))
        } else {
          const [{ resolveSubject }, check] = await Promise.all([
            import('../agent/subject.ts'),
            loadCheck(definition),
          ])
          // After loading, which must not count against the agent.
          budget = openBudget(systemClock, test, deadlineOf(args[specs.length]))
          subject = await within(budget, resolveSubject(received))
          if (subject.kind === 'agent') last = subject.agent.exchanges.at(-1)
          verdict = await within(budget, check(subject, args, budget, tools))
        }
      } catch (thrown) {
        error = budget?.told(thrown) ?? thrown ?? new Error(`${name} threw ${String(thrown)}`)
      }
      budget?.close()
      // Closing the agent lets go of the bodies.
      const exchanges = subject?.kind === 'agent' ? [...subject.agent.exchanges] : []
      if (subject?.kind === 'agent' && subject.dispose !== undefined) {
        const closed = settlesWithin(systemClock, cleanupMs, subject.dispose())
        // Time that is up is up for this as well: the runner's own timer is near.
        if (budget?.signal.aborted !== true) await closed
      }
      return settle({
        self: this,
        name,
        call,
        test,
        stack,
        received,
        subject,
        exchanges,
        made: itemsAfter(exchanges, last),
        on: definition.subject,
        verdict,
        error,
        expected: () => definition.expected?.(args),
        ms: systemClock.now() - begun,
      })
    }

    return watch({
      call: writtenCall(call),
      negated: this.isNot === true,
      test,
      stack,
      budget: () => budget,
      run,
    })
  }
  return Object.defineProperties(matcher, { name: { value: name }, awaited: { value: true } })
}

/** Loads the check of a definition, as one that takes any subject. */
async function loadCheck<Args extends readonly unknown[]>(
  definition: Exclude<MatcherDefinition<Args>, { subject: 'conversation' }>,
): Promise<Check<Subject, Args>> {
  if (definition.subject === 'agent-or-card') return definition.load()
  const check = await definition.load()
  return async (subject, ...rest) => {
    if (subject.kind === 'agent') return check(subject.agent, ...rest)
    throw new A2AUsageError(
      'BAD_SUBJECT',
      `${definition.name} needs an agent to call, but received only an agent card.`,
      { fix: 'Pass the URL of the agent, a2aAgent(url), or an app to serve.' },
    )
  }
}

function toolsOf(
  self: MatcherThis & { customTesters?: unknown[] },
  test: RunningTest | undefined,
): MatcherTools {
  return {
    equals: (actual, expected) =>
      self.equals?.(actual, expected, self.customTesters ?? []) ?? Object.is(actual, expected),
    ...(test !== undefined && { test }),
  }
}

function polled(name: string): A2AUsageError {
  return new A2AUsageError(
    'BAD_USE',
    `expect.poll calls a matcher again and again, and each call of ${name} holds a whole conversation.`,
    { fix: `Write await expect(agent).${name}(…); with trials it runs several conversations.` },
  )
}

function deadlineOf(options: unknown): number | undefined {
  return (options as { deadlineMs?: number } | undefined)?.deadlineMs
}

function writtenCall(call: { matcher: string; args: string; subject?: string; isNot?: boolean }): string {
  return `await expect(${call.subject ?? 'agent'})${call.isNot === true ? '.not' : ''}.${call.matcher}(${call.args})`
}

/** Ends the wait when the budget ends, even for work that does not look at its signal. */
async function within<T>(budget: OpenBudget, work: Promise<T>): Promise<T> {
  work.catch(() => {})
  const late = budget.ended.then((reason) => {
    throw reason
  })
  late.catch(() => {})
  return Promise.race([work, late])
}
