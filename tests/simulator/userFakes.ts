import {
  createSimulator,
  type NextTurn,
  type SimulatedTurn,
  type SimulatorContext,
} from '../../src/simulator/simulator.ts'
import type { Guard } from '../../src/simulator/guards.ts'
import type { TranscriptEntry } from '../../src/transcript/types.ts'
import type { CallPlace, ModelAnswer, ModelCalls, ModelRequest } from '../../src/model/types.ts'

/** Answers in order; what is no string becomes JSON, an Error is thrown. */
export interface FakeCalls extends Pick<ModelCalls, 'ask'> {
  readonly requests: ModelRequest[]
  readonly places: CallPlace[]
}

export function fakeCalls(...answers: unknown[]): FakeCalls {
  const requests: ModelRequest[] = []
  const places: CallPlace[] = []
  return {
    requests,
    places,
    async ask(request, place): Promise<ModelAnswer> {
      requests.push(request)
      places.push(place)
      const answer = answers[requests.length - 1]
      if (answer === undefined) throw new Error(`the fake has no answer ${requests.length}`)
      if (Object.prototype.toString.call(answer) === '[object Error]') throw answer
      return { text: typeof answer === 'string' ? answer : JSON.stringify(answer) }
    },
  }
}

export const says = (message: string | null, status = 'continue'): object => ({
  thought: 'PRIVATE thought',
  status,
  message,
})

/** Random marks that are none. */
export function marks(): () => string {
  let last = 0
  return () => `mark-${++last}`
}

export const noGuard: Guard = () => ({ hits: [], notes: [] })

/** A conversation that was said in turns: user, agent, user, agent, … */
export function conversation(...texts: string[]): TranscriptEntry[] {
  return texts.map((text, index) => ({
    turn: Math.floor(index / 2) + 1,
    from: index % 2 === 0 ? 'user' : 'agent',
    text,
    ...(index % 2 === 0 ? { by: 'simulator' as const } : {}),
  }))
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const each of Object.values(value)) deepFreeze(each)
  }
  return value
}

/** What the simulated user does next; told as little as may be. */
export const next = (
  calls: FakeCalls,
  turn: Partial<NextTurn> = {},
  about: Partial<SimulatorContext> = {},
): Promise<SimulatedTurn> =>
  createSimulator({ facts: [], trial: 1, id: marks(), ...about, calls }).next({
    entries: [],
    turn: 1,
    mayEnd: false,
    signal: new AbortController().signal,
    guard: noGuard,
    ...turn,
  })
