import { systemDeps } from '../core/deps.ts'
import { createAgent } from './handle.ts'
import type { A2AAgent } from './types.ts'
import type { AgentOptions } from '../client/types.ts'

/**
 * Names an agent under test by its base URL, or by the URL of its card (ending in .json), with whatever it takes to talk to
 * it. The handle is lazy and caches the card; it may be passed to `expect()` any number of times, and be called on its own.
 * Limits are in ms: 60 000 for one request (`requestTimeoutMs`), 60 000 until a task settles (`waitMs`).
 * Throws A2AUsageError `BAD_SUBJECT` for an address that is none, `BAD_OPTIONS` for wrong options.
 */
export function a2aAgent(target: string | URL, options: AgentOptions = {}): A2AAgent {
  return createAgent(target, options, systemDeps())
}
