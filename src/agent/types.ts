import type { Probe, ProbeAnswer } from '../client/probe/types.ts'
import type { AgentCardResult, AgentOptions, CardJudgement, Client } from '../client/types.ts'
import type { DocumentQuestion } from '../http/json.ts'
import type { Exchange } from '../http/types.ts'
import type { AgentInterface } from '../protocol/model.ts'

/** What `a2aAgent()` returns: lazy, caches the card, shared by concurrent callers. */
export interface A2AAgent extends Client, AsyncDisposable {
  /** Brand, for subjects made by another copy of this package. */
  readonly isA2AAgent: true
  /** The address as typed, or of the server that we opened. */
  readonly url: string
  readonly options: Readonly<AgentOptions>
  /** `name (url)` for messages; the name only once the card is known. */
  label(): string
  /** Everything that was exchanged, oldest first. */
  readonly exchanges: readonly Exchange[]
  /** Values that must never be printed. */
  readonly secrets: readonly string[]
  /** Finds and judges the card, once per handle. Throws only if no location answers: `UNREACHABLE`, `TIMEOUT`, … */
  card(judgedBy?: CardJudgement): Promise<AgentCardResult>
  /**
   * The same agent with other options: credentials, version, binding. An option set to undefined is removed. The new handle has
   * its own card and exchanges; closing it leaves the agent running, closing this one closes both.
   */
  withOptions(overrides: { [Name in keyof AgentOptions]?: AgentOptions[Name] | undefined }): A2AAgent
  /** Reads a JSON document that the card refers to, such as a key set. Throws A2AError. */
  fetchJson(url: string, about: DocumentQuestion): Promise<unknown>
  /** The interfaces of the card that this client can call, with the addresses it calls. `send()` tries the first one first. */
  interfaces(signal?: AbortSignal): Promise<AgentInterface[]>
  /**
   * Sends one bare request with any identity, or anonymously, and returns the answer whatever its status: for checks of authentication and
   * the like. Undefined if the interface lacks the operation. Throws A2AError if nothing answered.
   */
  probe(probe: Probe): Promise<ProbeAnswer | undefined>
  /** Forgets the card, for an agent that was restarted. */
  refresh(): void
  /** Closes what this handle opened. */
  close(): Promise<void>
}
