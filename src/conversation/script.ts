import type { MessageInput } from '../client/types.ts'
import { A2AUsageError } from '../core/errors.ts'
import type { Guard } from '../simulator/guards.ts'
import { isSimulate, type ConversationPlan } from './planConversation.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { messageKind } from './optionSpecs.ts'
import { orAborted } from '../core/abort.ts'
import type { EndReason, GuardHit, Transcript, TranscriptEntry } from '../transcript/types.ts'

/** What the user does next. */
export type NextMessage =
  | {
      kind: 'message'
      message: MessageInput
      by: NonNullable<TranscriptEntry['by']>
      guards?: GuardHit[]
      notes?: string[]
    }
  | { kind: 'end'; reason: EndReason; discarded?: GuardHit[] }
  | { kind: 'invalid'; why: string; discarded: GuardHit[] }

/** The user's side of a conversation: opening, fixed turns and simulated ones, in order. */
export interface Script {
  /** False if the next call of `next()` could only end the conversation, without a model call. */
  hasMore(): boolean
  /** Throws what a model call throws; A2AUsageError `BAD_USE` for a function of the script. */
  next(context: NextContext): Promise<NextMessage>
}

export interface NextContext {
  /** The message that is asked for, from 1. */
  turn: number
  /** What was said so far; never changed. */
  entries: readonly TranscriptEntry[]
  /** A copy of it, for functions of the test. */
  transcript: () => Transcript
  signal: AbortSignal
}

type Step =
  | { kind: 'fixed'; message: MessageInput; by: 'opening' | 'script' }
  | {
      kind: 'function'
      at: number
      ask: (conversation: Transcript) => MessageInput | undefined | Promise<MessageInput | undefined>
    }
  | { kind: 'simulated'; left: number }

/** Reads a plan turn by turn. `simulated` creates the simulated user once, for the first simulated turn. */
export function createScript(
  plan: ConversationPlan,
  simulated: () => { user: Simulator; guard: Guard },
): Script {
  let playing: ReturnType<typeof simulated> | undefined
  const steps: Step[] = [
    ...(plan.openingMessage === undefined
      ? []
      : [{ kind: 'fixed' as const, message: plan.openingMessage, by: 'opening' as const }]),
    ...plan.script.map((turn, at): Step => {
      if (isSimulate(turn)) return { kind: 'simulated', left: turn.simulate }
      if (typeof turn === 'function') return { kind: 'function', at: at + 1, ask: turn }
      return { kind: 'fixed', message: turn, by: 'script' }
    }),
    ...(plan.simulatesOn ? [{ kind: 'simulated' as const, left: Infinity }] : []),
  ]

  async function next(context: NextContext): Promise<NextMessage> {
    const { turn, entries, transcript, signal } = context
    const step = steps[0]
    if (step === undefined) return { kind: 'end', reason: 'script_end' }
    if (step.kind === 'fixed') {
      steps.shift()
      return { kind: 'message', message: step.message, by: step.by }
    }
    if (step.kind === 'function') {
      steps.shift()
      const given = await callUserFunction(
        `the function in turn ${step.at} of the script`,
        () => step.ask(transcript()),
        signal,
      )
      if (given !== undefined) {
        return { kind: 'message', message: checked(given, step.at), by: 'script' }
      }
      // It ends the fixed turns; a simulated user may go on.
      const rest = steps.filter(({ kind }) => kind === 'simulated').slice(-1)
      steps.splice(0, steps.length, ...rest.filter(() => plan.simulatesOn))
      return next(context)
    }
    const { user, guard } = (playing ??= simulated())
    const said = await orAborted(
      user.next({
        entries,
        turn,
        mayEnd: turn > plan.minTurns,
        signal,
        guard,
      }),
      signal,
    )
    if (said.kind === 'invalid') return { kind: 'invalid', why: said.why, discarded: said.guards }
    if (said.kind === 'message') {
      step.left -= 1
      if (step.left === 0) steps.shift()
      return {
        kind: 'message',
        message: said.text,
        by: 'simulator',
        guards: said.guards,
        notes: said.notes,
      }
    }
    steps.shift()
    // A user who is done early leaves the rest of the script to its author.
    if (steps.length > 0) return next(context)
    return { kind: 'end', reason: said.reason, discarded: said.guards }
  }

  return { hasMore: () => steps.length > 0, next }
}

/** Calls a function of the test; what it throws is no fault of the agent. Throws A2AUsageError `BAD_USE`. */
export async function callUserFunction<T>(
  name: string,
  ask: () => T | Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const work = (async () => {
    try {
      return await ask()
    } catch (error) {
      throw new A2AUsageError('BAD_USE', `${name} threw ${said(error)}.`, { cause: error })
    }
  })()
  work.catch(() => {})
  return orAborted(work, signal)
}

function said(error: unknown): string {
  const message = (error as { message?: unknown } | null | undefined)?.message
  return typeof message === 'string' && message !== '' ? message.replace(/\.$/, '') : String(error)
}

function checked(given: unknown, at: number): MessageInput {
  if (messageKind.accepts(given)) return given as MessageInput
  const shown =
    typeof given === 'string' || Array.isArray(given)
      ? 'an empty message'
      : given === null
        ? 'null'
        : `a value of type ${typeof given}`
  throw new A2AUsageError(
    'BAD_USE',
    `the function in turn ${at} of the script gave ${shown} instead of a message.`,
    { fix: 'Return a text or a list of parts, or undefined to end the script.' },
  )
}
