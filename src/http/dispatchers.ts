import type { LookupFunction } from 'node:net'
import type { Agent, Dispatcher } from 'undici'
import { isLoopback } from './hosts.ts'
import type { TlsOptions } from './types.ts'
import { loadUndici, loadWholeUndici, loadedUndici, type UndiciParts } from './undici.ts'

export interface DispatcherOptions {
  /** The user's own, used for everything. */
  dispatcher?: unknown
  tls?: TlsOptions | undefined
  /** Resolves names for the origins that the user gave. */
  lookup?: LookupFunction | undefined
  /** Resolves names for all others, where the policy must see addresses. */
  guardedLookup?: LookupFunction | undefined
  env: Readonly<Record<string, string | undefined>>
}

const sharedKey = Symbol.for('expect-a2a.transport.agent')

// Limits are ours, kept by the injected clock, so undici's own are all off; 0 means never.
const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 } as const

/** The connection pools of one transport. */
export class Dispatchers {
  readonly #options: DispatcherOptions
  readonly #proxy: { httpProxy: string; httpsProxy: string; noProxy: string }
  readonly #own = new Map<string, Promise<Dispatcher>>()

  constructor(options: DispatcherOptions) {
    const { env } = options
    this.#options = options
    this.#proxy = {
      httpProxy: env['http_proxy'] ?? env['HTTP_PROXY'] ?? '',
      httpsProxy: env['https_proxy'] ?? env['HTTPS_PROXY'] ?? '',
      noProxy: env['no_proxy'] ?? env['NO_PROXY'] ?? '',
    }
  }

  /** The pool for a request where it is there already. `given` is true for the typed origin and the trusted ones. */
  ready(url: URL, given: boolean): Dispatcher | undefined {
    const { dispatcher } = this.#options
    if (dispatcher !== undefined) return dispatcher as Dispatcher
    const undici = loadedUndici()
    return undici !== undefined && this.#isShared(url, given) ? sharedAgent(undici) : undefined
  }

  /** The same, made where it is not there yet. */
  async pick(url: URL, given: boolean): Promise<Dispatcher> {
    const undici = await loadUndici()
    const ready = this.ready(url, given)
    if (ready !== undefined) return ready
    const proxied = this.#isProxied(url)
    const key = `${given} ${proxied}`
    let found = this.#own.get(key)
    if (found === undefined) this.#own.set(key, (found = this.#make(undici, given, proxied)))
    return found
  }

  /** Ends every connection that belongs to this transport alone. */
  async close(): Promise<void> {
    const all = [...this.#own.values()]
    this.#own.clear()
    await Promise.allSettled(all.map(async (each) => (await each).destroy()))
  }

  #isProxied(url: URL): boolean {
    const { httpProxy, httpsProxy } = this.#proxy
    return (httpProxy !== '' || httpsProxy !== '') && !isLoopback(url.hostname)
  }

  #isShared(url: URL, given: boolean): boolean {
    const { tls, lookup, guardedLookup } = this.#options
    const isSpecial = tls !== undefined || lookup !== undefined || (!given && guardedLookup !== undefined)
    return !isSpecial && !this.#isProxied(url)
  }

  async #make(undici: UndiciParts, given: boolean, proxied: boolean): Promise<Dispatcher> {
    const { tls, lookup, guardedLookup } = this.#options
    const resolve = given ? lookup : (guardedLookup ?? lookup)
    const trust = {
      ...(tls?.ca !== undefined && { ca: tls.ca }),
      ...(tls?.rejectUnauthorized !== undefined && { rejectUnauthorized: tls.rejectUnauthorized }),
    }
    // A client certificate says who the user is, so it is shown only where headers are.
    const identity = given && tls !== undefined ? { ...tls } : trust
    const connect = { ...identity, timeout: 0, ...(resolve !== undefined && { lookup: resolve }) }
    if (!proxied) return new undici.Agent({ ...noTimeouts, connect })
    const { EnvHttpProxyAgent } = await loadWholeUndici()
    return new EnvHttpProxyAgent({
      ...noTimeouts,
      ...this.#proxy,
      connect,
      proxyTls: { timeout: 0, ...trust },
      requestTls: { ...identity, timeout: 0 },
    })
  }
}

/**
 * One pool for all handles of a process. It hangs on undici itself and not on `globalThis`, which in Jest is another one for
 * every file. undici keeps idle sockets from holding the process.
 */
function sharedAgent(undici: UndiciParts): Dispatcher {
  const holder = undici.Agent as unknown as Record<symbol, Agent | undefined>
  holder[sharedKey] ??= new undici.Agent({ ...noTimeouts, connect: { timeout: 0 } })
  return holder[sharedKey]
}
