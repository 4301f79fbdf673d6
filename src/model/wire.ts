import type { Dispatcher } from 'undici'
import type { ModelPackages } from './packages.ts'

/** An answer as received, or why there was none. */
export type Seen =
  { status: number; header: (name: string) => string | undefined; body: string } | { failure: unknown }

/** A `fetch` for the package `openai` that shows what it received. */
export interface WatchedFetch {
  fetch: (url: unknown, init?: Record<string, unknown>) => Promise<unknown>
  /** The last answer; undefined before the first. */
  seen(): Seen | undefined
}

const poolKey = Symbol.for('expect-a2a.model.agent')
type Pools = Record<symbol, Map<string, Dispatcher> | undefined>

/**
 * Requests go through undici and not through the global `fetch`, which tests and simulated browsers replace. Redirects are not followed:
 * they would send the key elsewhere. The signal is ours for the same reason as `fetch`.
 */
export async function watchedFetch(
  packages: ModelPackages,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<WatchedFetch> {
  const undici = await packages.undici()
  let seen: Seen | undefined
  return {
    seen: () => seen,
    async fetch(url, init = {}) {
      seen = undefined
      try {
        const response = await undici.request(String(url), {
          method: 'POST',
          headers: Object.fromEntries(init['headers'] as Headers),
          body: init['body'] as string,
          signal,
          dispatcher: poolFor(undici, new URL(String(url)), env),
        })
        const body = await response.body.text()
        const { statusCode: status, headers } = response
        const header = (name: string): string | undefined => [headers[name]].flat()[0]
        seen = { status, header, body }
        return new undici.Response(status === 204 || status === 304 ? null : body, {
          status: status < 200 ? 502 : status,
          headers: { 'content-type': header('content-type') ?? '' },
        })
      } catch (failure) {
        seen = { failure }
        throw failure
      }
    },
  }
}

/** One pool for all models of a process, and one for each proxy setting; undici's idle sockets do not keep the process alive. */
function poolFor(
  undici: Awaited<ReturnType<ModelPackages['undici']>>,
  { hostname }: URL,
  env: Readonly<Record<string, string | undefined>>,
): Dispatcher {
  const local = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  const [httpProxy, httpsProxy, noProxy] = ['http_proxy', 'https_proxy', 'no_proxy'].map(
    (name) => env[name] ?? env[name.toUpperCase()] ?? '',
  )
  const proxied = !local && (httpProxy !== '' || httpsProxy !== '')
  const name = proxied ? JSON.stringify([httpProxy, httpsProxy, noProxy]) : 'direct'
  const holder = undici.Agent as unknown as Pools
  const pools = (holder[poolKey] ??= new Map())
  let pool = pools.get(name)
  if (pool === undefined) {
    // The limit is ours.
    const limits = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 0 } } as const
    pool = proxied
      ? new undici.EnvHttpProxyAgent({
          ...limits,
          httpProxy: httpProxy ?? '',
          httpsProxy: httpsProxy ?? '',
          noProxy: noProxy ?? '',
        })
      : new undici.Agent(limits)
    pools.set(name, pool)
  }
  return pool
}
