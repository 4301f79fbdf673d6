import type { ConversationRun, EndReason, TranscriptEntry } from '../../transcript/types.ts'
import { A2AUsageError } from '../../core/errors.ts'
import type { Verdict } from '../verdict.ts'
import { failing, type CheckResult } from '../checkResult.ts'
import { isPromise } from '../../core/guards.ts'
import { compare, phrase, type Answer, type Expected } from '../reply/expectedValue.ts'
import { count, listed, quote } from '../phrases.ts'

/** Options of `toHaveSaid()`. */
export interface HaveSaidOptions {
  /** Whose message. Default `agent`. */
  by?: 'agent' | 'user'
  /** Only in this turn, from 1. Default: in any. */
  turn?: number
  /** A string must be a whole message. Default false: contained in one. */
  exact?: boolean
}

/** Looks for a message with the expected text or data. */
export function checkHasSaid(
  run: ConversationRun,
  [expected, options = {}]: readonly [
    expected: Expected<TranscriptEntry>,
    options?: HaveSaidOptions | undefined,
  ],
): Verdict {
  const { by = 'agent', turn, exact = false } = options
  if (turn !== undefined && turn > run.turns) {
    throw new A2AUsageError(
      'BAD_OPTIONS',
      `toHaveSaid(): turn ${turn} does not exist; the conversation has ${run.turns}.`,
    )
  }
  const said = run.entries.filter(
    (entry) => entry.from === by && entry.error === undefined && (turn === undefined || entry.turn === turn),
  )
  const where = turn === undefined ? '' : ` in turn ${turn}`
  const what = `${by === 'agent' ? 'an agent' : 'a user'} that said something${where} ${phrase(expected, exact)}`
  const found = said.find((entry) => fits(expected, entry, exact))
  if (found !== undefined) {
    return ofRun(run, what, { outcome: 'passed', received: `turn ${found.turn}: ${quote(found.text)}` })
  }
  const all = count(said.length, 'message')
  const received =
    said.length === 0
      ? `a conversation in which the ${by} said nothing${where}`
      : `${all} of the ${by}, none of which matches`
  return ofRun(run, what, cutShort(run) ?? failing('conversation/not-said', received))
}

function fits(expected: Expected<TranscriptEntry>, entry: TranscriptEntry, exact: boolean): boolean {
  const { text, data = [] } = entry
  const answer: Answer<TranscriptEntry> = { text, data, about: entry }
  const mismatch = compare(expected, answer, { matcher: 'toHaveSaid', exact })
  if (!isPromise(mismatch)) return mismatch === undefined
  mismatch.catch(() => undefined)
  throw new A2AUsageError('BAD_USE', 'toHaveSaid() is synchronous, but the function or schema is not.', {
    fix: 'Await the value first, or use a criterion: { check: async (transcript) => …, description: "…" }.',
  })
}

/** Compares how a conversation ended. */
export function checkEndedBy(
  run: ConversationRun,
  [reason]: readonly [reason: EndReason | readonly EndReason[]],
): Verdict {
  const reasons = typeof reason === 'string' ? [reason] : reason
  const what = `a conversation that ended by ${listed(reasons.map((one) => quote(one))).replace(/ and /, ' or ')}`
  const received = `a conversation that ended by ${quote(run.endReason)} after ${count(run.turns, 'turn')}`
  return ofRun(
    run,
    what,
    reasons.includes(run.endReason)
      ? { outcome: 'passed', received }
      : failing('conversation/end-reason', received),
  )
}

/** In a conversation that was cut short, or whose simulated user broke, a missing message decides nothing. */
export function cutShort({ fault }: ConversationRun): CheckResult | undefined {
  if (fault === undefined || fault.outcome === 'failed') return undefined
  return {
    outcome: fault.outcome,
    received: fault.message,
    ...(fault.fix !== undefined && { fix: fault.fix }),
  }
}

/** The verdict of a check that needs only the run. */
export function ofRun(run: ConversationRun, expected: string, facts: CheckResult): Verdict {
  const { findings = [], ...rest } = facts
  return {
    agent: run.agent,
    expected,
    exchanges: [],
    secrets: run.secrets,
    conversation: { run },
    ...rest,
    findings: [...findings],
  }
}
