import type { LookupFunction } from 'node:net'
import type { Agent, Dispatcher } from 'undici'
import { isLoopback } from './hosts.ts'
import type { TlsOptions } from './types.ts'
import { loadUndici, type UndiciModule } from './undici.ts'

export interface DispatcherOptions {
  /** The user's own, used for everything. */
  dispatcher?: unknown
  tls?: TlsOptions
  /** Resolves names for the origins that the user gave. */
  lookup?: LookupFunction
  /** Resolves names for all others, where the policy must see addresses. */
  guardedLookup?: LookupFunction
  env: Readonly<Record<string, string | undefined>>
}

/** The connection pools of one transport. */
export interface Dispatchers {
  /** The pool for a request. `given` is true for the typed origin and the trusted ones. */
  pick(url: URL, given: boolean): Promise<Dispatcher>
  /** Ends every connection that belongs to this transport alone. */
  close(): Promise<void>
}

const sharedKey = Symbol.for('expect-a2a.transport.agent')

// Limits are ours, kept by the injected clock, so undici's own are all off; 0 means never.
const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 } as const

export function createDispatchers(options: DispatcherOptions): Dispatchers {
  const { dispatcher, tls, lookup, guardedLookup, env } = options
  const own = new Map<string, Promise<Dispatcher>>()
  const proxy = {
    httpProxy: env['http_proxy'] ?? env['HTTP_PROXY'] ?? '',
    httpsProxy: env['https_proxy'] ?? env['HTTPS_PROXY'] ?? '',
    noProxy: env['no_proxy'] ?? env['NO_PROXY'] ?? '',
  }
  const hasProxy = proxy.httpProxy !== '' || proxy.httpsProxy !== ''

  async function make(given: boolean, proxied: boolean): Promise<Dispatcher> {
    const undici = await loadUndici()
    const resolve = given ? lookup : (guardedLookup ?? lookup)
    const trust = {
      ...(tls?.ca === undefined ? {} : { ca: tls.ca }),
      ...(tls?.rejectUnauthorized === undefined ? {} : { rejectUnauthorized: tls.rejectUnauthorized }),
    }
    // A client certificate says who the user is, so it is shown only where headers are.
    const identity = given && tls !== undefined ? { ...tls } : trust
    const connect = { ...identity, timeout: 0, ...(resolve === undefined ? {} : { lookup: resolve }) }
    if (!proxied) return new undici.Agent({ ...noTimeouts, connect })
    return new undici.EnvHttpProxyAgent({
      ...noTimeouts,
      ...proxy,
      connect,
      proxyTls: { timeout: 0, ...trust },
      requestTls: { ...identity, timeout: 0 },
    })
  }

  return {
    async pick(url, given) {
      if (dispatcher !== undefined) return dispatcher as Dispatcher
      const proxied = hasProxy && !isLoopback(url.hostname)
      const special = tls !== undefined || lookup !== undefined || (!given && guardedLookup !== undefined)
      if (!proxied && !special) return sharedAgent(await loadUndici())
      const key = `${given} ${proxied}`
      let found = own.get(key)
      if (found === undefined) own.set(key, (found = make(given, proxied)))
      return found
    },
    async close() {
      const all = [...own.values()]
      own.clear()
      await Promise.allSettled(all.map(async (each) => (await each).destroy()))
    },
  }
}

/**
 * One pool for all handles of a process. It hangs on undici itself and not on `globalThis`, which in Jest is another one for
 * every file. undici keeps idle sockets from holding the process.
 */
function sharedAgent(undici: UndiciModule): Dispatcher {
  const holder = undici.Agent as unknown as Record<symbol, Agent | undefined>
  holder[sharedKey] ??= new undici.Agent({ ...noTimeouts, connect: { timeout: 0 } })
  return holder[sharedKey]
}
