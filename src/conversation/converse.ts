import { resolveSubject } from '../agent/subject.ts'
import { systemDeps } from '../core/deps.ts'
import {
  A2AConnectionError,
  A2AModelError,
  A2APolicyError,
  A2AUsageError,
  isA2AError,
  type A2AError,
  type A2AErrorCode,
} from '../core/errors.ts'
import { redactError } from '../core/redact.ts'
import { testPlace } from '../model/configuration.ts'
import { runConversation } from './runConversation.ts'
import { needModel } from '../model/needModel.ts'
import { planConversation } from './planConversation.ts'
import { openModelCalls } from '../model/openModelCalls.ts'
import { withOwnRedaction } from './redaction.ts'
import { handOverMs, limitTime } from '../core/deadline.ts'
import type { ConversationOptions } from './types.ts'
import type { ConversationRun, ConversationFault } from '../transcript/types.ts'

/**
 * Runs a conversation with an agent as `toPassConversation()` does, without judging it: for matchers on the run, for
 * `judgeTranscript()`, or for your own code. `subject` is anything that `expect()` accepts, except a card. The conversation stops
 * before the running test times out, if the runner's set-up entry is loaded, and after `deadlineMs`.
 *
 * A conversation that goes wrong midway is returned as far as it went, with `endReason` and `fault`; matchers on it report the fault.
 * Throws only if nothing was exchanged: A2AConnectionError and A2APolicyError if no agent answered at all, A2AModelError if
 * the simulated user wrote no message (`NO_MODEL` before anything is sent to the agent). Throws A2AUsageError `BAD_SUBJECT`, `BAD_OPTIONS`, and
 * `BAD_USE` for functions of the test that throw.
 */
export async function converse(subject: unknown, options: ConversationOptions): Promise<ConversationRun> {
  const { plan, warnings } = planConversation('converse', options)
  const resolved = await resolveSubject(subject)
  if (resolved.kind === 'card') {
    throw new A2AUsageError(
      'BAD_SUBJECT',
      'converse() needs an agent to call, but received only an agent card.',
    )
  }
  const { agent } = resolved
  const deps = systemDeps()
  const place = testPlace()
  const name = options.name ?? place?.name
  const now = deps.clock.now()
  const latest = Math.min(
    options.deadlineMs === undefined ? Infinity : now + options.deadlineMs,
    place?.deadline === undefined ? Infinity : place.deadline - handOverMs(place.deadline - now),
  )
  const deadline = latest === Infinity ? undefined : latest
  const time = limitTime(deps.clock, place?.signal ?? new AbortController().signal, deadline)
  const calls = openModelCalls(options, agent, deps, name)
  let closing: Promise<void> | undefined
  try {
    if (plan.simulates) await needModel(calls, 'simulator', 'persona or goal asks for a simulated user')
    const { run, cause } = await runConversation(agent, plan, {
      calls,
      trial: 1,
      deps,
      signal: time.signal,
      deadline,
      criteria: [],
    })
    const label = run.fault?.outcome ?? run.endReason
    const spoke = run.entries.some(({ from, error }) => from === 'agent' && error === undefined)
    if (run.fault?.outcome === 'error' && run.fault.finding === undefined && !spoke) {
      throw asError(run.fault, cause)
    }
    if (name !== undefined) run.name = name
    run.warnings.unshift(...warnings)
    const { secrets } = run
    const redacted = { ...withOwnRedaction(run, options.redact), secrets }
    closing = calls.close(label)
    await closing
    return redacted
  } catch (error) {
    // Runners print the whole error, with its causes.
    throw redactError(error, agent.secrets)
  } finally {
    time.close()
    // The first error matters, not that its cassette is incomplete.
    if (closing === undefined) await calls.close('error').catch(() => {})
    await resolved.dispose?.()
  }
}

const classes = { A2AConnectionError, A2APolicyError, A2AModelError }

/** The error behind a fault, with the message of the fault. */
function asError({ code, message, fix }: ConversationFault, cause: unknown): A2AError {
  const name = isA2AError(cause) ? cause.name : ''
  const ErrorClass = name in classes ? classes[name as keyof typeof classes] : A2AConnectionError
  return new ErrorClass(code as A2AErrorCode, message, { cause, ...(fix !== undefined && { fix }) })
}
