import type { Clock } from '../core/clock.ts'
import { A2AReplyError, A2AUsageError, type A2AError } from '../core/errors.ts'
import type { Dispatchers } from './dispatchers.ts'
import type { Egress, NamedBy } from './egress.ts'
import { abortedBy, describeFailure, timedOut, type FailureContext } from './errors.ts'
import type { ExchangeLog } from './exchanges.ts'
import type { Given, GivenSource } from './givenHeaders.ts'
import { redirectTarget } from './redirects.ts'
import { drain, HttpResponse, readHead, type RawResponse, type ResponseHead } from './response.ts'
import { Stop } from './stop.ts'
import type { Exchange, HttpRequest, Limits, OpenResponse } from './types.ts'
import { loadedUndici, loadUndici } from './undici.ts'

/** What all requests of one transport share. */
export interface Wire {
  clock: Clock
  limits: Limits
  egress: Egress
  given: GivenSource
  dispatchers: Dispatchers
  log: ExchangeLog
  running: Set<Stop>
  hasCertificate: boolean
  onExchange?: ((exchange: Exchange) => void) | undefined
}

/** One attempt at a request: its answer, and what the user added to it. */
interface Answered {
  response: OpenResponse
  sent: Given | undefined
  /** Drops the answer, so that the request can be made again. */
  discard(): Promise<void>
}

/** One call of `Transport.open`, with its redirects and with a second attempt where credentials can be renewed. */
export class WireRequest {
  readonly #wire: Wire
  readonly #request: HttpRequest
  readonly #url: URL
  readonly #context: FailureContext
  readonly #stop = new Stop()
  readonly #cancelTimer: () => void
  readonly #onAbort: () => void

  constructor(wire: Wire, request: HttpRequest) {
    const { method, addressFrom, signal, timeoutMs, timeoutOption } = request
    const url = parseAddress(request)
    const context: FailureContext = { method, url, phase: 'head' }
    if (addressFrom !== undefined) context.addressFrom = addressFrom
    const stop = this.#stop
    this.#wire = wire
    this.#request = request
    this.#url = url
    this.#context = context
    this.#cancelTimer = wire.clock.after(timeoutMs, () =>
      stop.now(timedOut(context, timeoutMs, timeoutOption)),
    )
    this.#onAbort = () => stop.now(abortedBy(signal?.reason, context))
    if (signal?.aborted === true) this.#onAbort()
    signal?.addEventListener('abort', this.#onAbort, { once: true })
    wire.running.add(stop)
  }

  async open(): Promise<OpenResponse> {
    const { given } = this.#wire
    try {
      const first = await this.#attempt()
      const mayRenew = given.renewable && first.sent !== undefined && this.#request.give === undefined
      if (first.response.status !== 401 || !mayRenew) return first.response
      const renewed = await this.#stop.race(given.make(new URL(first.response.url), true))
      // The same credentials would get the same answer.
      if (JSON.stringify(renewed) === JSON.stringify(first.sent)) return first.response
      await first.discard()
      return (await this.#attempt(renewed)).response
    } catch (error) {
      this.#release()
      throw error
    }
  }

  /** Lets go of timer and signal. */
  #release(): void {
    this.#cancelTimer()
    this.#request.signal?.removeEventListener('abort', this.#onAbort)
    this.#wire.running.delete(this.#stop)
  }

