import type { Agent, Dispatcher } from 'undici'
import type * as Undici from 'undici'
import { loadOutside } from '../core/loadOutside.ts'

/** The parts of undici that every request needs. */
export interface UndiciParts {
  Agent: typeof Agent
  /** Makes one request on the connection pool that it is called on. */
  request(this: Dispatcher, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>
}

let loading: Promise<UndiciParts> | undefined
let loaded: UndiciParts | undefined

/** undici's parts, where they are loaded already. */
export function loadedUndici(): UndiciParts | undefined {
  return loaded
}

/**
 * Loads what requests need of undici on first use, outside any sandbox. Inside Jest's, undici would take that sandbox's timers
 * and microtasks, and a test's fake timers would hang its requests.
 */
export function loadUndici(): Promise<UndiciParts> {
  loading ??= load().then((parts) => (loaded = parts))
  return loading
}

/** Loads all of undici, for its proxy agent. */
export async function loadWholeUndici(): Promise<typeof Undici> {
  return (loadOutside('undici') as typeof Undici | undefined) ?? (await import('undici'))
}

async function load(): Promise<UndiciParts> {
  // The whole of it (fetch, WebSocket, mocks, caches) takes three times as long to load as these two files.
  const agent = loadOutside('undici/lib/dispatcher/agent.js')
  const request = loadOutside('undici/lib/api/api-request.js')
  if (typeof agent === 'function' && typeof request === 'function') {
    return { Agent: agent as UndiciParts['Agent'], request: request as UndiciParts['request'] }
  }
  // Bundled, or a version of undici that keeps them elsewhere.
  const undici = await loadWholeUndici()
  return {
    Agent: undici.Agent,
    request({ origin, path, ...options }) {
      return undici.request(`${String(origin)}${path}`, { ...options, dispatcher: this })
    },
  }
}
