import type { FoundCard, AgentOptions } from '../types.ts'
import { orAborted } from '../../core/abort.ts'
import type { Deps } from '../../core/deps.ts'
import { A2AUsageError, isA2AError, isReplyError } from '../../core/errors.ts'
import type { Transport } from '../../http/types.ts'
import { locate } from './locate.ts'
import { planRoutes } from './plan.ts'
import type { Connection, Route } from './types.ts'

/** What a client needs of its handle. */
export interface ClientOptions {
  transport: Transport
  options: AgentOptions
  deps: Deps
  /** The agent's address as typed. */
  typedUrl: string
  card(): Promise<FoundCard>
  /** Who is called, for messages. */
  label(): string
  secrets: readonly string[]
  /** Origin that we opened ourselves for a served or spawned subject. */
  servedOrigin?: string
  /** Takes secrets out of an error, for what is thrown while a stream is read. */
  hide(error: unknown): unknown
  /** Receives the card before the first call, so that credentials can be applied as it says. */
  onCard?(found: FoundCard): void
}

/** Finds out once how the agent can be called, for all callers. */
export class Connector {
  readonly #options: ClientOptions
  #connecting: Promise<Connection> | undefined

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** Throws A2AError. */
  connect(signal?: AbortSignal): Promise<Connection> {
    this.#connecting ??= this.#open()
    if (signal === undefined) return this.#connecting
    // It continues for the other callers.
    return signal.aborted ? Promise.reject(signal.reason as Error) : orAborted(this.#connecting, signal)
  }

  forget(): void {
    this.#connecting = undefined
  }

  #open(): Promise<Connection> {
    const opening = openConnection(this.#options)
    // A failure is not remembered: the agent may be up at the next try.
    opening.catch(() => {
      if (this.#connecting === opening) this.#connecting = undefined
    })
    return opening
  }
}

async function openConnection(about: ClientOptions): Promise<Connection> {
  const { options, typedUrl, servedOrigin } = about
  const found = await cardOf(about)
  const plan = planRoutes({ found, options, typedUrl })
  if (found !== undefined) about.onCard?.(found)
  else if (options.credentials !== undefined) {
    throw new A2AUsageError(
      'BAD_OPTIONS',
      'option credentials needs the agent card, which says where they go; none was found',
      { fix: 'Use the option headers, or pass the card with card or cardUrl.' },
    )
  }
  const routes = plan.interfaces.map((one): Route => {
    const located = locate(one, { found, typedUrl, servedOrigin })
    return { interface: located.interface, findings: [...located.findings, ...plan.findings] }
  })
  return { routes, found, declared: plan.declared, lastResort: plan.lastResort }
}

/** The card if it can be fetched; with `endpoint` the agent can be called without one. */
async function cardOf({ card, options }: ClientOptions): Promise<FoundCard | undefined> {
  if (options.endpoint === undefined) return card()
  // With the version known, the card is only needed for where credentials go.
  if (options.version !== undefined && options.credentials === undefined && options.card === undefined)
    return undefined
  try {
    const found = await card()
    return found.discovery.found === undefined ? undefined : found
  } catch (error) {
    if (isA2AError(error) && (isReplyError(error) || error.name === 'A2AConnectionError')) return undefined
    throw error
  }
}
