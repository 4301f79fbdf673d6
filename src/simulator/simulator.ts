import { throwIfAborted } from '../core/abort.ts'
import type { Checked } from '../core/document.ts'
import { readJson } from '../model/answer.ts'
import type { ModelAnswer, ModelCalls } from '../model/types.ts'
import { isEmpty, type Guard } from './guards.ts'
import {
  reasonFor,
  simulatorAnswer,
  simulatorMessages,
  simulatorSystem,
  type SimulatorAnswer,
  type SimulatorBrief,
} from './prompt.ts'
import type { EndReason, GuardHit, TranscriptEntry } from '../transcript/types.ts'

export { simulatorVersion } from './prompt.ts'

export interface SimulatorContext extends SimulatorBrief {
  /** Default 0.7. */
  temperature?: number | undefined
  trial: number
  calls: Pick<ModelCalls, 'ask'>
  /** Makes the markers around the agent's messages. */
  id: () => string
}

/** What a simulated user does next. */
export type SimulatedTurn =
  | {
      kind: 'message'
      text: string
      /** Messages that were discarded before this one. */
      guards: GuardHit[]
      notes: string[]
    }
  | { kind: 'end'; reason: SimulatedEnd; guards: GuardHit[] }
  | { kind: 'invalid'; why: string; guards: GuardHit[] }

type SimulatedEnd = Extract<EndReason, 'goal' | 'gave_up' | 'cannot_answer' | 'user_ended'>

export interface NextTurn {
  /** The conversation so far; never changed. */
  entries: readonly TranscriptEntry[]
  /** The number of the next user message, from 1. */
  turn: number
  /** True once `minTurns` are done. */
  mayEnd: boolean
  signal: AbortSignal
  guard: Guard
}

export interface Simulator {
  /** Throws what `calls.ask()` throws. */
  next(turn: NextTurn): Promise<SimulatedTurn>
}

const tries = 3

const ends: Readonly<Record<Exclude<SimulatorAnswer['status'], 'continue'>, SimulatedEnd>> = {
  goal_reached: 'goal',
  gave_up: 'gave_up',
  cannot_answer: 'cannot_answer',
}

/** A user played by a model. Its prompts cannot contain criteria: there is no parameter for them. */
export function createSimulator(context: SimulatorContext): Simulator {
  const system = simulatorSystem(context)
  return {
    async next({ entries, turn, mayEnd, signal, guard }) {
      const document = await simulatorAnswer()
      const guards: GuardHit[] = []
      let reason: string | undefined
      for (let attempt = 1; attempt <= tries; attempt++) {
        throwIfAborted(signal)
        const nonce = context.id()
        const answer = await context.calls.ask(
          {
            role: 'simulator',
            system,
            messages: simulatorMessages(entries, nonce, reason),
            schema: { name: 'simulated_user', definition: document.jsonSchema },
            temperature: context.temperature ?? 0.7,
            seed: context.trial,
            nonce,
            signal,
          },
          { trial: context.trial, turn, attempt },
        )
        const read = readTurn(answer, {
          check: document.check,
          mayEnd,
          guard,
          insisted: guards.some((hit) => hit.guard === 'ended-early'),
        })
        if (read.kind !== 'again') return { ...read, guards }
        guards.push(...read.hits)
        reason = reasonFor(read.hits[0]?.guard ?? '')
      }
      const names = guards.map((hit) => hit.guard).join(', ')
      return {
        kind: 'invalid',
        why: `the simulated user wrote no usable message in ${tries} tries (${names}): ${guards.at(-1)?.why ?? ''}`,
        guards,
      }
    },
  }
}

type Read =
  | { kind: 'message'; text: string; notes: string[] }
  | { kind: 'end'; reason: SimulatedEnd }
  | { kind: 'again'; hits: GuardHit[] }

interface Reading {
  check: (value: unknown) => Checked<SimulatorAnswer>
  mayEnd: boolean
  guard: Guard
  /** The model already tried to end too early, and was asked to continue. */
  insisted: boolean
}

function readTurn(answer: ModelAnswer, { check, mayEnd, guard, insisted }: Reading): Read {
  const again = (name: string, why: string, message: string): Read => ({
    kind: 'again',
    hits: [{ guard: name, why, message }],
  })
  const silent = (): Read =>
    mayEnd ? { kind: 'end', reason: 'user_ended' } : again('empty', 'It has no text.', '')

  if (answer.json === undefined && isEmpty(answer.text)) return silent()
  const read = readJson(answer, check)
  if ('problem' in read) {
    // The model's private thoughts never go into a transcript, not even from an answer that cannot be read.
    const raw = /thought|<think/i.test(answer.text) ? '' : answer.text.slice(0, 500)
    return again('unreadable', `It is not in the form that was asked for: ${read.problem}.`, raw)
  }
  const { status, message } = read.value
  const text = message ?? ''
  if (status !== 'continue') {
    // A message that comes with an ending is not sent.
    if (mayEnd) return { kind: 'end', reason: ends[status] }
    if (!insisted || isEmpty(text)) {
      return again('ended-early', 'It ends the conversation before `minTurns` are done.', text)
    }
  }
  if (isEmpty(text)) return silent()
  const { hits, notes } = guard(text)
  return hits.length > 0 ? { kind: 'again', hits } : { kind: 'message', text, notes }
}
