import type { Reply } from '../client/types.ts'
import { A2AUsageError, A2AVerdictError, isA2AError } from '../errors.ts'
import type { Task } from '../protocol/model.ts'
import { showArgs } from '../report/args.ts'
import { formatError, formatVerdict, type CallInfo } from '../report/format.ts'
import type { Verdict } from '../verdict.ts'
import { checkArguments, checkOptions, type ArgumentSpec, type OptionsSpec } from '../options.ts'
import type { MatcherTools } from './defineMatcher.ts'
import type { MatcherResult, MatcherThis } from './types.ts'

/** A matcher on what came back from an agent, as a name and a check. */
export interface ReplyMatcherDefinition<Args extends readonly unknown[], Received = Reply> {
  name: string
  /** `reply-or-task` also takes what `getTask()` gave. Default `reply`. */
  subject?: 'reply' | 'reply-or-task'
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
      subject: isTask(received) ? 'task' : 'reply',
      utils: this.utils,
      ...(this.isNot === true && { isNot: true }),
      ...(this.promise !== undefined && { promise: this.promise }),
    }
    let verdict: Verdict
    try {
      checkArguments(name, args, specs)
      checkOptions(name, args[specs.length], options)
      refuseOthers(name, received, definition.subject ?? 'reply')
      verdict = definition.check(received as Received, args, {
        equals: (actual, expected) =>
          this.equals?.(actual, expected, testers(this)) ?? Object.is(actual, expected),
      })
    } catch (error) {
      if (!isA2AError(error)) throw error
      const text = formatError(error, call)
      throw Object.defineProperty(error, 'message', { value: text })
    }
    if (verdict.outcome === 'passed' || verdict.outcome === 'failed') {
      return { pass: verdict.outcome === 'passed', message: () => formatVerdict(verdict, call) }
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

function isReply(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (value as Partial<Reply>).isA2AReply === true
}

function isTask(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && (value as Partial<Task>).kind === 'task' && !isReply(value)
  )
}

function refuseOthers(name: string, received: unknown, subject: 'reply' | 'reply-or-task'): void {
  if (isReply(received) || (subject === 'reply-or-task' && isTask(received))) return
  const wanted = subject === 'reply' ? 'what agent.send() gave' : 'what agent.send() or agent.getTask() gave'
  const shape = received as { then?: unknown; isA2AAgent?: unknown } | null | undefined
  const [given, mend] =
    typeof shape?.then === 'function'
      ? ['a promise', `Await it first: expect(await agent.send("…")).${name}(…).`]
      : shape?.isA2AAgent === true || typeof received === 'string'
        ? ['an agent', `Send something first: expect(await agent.send("…")).${name}(…).`]
        : isTask(received)
          ? ['a task', `Only a whole reply has what ${name} looks at.`]
          : [describe(received), undefined]
  throw new A2AUsageError('BAD_SUBJECT', `${name} checks ${wanted}, but was given ${given}.`, {
    ...(mend !== undefined && { mend }),
  })
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'another object' : `a ${typeof value}`
}
