import { deadlineOf } from '../../core/abort.ts'
import { addressPath } from '../../card/placement.ts'
import type { CardObject } from '../../card/types.ts'
import type { Call } from '../../protocol/codec.ts'
import { codecFor } from '../../protocol/codecs.ts'
import { extensionHeaders } from '../../protocol/headers.ts'
import type { AgentInterface } from '../../protocol/model.ts'
import { bindingFor } from '../../bindings/call.ts'
import { joinRest } from '../../bindings/rest.ts'
import type { Exchange, GivenHeaders, HttpRequest, OpenResponse } from '../../http/types.ts'
import { badCredential, withoutCredentials, type ProbeCaller } from './callers.ts'
import { bindingOf, isCallable } from '../route/choose.ts'
import { createConnector, type ClientOptions, type Connected } from '../route/connection.ts'
import { planCredentials } from '../credentials.ts'
import { getPlaces } from '../operations/extendedCard.ts'
import { locate } from '../route/locate.ts'
import { toMessage } from '../message.ts'

export type { ProbeCaller } from './callers.ts'

/** The operations that can be probed; an id that they need is one that nobody has. */
export const probeOperations = [
  'getTask',
  'send',
  'stream',
  'subscribe',
  'cancelTask',
  'listTasks',
  'extendedCard',
] as const

/** What a probe asks for, in the words of the handle's methods. */
export type ProbeOperation = (typeof probeOperations)[number]

