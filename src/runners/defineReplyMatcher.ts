import type { Reply } from '../client/types.ts'
import { A2AVerdictError, isA2AError } from '../core/errors.ts'
import { showArgs } from '../report/args.ts'
import { comparisonOf } from '../report/comparison.ts'
import { formatError, formatVerdict, type CallInfo } from '../report/format.ts'
import type { Verdict } from '../checks/verdict.ts'
import { checkArguments, checkOptions, type ArgumentSpec, type OptionsSpec } from '../core/validate.ts'
import type { MatcherTools } from './defineMatcher.ts'
import { receivedOf, subjectWord, type ReceivedKind } from './received.ts'
import type { MatcherResult, MatcherThis } from './types.ts'

/** A matcher on what came back from an agent, as a name and a check. */
export interface ReplyMatcherDefinition<Args extends readonly unknown[], Received = Reply> {
  name: string
  /** `reply-or-task` also takes what `getTask()` gave; `conversation` takes what `converse()` gave alone. Default `reply`. */
  subject?: ReceivedKind
  /** The arguments before the options, in order. */
  args?: readonly ArgumentSpec[]
  /** The keys of the trailing options object; without this the matcher takes none. */
  options?: OptionsSpec
  /** Comes to a verdict; pure. */
  check(received: Received, args: Args, tools: MatcherTools): Verdict
}

/** A reply matcher as `expect.extend` takes it. */
export type ReplyMatcher<Args extends readonly unknown[]> = (
  this: MatcherThis,
  received: unknown,
  ...args: Args
) => MatcherResult

/** Makes a matcher from a check of a reply; nothing is sent. */
export function defineReplyMatcher<Args extends readonly unknown[], Received = Reply>(
  definition: ReplyMatcherDefinition<Args, Received>,
): ReplyMatcher<Args> {
  const { name, args: specs = [], options = {} } = definition

  function matcher(this: MatcherThis, received: unknown, ...args: Args): MatcherResult {
    const call: CallInfo = {
      matcher: name,
      args: showArgs(args),
      subject: subjectWord(received),
      utils: this.utils,
      ...(this.isNot === true && { isNot: true }),
      ...(this.promise !== undefined && { promise: this.promise }),
    }
    let verdict: Verdict
    try {
      checkArguments(name, args, specs)
      checkOptions(name, args[specs.length], options)
      const looked = receivedOf(received, definition.subject ?? 'reply', name)
      verdict = definition.check(looked as Received, args, {
        equals: (actual, expected) =>
          this.equals?.(actual, expected, testers(this)) ?? Object.is(actual, expected),
      })
    } catch (error) {
      if (!isA2AError(error)) throw error
      const text = formatError(error, call)
      throw Object.defineProperty(error, 'message', { value: text })
    }
    if (verdict.outcome === 'passed' || verdict.outcome === 'failed') {
      return {
        pass: verdict.outcome === 'passed',
        message: () => formatVerdict(verdict, call),
        ...comparisonOf(verdict),
      }
    }
    throw new A2AVerdictError(
      verdict.outcome === 'inconclusive'
        ? 'INCONCLUSIVE'
        : verdict.outcome === 'invalid'
          ? 'INVALID'
          : 'NO_VERDICT',
      formatVerdict(verdict, call),
    )
  }
  return Object.defineProperty(matcher, 'name', { value: name })
}

function testers(self: MatcherThis & { customTesters?: unknown[] }): unknown[] {
  return self.customTesters ?? []
}
