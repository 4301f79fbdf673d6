import { createAgent, type AgentExtra } from '../../src/agent/handle.ts'
import type { A2AAgent } from '../../src/agent/types.ts'
import type { AgentOptions } from '../../src/client/types.ts'
import { checkSmoke } from '../../src/checks/reply/checkSmoke.ts'
import { systemDeps, type Deps } from '../../src/core/deps.ts'
import type { Level } from '../../src/core/finding.ts'
import type { Fault } from '../../src/testing/index.ts'
import type { Outcome, Verdict } from '../../src/core/verdict.ts'
import { manualClock } from '../support/manualClock.ts'

/** One agent with one fault, and what is to be said of it. Its twin is the same agent without the fault. */
export interface Animal {
  /** Completes "an agent that …". */
  name: string
  /** The one id that the fault adds to the verdict. */
  finding: string
  level: Level
  /** A part of the finding's message. */
  says: string
  /** Where the finding says that it is. */
  path?: string
  /** Default: `failed` for an error, else `passed`. */
  outcome?: Outcome
  /** Where it lives: starts the agent, with the fault laid over it, or none for the twin. */
  home: Home
  fault?: Fault | Fault[]
  options?: AgentOptions
  /** Ids that the repaired twin has too. Default: none. */
  known?: string[]
  /** Default: the smoke check. What takes time until it is missed need not take it where it comes. */
  check?: (agent: A2AAgent, which: 'broken' | 'repaired') => Promise<Verdict>
}

export type Home = (fault: Fault[]) => Promise<Running>

/** An agent that was started. */
export interface Running {
  url: string
  close(): Promise<void>
  /** What only a test can hold still: names that lead to this machine. */
  deps?: Partial<Deps>
  options?: AgentOptions
  extra?: AgentExtra
}

export const budget = { signal: new AbortController().signal }

const smoke = (agent: A2AAgent): Promise<Verdict> => checkSmoke(agent, [], budget)

/** Starts an animal, or its repaired twin, and checks it. Waits take no time. */
export async function visit(animal: Animal, which: 'broken' | 'repaired'): Promise<Verdict> {
  const { home, fault = [], options, check = smoke } = animal
  const running = await home(which === 'broken' ? [fault].flat() : [])
  const deps = systemDeps({ clock: manualClock({ auto: true }), env: {}, ...running.deps })
  const agent = createAgent(running.url, { ...options, ...running.options }, deps, running.extra)
  try {
    return await check(agent, which)
  } finally {
    await agent.close()
    await running.close()
  }
}

/** The ids of a verdict's findings, each once. */
export function ids(verdict: Verdict): string[] {
  return [...new Set(verdict.findings.map(({ id }) => id))].toSorted()
}
