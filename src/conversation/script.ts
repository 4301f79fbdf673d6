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
  | { kind: 'end'; reason: EndReason; discarded?: GuardHit[] | undefined }
  | { kind: 'invalid'; why: string; discarded: GuardHit[] }

/** The user's side of a conversation: opening, fixed turns and simulated turns, in order. */
export interface Script {
  /** False if the next call of `next()` could only end the conversation, without a model call. */
  hasMore(): boolean
  /** Throws what a model call throws; A2AUsageError `BAD_USE` for a function of the script. */
  next(context: NextContext): Promise<NextMessage>
}

export interface NextContext {
  /** The number of the next message, from 1. */
  turn: number
  /** The conversation so far; never changed. */
  entries: readonly TranscriptEntry[]
  /** A copy, for functions of the test. */
  transcript: () => Transcript
  signal: AbortSignal
}

type AnyStep =
  | { kind: 'fixed'; message: MessageInput; by: 'opening' | 'script' }
  | {
      kind: 'function'
      at: number
      ask: (conversation: Transcript) => MessageInput | undefined | Promise<MessageInput | undefined>
    }
  | { kind: 'simulated'; left: number }

type Step<Kind extends AnyStep['kind'] = AnyStep['kind']> = Extract<AnyStep, { kind: Kind }>

/** The simulated user, and what guards its messages. */
export interface SimulatedUser {
  user: Simulator
  guard: Guard
}

/** Reads a plan turn by turn. `simulated` creates the simulated user once, for the first simulated turn. */
export function createScript(plan: ConversationPlan, simulated: () => SimulatedUser): Script {
  return new PlannedScript(plan, simulated)
}

class PlannedScript implements Script {
  private readonly plan: ConversationPlan
  private readonly simulated: () => SimulatedUser
  private readonly steps: Step[]
  private simulatedUser: SimulatedUser | undefined

  constructor(plan: ConversationPlan, simulated: () => SimulatedUser) {
    this.plan = plan
    this.simulated = simulated
    this.steps = stepsOf(plan)
  }

  hasMore(): boolean {
    return this.steps.length > 0
  }

  async next(context: NextContext): Promise<NextMessage> {
    const step = this.steps[0]
    if (step === undefined) return { kind: 'end', reason: 'script_end' }
    if (step.kind === 'simulated') return this.simulate(step, context)
    this.steps.shift()
    if (step.kind === 'function') return this.callFunction(step, context)
    return { kind: 'message', message: step.message, by: step.by }
  }

  private async callFunction({ at, ask }: Step<'function'>, context: NextContext): Promise<NextMessage> {
    const message = await callUserFunction(
      `the function in turn ${at} of the script`,
      () => ask(context.transcript()),
      context.signal,
    )
    if (message !== undefined) return { kind: 'message', message: checked(message, at), by: 'script' }
    // It ends the fixed turns; a simulated user may continue.
    const last = this.steps.findLast(({ kind }) => kind === 'simulated')
    this.steps.splice(0, Infinity, ...(last !== undefined && this.plan.simulatesOn ? [last] : []))
    return this.next(context)
  }

  private async simulate(step: Step<'simulated'>, context: NextContext): Promise<NextMessage> {
    const { entries, turn, signal } = context
    const { user, guard } = (this.simulatedUser ??= this.simulated())
    const mayEnd = turn > this.plan.minTurns
    const next = await orAborted(user.next({ entries, turn, mayEnd, signal, guard }), signal)
    const { guards } = next
    if (next.kind === 'invalid') return { kind: 'invalid', why: next.why, discarded: guards }
    if (next.kind === 'message') {
      step.left -= 1
      if (step.left === 0) this.steps.shift()
      return { kind: 'message', message: next.text, by: 'simulator', guards, notes: next.notes }
    }
    this.steps.shift()
    // If the simulated user has nothing more to say, the rest of the script follows.
    if (this.steps.length > 0) return this.next(context)
    return { kind: 'end', reason: next.reason, discarded: guards }
  }
}

function stepsOf({ openingMessage, script, simulatesOn }: ConversationPlan): Step[] {
  const steps = script.map((turn, index): Step => {
    if (isSimulate(turn)) return { kind: 'simulated', left: turn.simulate }
    if (typeof turn === 'function') return { kind: 'function', at: index + 1, ask: turn }
    return { kind: 'fixed', message: turn, by: 'script' }
  })
  if (openingMessage !== undefined) steps.unshift({ kind: 'fixed', message: openingMessage, by: 'opening' })
  if (simulatesOn) steps.push({ kind: 'simulated', left: Infinity })
  return steps
}

/** Calls a function of the test; an error in it is not the agent's fault. Throws A2AUsageError `BAD_USE`. */
export async function callUserFunction<T>(
  name: string,
  ask: () => T | Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const work = (async () => {
    try {
      return await ask()
    } catch (error) {
      throw new A2AUsageError('BAD_USE', `${name} threw ${errorText(error)}.`, { cause: error })
    }
  })()
  work.catch(() => {})
  return orAborted(work, signal)
}

function errorText(error: unknown): string {
  const message = (error as { message?: unknown } | null | undefined)?.message
  return typeof message === 'string' && message !== '' ? message.replace(/\.$/, '') : String(error)
}

function checked(returned: unknown, at: number): MessageInput {
  if (messageKind.accepts(returned)) return returned as MessageInput
  const shown =
    typeof returned === 'string' || Array.isArray(returned)
      ? 'an empty message'
      : returned === null
        ? 'null'
        : `a value of type ${typeof returned}`
  throw new A2AUsageError(
    'BAD_USE',
    `the function in turn ${at} of the script returned ${shown} instead of a message.`,
    { fix: 'Return a string or an array of parts, or undefined to end the script.' },
  )
}
