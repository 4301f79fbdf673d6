import { joinRest } from '../../bindings/rest.ts'
import { addressPath } from '../../card/placement.ts'
import { deadlineOf } from '../../core/abort.ts'
import type { HttpRequest, OpenResponse } from '../../http/types.ts'
import { codecFor } from '../../protocol/codecs.ts'
import { extensionHeaders } from '../../protocol/headers.ts'
import type { AgentInterface } from '../../protocol/model.ts'
import { earlyCardPath, earlyRoutes, hasEarlyCard } from '../operations/extendedCard.ts'
import { Connector, type ClientOptions } from '../route/connection.ts'
import { locate } from '../route/locate.ts'
import { bindingOf, isCallable } from '../route/plan.ts'
import { identityOf, type Identity } from './identity.ts'
import { bareRequest, encodeProbe, operationRequest, type ProbeRequest } from './request.ts'
import type { Probe, ProbeAnswer } from './types.ts'

/** How long the first event of a stream is awaited, in ms. */
const firstEventMs = 2000
const mostStreamText = 65_536

/** Sends bare requests to an agent. Answers of every status are returned; throws A2AError if there was none. */
export class Prober extends Connector {
  readonly #about: ClientOptions
  readonly #onSecret: (value: string) => void

  constructor(about: ClientOptions, onSecret: (value: string) => void) {
    super(about)
    this.#about = about
    this.#onSecret = onSecret
  }

  /** The interfaces that this client can call, at the addresses where it calls them: first the one that `send()` tries first. */
  async interfaces(signal?: AbortSignal): Promise<AgentInterface[]> {
    const { endpoint, binding, version } = this.#about.options
    const { routes, found } = await this.connect(signal)
    const first = routes.slice(0, 1).map((route) => route.interface)
    const isFixed = [endpoint, binding, version].some((one) => one !== undefined)
    const offered = isFixed ? [] : (found?.interfaces ?? []).filter(isCallable)
    const located = offered.map((one) => locate(one, { ...this.#about, found }).interface)
    const known = new Set<string>()
    return [...first, ...located].filter((one) => {
      const key = `${bindingOf(one)} ${one.dialect} ${one.url} ${one.tenant ?? ''}`
      return known.has(key) ? false : known.add(key)
    })
  }

  /**
   * Sends one request. Undefined if the interface lacks the operation, or the scheme a place for a credential.
   * Throws A2AUsageError `BAD_OPTIONS` for credentials that the card does not know.
   */
  async probe(probe: Probe): Promise<ProbeAnswer | undefined> {
    const { deps, options } = this.#about
    const connection = await this.connect(probe.signal)
    const to = probe.to ?? connection.routes[0]?.interface
    if (to === undefined) return undefined
    const card = connection.found?.card ?? {}
    const identity = await identityOf(probe.as ?? 'handle', card, deps, this.#onSecret)
    if (identity === undefined) return undefined
    const ask = (request: ProbeRequest): Promise<ProbeAnswer> => this.#ask(request, probe, to, identity)

    const codec = codecFor(to.dialect, bindingOf(to))
    const isEarlyCard = probe.operation === 'extendedCard' && hasEarlyCard(connection)
    const call = isEarlyCard ? undefined : encodeProbe(probe.operation, to, codec, deps)
    if (call === undefined) {
      return probe.operation === 'extendedCard' ? firstThere(earlyCardRequests(to), ask) : undefined
    }
    const version = {
      ...codec.headers(to.version),
      ...extensionHeaders(to.dialect, options.extensions ?? []),
    }
    return ask(
      probe.method !== undefined
        ? bareRequest(probe, call, version)
        : operationRequest(probe.operation, call, version),
    )
  }

  async #ask(
    { request, asked }: ProbeRequest,
    probe: Probe,
    to: AgentInterface,
    identity: Identity,
  ): Promise<ProbeAnswer> {
    const response = await this.#about.transport.open({
      ...request,
      url: withQuery(request.url, identity.query),
      headers: { ...request.headers, ...probe.headers, ...identity.headers },
      ...(identity.give && { give: identity.give }),
      ...this.#timeLeft(probe.signal),
      ...(probe.signal && { signal: probe.signal }),
      ...(to.path !== undefined && { addressFrom: addressPath(to.path) }),
    })
    const isStream = response.mediaType === 'text/event-stream' && response.status < 300
    const text = isStream ? await this.#firstEvent(response) : await response.text()
    const { status, headers, mediaType, exchange } = response
    const withheld = identity.withheld?.() ?? exchange.withheld
    return { asked, to, status, headers, mediaType, text, withheld, exchange }
  }

  async #firstEvent(response: OpenResponse): Promise<string> {
    let text = ''
    const cancel = this.#about.deps.clock.after(firstEventMs, () => response.abort())
    try {
      const decoder = new TextDecoder()
      for await (const chunk of response.chunks()) {
        text += decoder.decode(chunk, { stream: true })
        if (/\r?\n\r?\n/.test(text.trimStart()) || text.length > mostStreamText) break
      }
    } catch {
      // The head is enough: it shows that the request was accepted.
    } finally {
      cancel()
      response.abort()
    }
    return text
  }

  #timeLeft(signal: AbortSignal | undefined): Pick<HttpRequest, 'timeoutMs' | 'timeoutOption'> {
    const { options, deps } = this.#about
    const { requestTimeoutMs = 60_000 } = options
    const deadlineAt = deadlineOf(signal)
    const leftMs = deadlineAt === undefined ? Infinity : Math.max(deadlineAt - deps.clock.now(), 1)
    return leftMs < requestTimeoutMs
      ? { timeoutMs: leftMs, timeoutOption: 'deadlineMs' }
      : { timeoutMs: requestTimeoutMs, timeoutOption: 'requestTimeoutMs' }
  }
}

/** The plain GETs of the card for authenticated clients, at each place where it may be. */
function earlyCardRequests(to: AgentInterface): ProbeRequest[] {
  return earlyRoutes(to).map(({ interface: { url: base } }) => {
    const url = joinRest(base, earlyCardPath)
    return {
      request: { method: 'GET', url, headers: { accept: 'application/json' }, purpose: 'extended card' },
      asked: `GET ${new URL(url).pathname}`,
    }
  })
}

/** The answer of the first place that exists. */
async function firstThere(
  requests: readonly ProbeRequest[],
  ask: (request: ProbeRequest) => Promise<ProbeAnswer>,
): Promise<ProbeAnswer | undefined> {
  let last: ProbeAnswer | undefined
  for (const request of requests) {
    last = await ask(request)
    if (last.status !== 404 && last.status !== 405) return last
  }
  return last
}

function withQuery(url: string, query: Record<string, string>): string {
  if (Object.keys(query).length === 0 || !URL.canParse(url)) return url
  const full = new URL(url)
  for (const [name, value] of Object.entries(query)) full.searchParams.set(name, value)
  return full.href
}
