import { randomUUID } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import { systemClock, type Clock } from './clock.ts'

/** Everything that would make two runs differ, so that tests can hold it still. */
export interface Deps {
  clock: Clock
  /** Makes message, task and session ids. */
  id(): string
  /** Makes JSON-RPC request ids: 1, 2, 3, … per handle. */
  rpcId(): number
  /** Resolves host names; Node's own unless given. */
  lookup?: LookupFunction
  env: Readonly<Record<string, string | undefined>>
}

export function systemDeps(overrides: Partial<Deps> = {}): Deps {
  let last = 0
  return { clock: systemClock, id: randomUUID, rpcId: () => ++last, env: process.env, ...overrides }
}
