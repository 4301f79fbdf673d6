import type { Deps } from '../core/deps.ts'
import { A2AConnectionError, A2AReplyError, A2AUsageError, type A2AError } from '../core/errors.ts'
import { loggedBody } from './body.ts'
import { createDispatchers } from './dispatchers.ts'
import { createEgress, type NamedBy } from './egress.ts'
import { abortedBy, describeFailure, timedOut, type FailureContext } from './errors.ts'
import { givenSource, type Authorize, type Given } from './givenHeaders.ts'
import { redirectTarget } from './redirects.ts'
import { createResponse, drain, readHead, type RawResponse } from './response.ts'
import { Stop } from './stop.ts'
import type {
  Exchange,
  HeaderSource,
  HttpRequest,
  Limits,
  OpenResponse,
  TlsOptions,
  Transport,
} from './types.ts'
import { loadUndici } from './undici.ts'

export interface TransportOptions {
  /** What the user typed: its origin sees the headers, and decides what the policy allows. */
  typedUrl?: string
  headers?: HeaderSource
  /** Credentials for the card's security schemes. */
  authorize?: Authorize
  /** Further origins that the user named: they see headers, and may be anywhere. */
  trustedOrigins?: readonly string[]
  limits?: Partial<Limits>
  /** An undici dispatcher to use instead of ours. */
  dispatcher?: unknown
  tls?: TlsOptions
  /** True when this process opened the typed origin: then nothing leaves the machine unasked. */
  servedOrigin?: boolean
  deps: Deps
  /** Told every value that must never be printed. */
  secretsSink?: (value: string) => void
  /** Told every exchange when it is over. */
  onExchange?: (exchange: Exchange) => void
}

export const defaultLimits: Readonly<Limits> = {
  maxCardBytes: 524_288,
  cardTimeoutMs: 20_000,
  maxResponseBytes: 52_428_800,
  maxEventBytes: 16_777_216,
  maxStreamBytes: 268_435_456,
  maxEvents: 100_000,
  idleTimeoutMs: 60_000,
  maxRedirects: 5,
}

/** So many exchanges keep their bodies in the log; older ones lose them, and memory stays bounded. */
const exchangesWithBodies = 500

/** One call of `open`: what its hops and attempts share. */
interface Run {
  request: HttpRequest
  url: URL
  context: FailureContext
  stop: Stop
  cancelTimer: () => void
  /** Lets go of timer and signal. */
  release: () => void
}