  /** One request with all its redirects; `renewed` replaces what the user's headers were at first. */
  async #attempt(renewed?: Given): Promise<Answered> {
    const exchange = this.#wire.log.start(this.#request, this.#wire.clock.now())
    let url = this.#url
    let by: NamedBy =
      this.#request.addressFrom === undefined ? {} : { addressFrom: this.#request.addressFrom }
    let raw: RawResponse | undefined
    try {
      for (;;) {
        this.#context.url = url
        this.#context.phase = 'head'
        const sent = await this.#givenFor(url, by, exchange, renewed)
        raw = await this.#send(url, sent, exchange)
        const head = readHead(raw)
        const target = this.#logHead(head, url, exchange)
        if (target === undefined) return this.#answer(raw, head, url, exchange, sent)
        await drain(raw, this.#stop)
        this.#request.mayRedirect?.(target)
        const from = `${url.origin}${url.pathname}`
        exchange.redirects.push(from)
        by = { redirectedFrom: from }
        url = target
      }
    } catch (thrown) {
      raw?.body.destroy()
      const error =
        (this.#stop.reason as A2AError | undefined) ??
        this.#wire.egress.explain(thrown, url, by) ??
        describeFailure(thrown, this.#context)
      this.#finish(exchange, error)
      throw error
    }
  }

  /** Refuses an address that the policy does not allow; else what the user's headers are there, if it may see them. */
  async #givenFor(
    url: URL,
    by: NamedBy,
    exchange: Exchange,
    renewed: Given | undefined,
  ): Promise<Given | undefined> {
    const { egress, given, hasCertificate } = this.#wire
    if (!egress.allows(url)) {
      await this.#stop.race(egress.check(url, by))
      if (!egress.isGiven(url)) {
        const names = await given.names()
        exchange.withheld = hasCertificate ? [...names, 'client certificate'] : names
        return undefined
      }
    }
    const own = renewed ?? given.now() ?? (await this.#stop.race(given.make(url, false)))
    return this.#request.give === undefined ? own : this.#request.give(own)
  }

  async #send(url: URL, sent: Given | undefined, exchange: Exchange): Promise<RawResponse> {
    const { method, body = null } = this.#request
    const full = withQuery(url, sent?.query)
    const headers: Record<string, string> = { 'user-agent': 'expect-a2a' }
    for (const name in this.#request.headers)
      headers[name.toLowerCase()] = this.#request.headers[name] as string
    if (sent !== undefined) Object.assign(headers, sent.headers)
    exchange.url = full.href
    exchange.requestHeaders = headers
    const { dispatchers } = this.#wire
    const isGiven = sent !== undefined && sent.certificate !== false
    const dispatcher = dispatchers.ready(full, isGiven) ?? (await dispatchers.pick(full, isGiven))
    const undici = loadedUndici() ?? (await loadUndici())
    const raw = await this.#stop.race(
      undici.request.call(dispatcher, {
        origin: full.origin,
        path: `${full.pathname}${full.search}`,
        method,
        headers,
        body,
        headersTimeout: 0,
        bodyTimeout: 0,
        signal: this.#stop,
      }),
    )
    // A destroyed body emits an error, also when nobody reads it any more.
    raw.body.on('error', () => {})
    return raw
  }

  /** Logs the head of an answer; gives where it redirects to. */
  #logHead(head: ResponseHead, url: URL, exchange: Exchange): URL | undefined {
    const { clock, limits } = this.#wire
    exchange.status = head.status
    exchange.responseHeaders = head.headers
    exchange.ms = clock.now() - exchange.startedAt
    return redirectTarget(this.#request, head, url, exchange.redirects, limits.maxRedirects)
  }

  #answer(
    raw: RawResponse,
    head: ResponseHead,
    url: URL,
    exchange: Exchange,
    sent: Given | undefined,
  ): Answered {
    const { maxBytes, maxBytesOption } = this.#request
    let isOver = false
    const finish = (error?: A2AError): void => {
      if (isOver) return
      isOver = true
      this.#finish(exchange, error)
    }
    const response = new HttpResponse({
      raw,
      head,
      exchange,
      context: this.#context,
      stop: this.#stop,
      url: url.href,
      maxBytes: maxBytes ?? this.#wire.limits.maxResponseBytes,
      maxBytesOption: maxBytesOption ?? 'maxResponseBytes',
      cancelTimer: this.#cancelTimer,
      onEnd: (error) => {
        this.#release()
        finish(error)
      },
    })
    const discard = async (): Promise<void> => {
      await drain(raw, this.#stop)
      finish()
    }
    return { response, sent, discard }
  }

  #finish(exchange: Exchange, error?: A2AError): void {
    const { clock, log, onExchange } = this.#wire
    exchange.ms = clock.now() - exchange.startedAt
    if (error !== undefined) exchange.error = error
    log.end(exchange)
    onExchange?.(exchange)
  }
}

function parseAddress({ url, addressFrom, purpose }: HttpRequest): URL {
  try {
    const parsed = new URL(url)
    // A name and a password are sent as a header, to the typed origin only.
    if (parsed.username !== '') parsed.username = ''
    if (parsed.password !== '') parsed.password = ''
    if (parsed.hash !== '') parsed.hash = ''
    return parsed
  } catch (cause) {
    if (addressFrom !== undefined) {
      throw new A2AReplyError(
        'NO_INTERFACE',
        `the agent card's ${addressFrom} is "${url}", which is not an address that can be called`,
        {
          cause,
          fix: 'Write an absolute http or https address into the agent card; option endpoint calls another one.',
        },
      )
    }
    throw new A2AUsageError(
      'BAD_OPTIONS',
      `${purpose} cannot be requested from "${url}", which is not an address`,
      {
        cause,
        fix: 'Give an absolute address, such as http://127.0.0.1:4100.',
      },
    )
  }
}

function withQuery(url: URL, query: Record<string, string> = {}): URL {
  const entries = Object.entries(query)
  if (entries.length === 0) return url
  const full = new URL(url)
  for (const [name, value] of entries) full.searchParams.set(name, value)
  return full
}
