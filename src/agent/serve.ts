import { systemDeps, type Deps } from '../core/deps.ts'
import { A2AUsageError } from '../core/errors.ts'
import { createAgent } from './handle.ts'
import { markServed } from './lifetime.ts'
import { serveOnLoopback, type NodeListener } from './loopback.ts'
import { routesHandler, type Routes } from './routes.ts'
import type { A2AAgent } from './types.ts'
import type { AgentOptions } from '../client/types.ts'
import { toNodeListener, type WebHandler } from './webHandler.ts'

/** What `serveAgent()` serves, one of three, and the options of `a2aAgent()`; `cardUrl` and `endpoint` may be paths. */
export type ServeOptions = AgentOptions &
  (
    | {
        /** A Node request listener: `(req, res) => …`, an Express app, `app.callback()` of Koa, `toNodeHandler(…)`. */
        listener: NodeListener
        fetch?: never
        routes?: never
      }
    | {
        /** A web handler: `(request) => response`. */
        fetch: WebHandler
        listener?: never
        routes?: never
      }
    | {
        /** Route handlers by path, such as those of Next.js. */
        routes: Routes
        listener?: never
        fetch?: never
      }
  )

/**
 * Serves an agent that lives in this process on a free port of 127.0.0.1, until `close()` or the end of the test file.
 * Interface addresses of its card are moved onto that port. Throws A2AUsageError `BAD_OPTIONS`.
 */
export async function serveAgent(options: ServeOptions, deps: Deps = systemDeps()): Promise<A2AAgent> {
  const { listener, fetch, routes, ...agentOptions } = options
  const server = await serveOnLoopback(listenerOf({ listener, fetch, routes }))
  const { origin } = server
  const { cardUrl, endpoint } = agentOptions
  if (cardUrl !== undefined) agentOptions.cardUrl = new URL(cardUrl, origin).href
  if (endpoint !== undefined) agentOptions.endpoint = new URL(endpoint, origin).href
  const agent = createAgent(origin, agentOptions, deps, { served: origin, onClose: server.close })
  markServed(agent, server.failures)
  return agent
}

function listenerOf(given: { listener: unknown; fetch: unknown; routes: unknown }): NodeListener {
  const names = (['listener', 'fetch', 'routes'] as const).filter((name) => given[name] !== undefined)
  if (names.length !== 1) {
    throw new A2AUsageError(
      'BAD_OPTIONS',
      `serveAgent() takes one of \`listener\`, \`fetch\` and \`routes\`, but received ${names.length === 0 ? 'none' : names.join(' and ')}.`,
    )
  }
  const { listener, fetch, routes } = given
  if (routes !== undefined) {
    if (typeof routes === 'object' && routes !== null) return toNodeListener(routesHandler(routes as Routes))
    throw new A2AUsageError(
      'BAD_OPTIONS',
      "`routes` of serveAgent() must be an object of handlers by path: {'/api/agent': {GET, POST}}.",
    )
  }
  if (typeof (listener ?? fetch) !== 'function') {
    const form = names[0] === 'listener' ? '(req, res) => …' : '(request) => response'
    throw new A2AUsageError('BAD_OPTIONS', `\`${names[0]}\` of serveAgent() must be a function: ${form}.`)
  }
  return listener !== undefined ? (listener as NodeListener) : toNodeListener(fetch as WebHandler)
}