/** Makes the way to the wire for one handle. Connects to nothing until the first request. */
export function createTransport(options: TransportOptions): Transport {
  const { deps, tls, typedUrl, headers, authorize, trustedOrigins, servedOrigin, secretsSink } = options
  const limits: Limits = { ...defaultLimits, ...options.limits }
  const lookup = deps.lookup === undefined ? {} : { lookup: deps.lookup }
  const typed = typedUrl === undefined ? {} : { typedUrl }
  const egress = createEgress({
    ...typed,
    ...lookup,
    ...(trustedOrigins === undefined ? {} : { trustedOrigins }),
    ...(servedOrigin === undefined ? {} : { servedOrigin }),
  })
  const given = givenSource({
    ...typed,
    ...(headers === undefined ? {} : { headers }),
    ...(authorize === undefined ? {} : { authorize }),
    ...(secretsSink === undefined ? {} : { sink: secretsSink }),
  })
  const dispatchers = createDispatchers({
    ...lookup,
    dispatcher: options.dispatcher,
    ...(tls === undefined ? {} : { tls }),
    ...(egress.guarded ? { guardedLookup: egress.lookup } : {}),
    env: deps.env,
  })
  const exchanges: Exchange[] = []
  const running = new Set<Stop>()

  async function open(request: HttpRequest): Promise<OpenResponse> {
    // Before the clock is set: that takes its time once, and none of it is the agent's.
    await loadUndici()
    const run = begin(request)
    try {
      const first = await attempt(run)
      if (first.response.status !== 401 || first.sent === undefined || !given.renewable || request.give)
        return first.response
      const renewed = await run.stop.race(given.make(new URL(first.response.url), true))
      // The same credentials would get the same answer.
      if (JSON.stringify(renewed) === JSON.stringify(first.sent)) return first.response
      await first.discard()
      return (await attempt(run, renewed)).response
    } catch (error) {
      run.release()
      throw error
    }
  }

  function begin(request: HttpRequest): Run {
    const url = parseAddress(request)
    const { method, addressFrom, signal, timeoutMs, timeoutOption } = request
    const context: FailureContext = {
      method,
      url,
      phase: 'head',
      ...(addressFrom === undefined ? {} : { addressFrom }),
    }
    const stop = new Stop()
    const cancelTimer = deps.clock.after(timeoutMs, () =>
      stop.now(timedOut(context, timeoutMs, timeoutOption)),
    )
    const onAbort = (): void => stop.now(abortedBy(signal?.reason, context))
    if (signal?.aborted === true) onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })
    running.add(stop)
    const release = (): void => {
      cancelTimer()
      signal?.removeEventListener('abort', onAbort)
      running.delete(stop)
    }
    return { request, url, context, stop, cancelTimer, release }
  }

  /** One request with all its redirects; `renewed` replaces what the user's headers were at first. */
  async function attempt(
    run: Run,
    renewed?: Given,
  ): Promise<{ response: OpenResponse; sent: Given | undefined; discard: () => Promise<void> }> {
    const { request, context, stop } = run
    const exchange = log(request)
    const finish = once((error?: A2AError) => {
      exchange.ms = deps.clock.now() - exchange.startedAt
      if (error !== undefined) exchange.error = error
      options.onExchange?.(exchange)
    })
    let url = run.url
    let by: NamedBy = request.addressFrom === undefined ? {} : { addressFrom: request.addressFrom }
    let raw: RawResponse | undefined
    try {
      for (;;) {
        context.url = url
        context.phase = 'head'
        await stop.race(egress.check(url, by))
        const isGiven = egress.isGiven(url)
        const own = isGiven ? (renewed ?? (await stop.race(given.make(url, false)))) : undefined
        const sent = own && request.give ? request.give(own) : own
        if (!isGiven) exchange.withheld = await withheld()
        raw = await send(run, url, sent, exchange)
        const head = readHead(raw)
        exchange.status = head.status
        exchange.responseHeaders = head.headers
        exchange.ms = deps.clock.now() - exchange.startedAt
        const target = redirectTarget(request, head, url, exchange.redirects, limits.maxRedirects)
        if (target === undefined) {
          const response = createResponse({
            raw,
            head,
            exchange,
            context,
            stop,
            url: url.href,
            maxBytes: request.maxBytes ?? limits.maxResponseBytes,
            maxBytesOption: request.maxBytesOption ?? 'maxResponseBytes',
            cancelTimer: run.cancelTimer,
            onEnd(error) {
              run.release()
              finish(error)
            },
          })
          const answered = raw
          const discard = async (): Promise<void> => {
            await drain(answered, stop)
            finish()
          }
          return { response, sent, discard }
        }
        await drain(raw, stop)
        request.mayRedirect?.(target)
        exchange.redirects.push(`${url.origin}${url.pathname}`)
        by = { redirectedFrom: `${url.origin}${url.pathname}` }
        url = target
      }
    } catch (thrown) {
      raw?.body.destroy()
      const error =
        (stop.reason as A2AError | undefined) ??
        egress.explain(thrown, url, by) ??
        describeFailure(thrown, context)
      finish(error)
      throw error
    }
  }

  async function send(
    { request, stop }: Run,
    url: URL,
    sent: Given | undefined,
    exchange: Exchange,
  ): Promise<RawResponse> {
    const full = withQuery(url, sent?.query)
    exchange.url = full.href
    exchange.requestHeaders = { 'user-agent': 'expect-a2a', ...lowered(request.headers), ...sent?.headers }
    const undici = await loadUndici()
    const dispatcher = await dispatchers.pick(full, sent !== undefined && sent.certificate !== false)
    const raw = await stop.race(
      undici.request(full.href, {
        dispatcher,
        method: request.method,
        headers: exchange.requestHeaders,
        body: request.body ?? null,
        headersTimeout: 0,
        bodyTimeout: 0,
        signal: stop,
      }),
    )
    // A destroyed body says so on its own, also when nobody reads it any more.
    raw.body.on('error', () => {})
    return raw
  }

  async function withheld(): Promise<string[]> {
    const names = await given.names()
    return tls?.cert === undefined ? names : [...names, 'client certificate']
  }

  function log(request: HttpRequest): Exchange {
    const exchange: Exchange = {
      purpose: request.purpose,
      method: request.method,
      url: request.url,
      requestHeaders: lowered(request.headers),
      ...(request.body === undefined ? {} : { requestBody: loggedBody(request.body) }),
      withheld: [],
      redirects: [],
      startedAt: deps.clock.now(),
    }
    exchanges.push(exchange)
    const old = exchanges[exchanges.length - 1 - exchangesWithBodies]
    if (old !== undefined) {
      old.requestBody = undefined
      old.responseBody = undefined
    }
    return exchange
  }

  return {
    open,
    limits,
    exchanges,
    clock: deps.clock,
    ...(egress.typedOrigin === undefined ? {} : { typedOrigin: egress.typedOrigin }),
    async close() {
      for (const stop of running)
        stop.now(new A2AConnectionError('ABORTED', 'the agent handle was closed during a request'))
      await dispatchers.close()
    },
  }
}

function parseAddress({ url, addressFrom, purpose }: HttpRequest): URL {
  try {
    const parsed = new URL(url)
    // What they say is sent as a header, to the typed origin only.
    if (parsed.username !== '') parsed.username = ''
    if (parsed.password !== '') parsed.password = ''
    if (parsed.hash !== '') parsed.hash = ''
    return parsed
  } catch (cause) {
    if (addressFrom !== undefined) {
      throw new A2AReplyError(
        'NO_INTERFACE',
        `the agent card's ${addressFrom} is "${url}", which is no address to call`,
        {
          cause,
          fix: 'Write an absolute http or https address into the agent card; option endpoint calls another one.',
        },
      )
    }
    throw new A2AUsageError('BAD_OPTIONS', `"${url}" is no address that ${purpose} could be requested from`, {
      cause,
      fix: 'Give an absolute address, such as http://127.0.0.1:4100.',
    })
  }
}

function withQuery(url: URL, query: Record<string, string> = {}): URL {
  const entries = Object.entries(query)
  if (entries.length === 0) return url
  const full = new URL(url)
  for (const [name, value] of entries) full.searchParams.set(name, value)
  return full
}

function lowered(headers: Record<string, string>): Record<string, string> {
  const lower: Record<string, string> = {}
  for (const name of Object.keys(headers)) lower[name.toLowerCase()] = headers[name] as string
  return lower
}

function once<A extends unknown[]>(fn: (...args: A) => void): (...args: A) => void {
  let done = false
  return (...args) => {
    if (done) return
    done = true
    fn(...args)
  }
}
