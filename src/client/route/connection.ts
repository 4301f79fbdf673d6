import type { AgentCardResult, AgentOptions } from '../types.ts'
import { orAborted, throwIfAborted } from '../../core/abort.ts'
import type { Deps } from '../../core/deps.ts'
import { A2AUsageError, isA2AError, isReplyError } from '../../core/errors.ts'
import type { Finding } from '../../core/finding.ts'
import type { AgentInterface } from '../../protocol/model.ts'
import type { Transport } from '../../http/types.ts'
import type { Way } from '../operations/call.ts'
import { chooseRoute, type Route } from './choose.ts'
import { locate } from './locate.ts'

/** What a client needs of its handle. */
export interface ClientOptions {
  transport: Transport
  options: AgentOptions
  deps: Deps
  /** The agent's address as typed. */
  typedUrl: string
  card(): Promise<AgentCardResult>
  /** Who is called, for messages. */
  label(): string
  secrets: readonly string[]
  /** Origin that we opened ourselves for a served or spawned subject. */
  servedOrigin?: string
  /** Takes secrets out of an error, for what is thrown while a stream is read. */
  hide(error: unknown): unknown
  /** Told the card before the first call, so that credentials can be applied as it says. */
  onCard?(result: AgentCardResult): void
}

/** What the handle remembers: the way that works, and why it is another than the card says. */
export interface Connected {
  route: Route
  /** The card, where one could be had. */
  result?: AgentCardResult
  /** Findings about the address, by interface. */
  placed: Map<AgentInterface, Finding[]>
  settled?: { way: Way; candidate: AgentInterface; findings: Finding[] }
  /** True once the agent turned out to know no subscriptions. */
  cannotSubscribe?: boolean
}

/** Finds out once how the agent can be called, for all who ask. */
export interface Connector {
  /** Throws A2AError. */
  connect(signal?: AbortSignal): Promise<Connected>
  forget(): void
}

export function createConnector(about: ClientOptions): Connector {
  const { options, typedUrl } = about
  let connected: Promise<Connected> | undefined

  const open = async (): Promise<Connected> => {
    const result = await cardOf(about)
    const route = chooseRoute({ ...(result && { result }), options, typedUrl })
    if (result !== undefined) about.onCard?.(result)
    else if (options.credentials !== undefined) {
      throw new A2AUsageError(
        'BAD_OPTIONS',
        'option credentials needs the agent card, which says where they go; none was found',
        {
          fix: 'Use the option headers, or pass the card with card or cardUrl.',
        },
      )
    }
    const placed = new Map<AgentInterface, Finding[]>()
    const candidates = route.candidates.map((candidate) => {
      const { interface: located, findings } = locate(candidate, { ...about, ...(result && { result }) })
      placed.set(located, findings)
      return located
    })
    return { route: { ...route, candidates }, placed, ...(result && { result }) }
  }

  return {
    async connect(signal) {
      if (connected === undefined) {
        const started = open()
        connected = started
        // A failure is not remembered: the agent may be up at the next try.
        started.catch(() => {
          if (connected === started) connected = undefined
        })
      }
      throwIfAborted(signal)
      // It goes on for the other callers.
      return orAborted(connected, signal)
    },
    forget() {
      connected = undefined
    },
  }
}

/** The card where it can be had; with `endpoint` the agent can be called without one. */
async function cardOf({ card, options }: ClientOptions): Promise<AgentCardResult | undefined> {
  if (options.endpoint === undefined) return card()
  // With the version known, the card is only needed to tell where credentials go.
  if (options.version !== undefined && options.credentials === undefined && options.card === undefined)
    return undefined
  try {
    const result = await card()
    return result.discovery.found === undefined ? undefined : result
  } catch (error) {
    if (isA2AError(error) && (isReplyError(error) || error.name === 'A2AConnectionError')) return undefined
    throw error
  }
}