/** One bare request. */
export interface Probe {
  /** The interface to call, as `interfaces()` gives it. Default: the one that `send()` tries first. */
  to?: AgentInterface
  /** The operation, in the words of that interface. Its address is what a bare `method` asks for, too. */
  operation: ProbeOperation
  /** Sends this method without a body to the address of the operation. Default: the operation itself. */
  method?: 'GET' | 'OPTIONS'
  /** With `method`: the address to ask instead, such as that of the card. */
  url?: string
  /** Default `handle`. */
  as?: ProbeCaller
  /** Sent as well; these are no secrets. */
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** Whatever was answered, good or bad. */
export interface ProbeAnswer {
  /** What was asked for: `message/send`, `GET /v1/card`, `OPTIONS`. */
  asked: string
  to: AgentInterface
  status: number
  /** Names in lower case; repeated ones joined by a comma. */
  headers: Record<string, string>
  mediaType: string
  /** The body; of an event stream what came up to the end of its first event. */
  text: string
  /** Names of the headers and parameters that were to say who calls, but may not go to that origin. */
  withheld: readonly string[]
  exchange: Exchange
}

/** Bare requests to an agent, and where they can go. Answers of every status come back; throws A2AError where there was none. */
export interface Prober {
  /** The interfaces that this client can call, at the addresses where it calls them: first the one that `send()` tries first. */
  interfaces(signal?: AbortSignal): Promise<AgentInterface[]>
  /**
   * Sends one request. Undefined where the interface lacks the operation, or the scheme a place for a credential.
   * Throws A2AUsageError `BAD_OPTIONS` for credentials that the card does not know.
   */
  probe(probe: Probe): Promise<ProbeAnswer | undefined>
  /** Forgets what was learnt about the agent. */
  forget(): void
}

interface Giver {
  give: NonNullable<HttpRequest['give']>
  withheld(): string[]
}

/** What a probe says to an agent that lets it. */
const message = 'Hello'
/** How long the first event of a stream is waited for, in ms. */
const firstEventMs = 2000
const mostStreamText = 65_536

export function createProber(about: ClientOptions & { onSecret(value: string): void }): Prober {
  const { options, deps, transport } = about
  const connector = createConnector(about)

  const located = (candidate: AgentInterface, { result }: Connected): AgentInterface =>
    locate(candidate, { ...about, ...(result && { result }) }).interface

  const interfaces = async (signal?: AbortSignal): Promise<AgentInterface[]> => {
    const connection = await connector.connect(signal)
    const [first] = connection.route.candidates
    const offered = connection.result?.report.interfaces ?? []
    const fixed = [options.endpoint, options.binding, options.version].some((one) => one !== undefined)
    const others = fixed ? [] : offered.filter(isCallable).map((candidate) => located(candidate, connection))
    const known = new Set<string>()
    return [...(first ? [first] : []), ...others].filter((one) => {
      const key = `${bindingOf(one)} ${one.dialect} ${one.url} ${one.tenant ?? ''}`
      return known.has(key) ? false : known.add(key)
    })
  }

  const encode = (operation: ProbeOperation, to: AgentInterface, id: string, isEarly: boolean): Call[] => {
    const codec = codecFor(to.dialect, bindingOf(to))
    const context = to.tenant === undefined ? {} : { tenant: to.tenant }
    const send = (): Parameters<typeof codec.send> => [
      toMessage(message, {}, deps.id()),
      {
        ...context,
        newTaskId: deps.id(),
        newSessionId: deps.id(),
        ...(to.acceptedOutputModes && { configuration: { acceptedOutputModes: to.acceptedOutputModes } }),
      },
    ]
    switch (operation) {
      case 'getTask':
        return [codec.getTask(id, context)]
      case 'send':
        return [codec.send(...send())]
      case 'stream':
        return [codec.stream(...send())]
      case 'subscribe':
        return [codec.subscribe(id, context)]
      case 'cancelTask':
        return [codec.cancelTask(id, context)]
      case 'listTasks':
        return codec.listTasks === undefined ? [] : [codec.listTasks({ pageSize: 1 }, context)]
      case 'extendedCard':
        return isEarly || codec.extendedCard === undefined ? [] : [codec.extendedCard(context)]
    }
  }

  const open = async (request: HttpRequest): Promise<{ response: OpenResponse; text: string }> => {
    const response = await transport.open(request)
    const isStream = response.mediaType === 'text/event-stream' && response.status < 300
    return { response, text: isStream ? await firstEvent(response) : await response.text() }
  }

  const firstEvent = async (response: OpenResponse): Promise<string> => {
    let text = ''
    const cancel = deps.clock.after(firstEventMs, () => response.abort())
    try {
      const decoder = new TextDecoder()
      for await (const chunk of response.chunks()) {
        text += decoder.decode(chunk, { stream: true })
        if (/\r?\n\r?\n/.test(text.trimStart()) || text.length > mostStreamText) break
      }
    } catch {
      // The head says enough: somebody was let in.
    } finally {
      cancel()
      response.abort()
    }
    return text
  }

  const probe = async ({ as = 'handle', ...wanted }: Probe): Promise<ProbeAnswer | undefined> => {
    const connection = await connector.connect(wanted.signal)
    const card = connection.result?.report.card ?? {}
    const to = wanted.to ?? connection.route.candidates[0]
    if (to === undefined) return undefined
    const shape = connection.result?.report.shape
    const isEarly = shape?.kind === 'card' && shape.version === '0.2'
    const id = deps.id()
    const [call] = encode(wanted.operation, to, id, isEarly)
    const bad = typeof as === 'object' && 'scheme' in as ? await badCredential(card, as, deps.id) : undefined
    if (typeof as === 'object' && 'scheme' in as && bad === undefined) return undefined
    const given = await giverOf(as, card)

    const ask = async (
      request: Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body' | 'purpose'>,
      asked: string,
    ) => {
      const { response, text } = await open({
        ...request,
        url: withQuery(request.url, bad?.query ?? {}),
        headers: { ...request.headers, ...wanted.headers, ...bad?.headers },
        ...(given && { give: given.give }),
        ...timeLeft(deadlineOf(wanted.signal)),
        ...(wanted.signal && { signal: wanted.signal }),
        ...(to.path !== undefined && { addressFrom: addressPath(to.path) }),
      })
      const { status, headers, mediaType, exchange } = response
      const withheld = given === undefined ? exchange.withheld : given.withheld()
      return { asked, to, status, headers, mediaType, text, withheld, exchange }
    }

    const version = {
      ...codecFor(to.dialect, bindingOf(to)).headers(to.version),
      ...extensionHeaders(to.dialect, options.extensions ?? []),
    }
    if (call === undefined) {
      if (wanted.operation !== 'extendedCard') return undefined
      return firstFound(
        getPlaces(to).map(({ interface: { url } }) => joinRest(url, earlyCardPath)),
        (url) =>
          ask(
            { method: 'GET', url, headers: { accept: 'application/json' }, purpose: 'extended card' },
            `GET ${new URL(url).pathname}`,
          ),
      )
    }
    const accept =
      wanted.operation === 'stream' || wanted.operation === 'subscribe'
        ? 'text/event-stream'
        : 'application/json'
    const binding = bindingFor(call.binding)
    const { method, url, payload } = binding.encode({ call, url: to.url, id: deps.rpcId() })
    if (wanted.method !== undefined) {
      const headers = { ...(wanted.method === 'GET' && { accept: 'application/json', ...version }) }
      return ask(
        { method: wanted.method, url: wanted.url ?? url, headers, purpose: `bare ${wanted.method}` },
        wanted.method,
      )
    }
    return ask(
      {
        method,
        url,
        headers: { ...version, accept, ...(payload !== undefined && { 'content-type': 'application/json' }) },
        ...(payload !== undefined && { body: JSON.stringify(payload) }),
        purpose: call.method,
      },
      binding.label(call).replace(id, '{id}'),
    )
  }

  /** What goes along in place of the handle's own headers and credentials, and whether it was sent. */
  const giverOf = async (as: ProbeCaller, card: CardObject): Promise<Giver | undefined> => {
    if (as === 'handle') return undefined
    const nobody = ({ headers }: GivenHeaders): GivenHeaders & { certificate: false } => ({
      headers: withoutCredentials(headers, card),
      query: {},
      certificate: false,
    })
    if (as === 'nobody' || 'scheme' in as) return { give: nobody, withheld: () => [] }
    const { headers, query } = await planCredentials(card, as.credentials, about.onSecret)({ refresh: false })
    let isSent = false
    return {
      give(before) {
        isSent = true
        return { headers: { ...nobody(before).headers, ...lowered(headers) }, query }
      },
      withheld: () => (isSent ? [] : [...Object.keys(headers), ...Object.keys(query)]),
    }
  }

  const timeLeft = (deadlineAt: number | undefined): Pick<HttpRequest, 'timeoutMs' | 'timeoutOption'> => {
    const requestTimeoutMs = options.requestTimeoutMs ?? 60_000
    const leftMs = deadlineAt === undefined ? Infinity : Math.max(deadlineAt - deps.clock.now(), 1)
    return leftMs < requestTimeoutMs
      ? { timeoutMs: leftMs, timeoutOption: 'deadlineMs' }
      : { timeoutMs: requestTimeoutMs, timeoutOption: 'requestTimeoutMs' }
  }

  return { interfaces, probe, forget: connector.forget }
}

const earlyCardPath = '/agent/authenticatedExtendedCard'

/** The first place that is there at all. */
async function firstFound(
  urls: readonly string[],
  ask: (url: string) => Promise<ProbeAnswer>,
): Promise<ProbeAnswer | undefined> {
  let last: ProbeAnswer | undefined
  for (const url of urls) {
    last = await ask(url)
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

function lowered(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
