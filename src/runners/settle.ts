import { excerptsOf } from '../agent/lifetime.ts'
import type { Subject } from '../agent/subject.ts'
import {
  A2AVerdictError,
  isA2AError,
  isNoAnswer,
  isReplyError,
  type A2AError,
  type A2AErrorCode,
} from '../core/errors.ts'
import { comparisonOf } from '../report/comparison.ts'
import { formatError, formatVerdict, type CallInfo, type ErrorContext } from '../report/format.ts'
import { redact, redactError } from '../core/redact.ts'
import type { Exchange } from '../http/types.ts'
import type { Verdict } from '../checks/verdict.ts'
import { annotate, leaveRecord, makeRecord } from './record.ts'
import type { RunningTest } from './runningTest.ts'
import type { MatcherResult, MatcherThis } from './types.ts'

/** How one matcher call went. */
export interface Course {
  self: MatcherThis
  name: string
  call: CallInfo
  test: RunningTest | undefined
  /** Where the matcher was called. */
  stack: string | undefined
  received: unknown
  subject: Subject | undefined
  /** All requests to the agent, and those that this call made. */
  exchanges?: readonly Exchange[]
  made?: readonly Exchange[]
  /** What the matcher asks for in `expect(…)`. */
  on?: 'agent' | 'agent-or-card' | 'conversation'
  verdict: Verdict | undefined
  error: unknown
  expected: () => string | undefined
  ms: number
}

/** Converts the result of a check into a matcher result; outcomes other than passed and failed are thrown. */
export function settle(course: Course): MatcherResult {
  const { self, name, subject, test, verdict } = course
  const call: CallInfo = {
    ...course.call,
    subject: course.on === 'conversation' ? 'run' : subject?.kind === 'card' ? 'card' : 'agent',
    utils: self.utils,
    ...(self.promise !== undefined && { promise: self.promise }),
  }
  const negated = self.isNot === true
  const record = (outcome: string, received: string, agent: string, secrets: readonly string[]): void =>
    leaveRecord(
      self,
      test,
      makeRecord({
        matcher: name,
        outcome,
        negated,
        retry: test?.retry ?? 0,
        ms: Math.round(course.ms),
        agent: redact(agent, secrets),
        received: redact(received, secrets),
        ...(verdict !== undefined && { verdict }),
      }),
    )

  if (verdict !== undefined) {
    const told = withExcerpts(verdict, subject)
    record(told.outcome, told.received, told.agent, told.secrets)
    annotate(told, test)
    if (told.outcome === 'passed' || (told.outcome === 'failed' && !(negated && isNoGround(told)))) {
      return {
        pass: told.outcome === 'passed',
        message: () => formatVerdict(told, call),
        ...comparisonOf(told),
      }
    }
    const shown: Verdict =
      told.outcome !== 'failed'
        ? told
        : told.undecided === true
          ? { ...told, outcome: 'inconclusive', fix: undecidedGround }
          : { ...told, outcome: 'error', fix: told.fix ?? noGround }
    throw placed(
      new A2AVerdictError(codes[shown.outcome] ?? shown.code ?? 'NO_VERDICT', formatVerdict(shown, call)),
      course.stack,
    )
  }

  const context = contextOf(course)
  const error = redactError(course.error, context.secrets ?? [])
  if (!isA2AError(error)) {
    const wrapped = ofUnknown(error, name)
    record('error', wrapped.message, context.agent ?? '', context.secrets ?? [])
    throw rewritten(wrapped, formatError(wrapped, call, context), stackOf(error) ?? course.stack)
  }
  const fails = isReplyError(error)
  record(fails ? 'failed' : 'error', error.message, context.agent ?? '', context.secrets ?? [])
  // Without an A2A answer, a negated matcher must not pass.
  if (fails && !(negated && isNoAnswer(error))) {
    const expected = course.expected() ?? 'a valid A2A response'
    return {
      pass: false,
      message: () => formatError(error, call, { ...context, outcome: 'failed', expected }),
    }
  }
  const told = fails && error.fix === undefined ? { ...context, fix: noGround } : context
  throw rewritten(error, formatError(error, call, told), course.stack)
}

