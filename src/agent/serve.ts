import { systemDeps, type Deps } from '../core/deps.ts'
import { createAgent } from './handle.ts'
import { markServed } from './lifetime.ts'
import { serveOnLoopback, type NodeListener } from './loopback.ts'
import { checkServeOptions } from './options.ts'
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
  checkServeOptions(options)
  const { listener: _, fetch: __, routes: ___, ...agentOptions } = options
  const server = await serveOnLoopback(listenerOf(options))
  const { origin } = server
  const { cardUrl, endpoint } = agentOptions
  if (cardUrl !== undefined) agentOptions.cardUrl = new URL(cardUrl, origin).href
  if (endpoint !== undefined) agentOptions.endpoint = new URL(endpoint, origin).href
  const agent = createAgent(origin, agentOptions, deps, { served: origin, onClose: server.close })
  markServed(agent, server.failures)
  return agent
}

function listenerOf({ listener, fetch, routes }: ServeOptions): NodeListener {
  return listener ?? toNodeListener(fetch ?? routesHandler(routes))
}
