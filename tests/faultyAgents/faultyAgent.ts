import { createAgent, type AgentExtra } from '../../src/agent/handle.ts'
import type { A2AAgent } from '../../src/agent/types.ts'
import type { AgentOptions } from '../../src/client/types.ts'
import { checkSmoke } from '../../src/checks/reply/checkSmoke.ts'
import { systemDeps, type Deps } from '../../src/core/deps.ts'
import type { Level } from '../../src/findings/types.ts'
import type { Fault } from '../../src/testing/index.ts'
import type { Outcome, Verdict } from '../../src/checks/verdict.ts'
import { manualClock } from '../support/manualClock.ts'

/** One agent with one fault, and the finding that reports it. Its repaired twin is the same agent without the fault. */
export interface FaultyAgent {
  /** Completes "an agent that …". */
  name: string
  /** The one id that the fault adds to the verdict. */
  finding: string
  level: Level
  /** A part of the finding's message. */
  message: string
  /** The path of the finding. */
  path?: string
  /** Default: `failed` for an error, else `passed`. */
  outcome?: Outcome
  /** Starts the agent with its fault, or without one for the twin. */
  start: StartAgent
  fault?: Fault | Fault[]
  options?: AgentOptions
  /** Ids that the repaired twin reports as well. Default: none. */
  known?: string[]
  /** Default: the smoke check. A check that waits for something missing may skip that wait for the repaired twin. */
  check?: (agent: A2AAgent, which: 'broken' | 'repaired') => Promise<Verdict>
}

export type StartAgent = (fault: Fault[]) => Promise<Running>

/** An agent that was started. */
export interface Running {
  url: string
  close(): Promise<void>
  /** What only a test can fix: host names that lead to this machine. */
  deps?: Partial<Deps>
  options?: AgentOptions
  extra?: AgentExtra
}

export const budget = { signal: new AbortController().signal }

const smoke = (agent: A2AAgent): Promise<Verdict> => checkSmoke(agent, [], budget)

/** Starts a faulty agent, or its repaired twin, and checks it. Waits take no time. */
export async function checkAgent(faulty: FaultyAgent, which: 'broken' | 'repaired'): Promise<Verdict> {
  const { start, fault = [], options, check = smoke } = faulty
  const running = await start(which === 'broken' ? [fault].flat() : [])
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