const codes: Partial<Record<string, A2AErrorCode>> = {
  inconclusive: 'INCONCLUSIVE',
  invalid: 'INVALID',
}

const noGround = '`.not` passes only if an A2A agent answered; check that the agent runs at this address.'

const undecidedGround =
  "`.not` passes only if a criterion is not met; omit unknownAs: 'not_met', or decide in code ({ check, description })."

/** True for a failure that says nothing about the agent, so a negated matcher must not pass. */
const isNoGround = (verdict: Verdict): boolean => verdict.undecided === true || unanswered(verdict)

function unanswered(verdict: Verdict): boolean {
  const { attempts = [], exchanges } = verdict
  if (verdict.unanswered !== undefined) return verdict.unanswered
  if (attempts.length > 0 && !attempts.some(({ found }) => found)) return true
  const last = exchanges.at(-1)
  return last !== undefined && !speaksJson(last)
}

/** Whether an answer is at least in the form that every binding of A2A has. */
function speaksJson({ responseHeaders, responseBody = '' }: Exchange): boolean {
  const type = responseHeaders?.['content-type'] ?? ''
  return /json|event-stream/i.test(type) || /^\s*[[{]/.test(responseBody)
}

function withExcerpts(verdict: Verdict, subject: Subject | undefined): Verdict {
  if (subject?.kind !== 'agent') return verdict
  const known = verdict.excerpts ?? []
  const more = excerptsOf(subject.agent).filter(({ label }) => !known.some((each) => each.label === label))
  return more.length === 0 ? verdict : { ...verdict, excerpts: [...known, ...more] }
}

function contextOf({ subject, received, exchanges = [], made = [], error }: Course): ErrorContext {
  if (subject?.kind === 'agent') {
    const { agent } = subject
    // A failure to reach the agent may be an earlier one that was kept; these never are.
    const isOfThisCall =
      isA2AError(error) && (error.name === 'A2AUsageError' || error.name === 'A2AModelError')
    return {
      agent: agent.label(),
      exchanges: isOfThisCall ? made : exchanges,
      secrets: agent.secrets,
      excerpts: excerptsOf(agent),
    }
  }
  return typeof received === 'string' && /^https?:/i.test(received) ? { agent: received } : {}
}

function ofUnknown(error: unknown, name: string): A2AVerdictError {
  const said =
    typeof error === 'object' && error !== null && 'message' in error
      ? `${String((error as { name?: unknown }).name ?? 'Error')}: ${String(error.message)}`
      : String(error)
  return new A2AVerdictError(
    'INTERNAL',
    `${said}\nThis is a bug in expect-a2a or in a function that was passed to ${name}.`,
    { cause: error },
  )
}

function stackOf(error: unknown): string | undefined {
  const stack = (error as { stack?: unknown } | null | undefined)?.stack
  return typeof stack === 'string' ? stack.replace(/^(?!\s+at )[\s\S]*?(?=^\s+at )/m, '') : undefined
}

/** The same error with the whole report as its message, so that `name`, `code` and the rest stay what programs look at. */
function rewritten(error: A2AError, message: string, stack: string | undefined): A2AError {
  const copy = Object.create(Object.getPrototypeOf(error) as object) as A2AError
  for (const key of Object.getOwnPropertyNames(error)) {
    const value = Object.getOwnPropertyDescriptor(error, key)
    // What the message says already need not be listed again by the runner.
    if (value !== undefined) Object.defineProperty(copy, key, { ...value, enumerable: key === 'code' })
  }
  Object.defineProperty(copy, 'message', { value: message, configurable: true, writable: true })
  return placed(copy, stack)
}

function placed(error: A2AError, stack: string | undefined): A2AError {
  Object.defineProperty(error, 'stack', {
    value: `${error.name}: ${error.message}${stack === undefined ? '' : `\n${stack}`}`,
    configurable: true,
    writable: true,
  })
  return error
}
