import type { Deps } from '../core/deps.ts'
import { A2AConnectionError } from '../core/errors.ts'
import { Dispatchers } from './dispatchers.ts'
import { createEgress } from './egress.ts'
import { ExchangeLog } from './exchanges.ts'
import { GivenSource, type Authorize } from './givenHeaders.ts'
import { WireRequest, type Wire } from './request.ts'
import type { Exchange, HeaderSource, Limits, TlsOptions, Transport } from './types.ts'
import { loadedUndici, loadUndici } from './undici.ts'

export interface TransportOptions {
  /** What the user typed: its origin sees the headers, and decides what the policy allows. */
  typedUrl?: string
  headers?: HeaderSource
  /** Credentials for the card's security schemes. */
  authorize?: Authorize
  /** Other origins that the user named: they see headers, and may be anywhere. */
  trustedOrigins?: readonly string[]
  limits?: Partial<Limits>
  /** An undici dispatcher to use instead of ours. */
  dispatcher?: unknown
  tls?: TlsOptions
  /** True when this process opened the typed origin: then nothing leaves the machine unasked. */
  servedOrigin?: boolean
  deps: Deps
  /** Receives every value that must never be printed. */
  secretsSink?: (value: string) => void
  /** Receives every exchange when it is over. */
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

/** Makes the transport of one handle. Connects to nothing until the first request. */
export function createTransport(options: TransportOptions): Transport {
  const { deps, tls, typedUrl, headers, authorize, trustedOrigins, servedOrigin } = options
  const { lookup } = deps
  const egress = createEgress({ typedUrl, trustedOrigins, servedOrigin, lookup })
  const wire: Wire = {
    clock: deps.clock,
    limits: { ...defaultLimits, ...options.limits },
    egress,
    given: new GivenSource({ typedUrl, headers, authorize, sink: options.secretsSink }),
    dispatchers: new Dispatchers({
      dispatcher: options.dispatcher,
      tls,
      lookup,
      guardedLookup: egress.guarded ? egress.lookup : undefined,
      env: deps.env,
    }),
    log: new ExchangeLog(),
    running: new Set(),
    hasCertificate: tls?.cert !== undefined,
    onExchange: options.onExchange,
  }
  return {
    async open(request) {
      // Before the timer is set: it takes its time once, and none of that is the agent's.
      if (loadedUndici() === undefined) await loadUndici()
      return new WireRequest(wire, request).open()
    },
    limits: wire.limits,
    exchanges: wire.log.all,
    clock: deps.clock,
    ...(egress.typedOrigin !== undefined && { typedOrigin: egress.typedOrigin }),
    async close() {
      for (const stop of wire.running)
        stop.now(new A2AConnectionError('ABORTED', 'the agent handle was closed during a request'))
      wire.log.close()
      await wire.dispatchers.close()
    },
  }
}
