import { A2AUsageError } from '../../core/errors.ts'
import type { Transport } from '../../http/types.ts'
import type { Codec } from '../../protocol/codec.ts'
import { explainUnknownMethods, withAddress, withEarlier } from './explain.ts'
import { fallbackFinding, provesMethodUnknown } from './fallback.ts'
import type { Connection, FailedTry, Request, Route } from './types.ts'

/** What trying the routes in turn needs to know. */
export interface RouteTools {
  connection: Connection
  /** Its last exchange shows what the agent answered. */
  transport: Transport
  typedUrl: string
  codecOf(route: Route): Codec
  /** What the request is called on a route, for messages. */
  methodOf(request: Request, route: Route): string
  /**
   * True for the operations that every agent has: an agent that no longer knows the method has changed its version. Of the others it
   * may simply lack one, so that only the route that worked once is tried.
   */
  core?: boolean
}

/**
 * Performs a request along the routes of a connection, each one only if the agent has proved not to know the method on the one
 * before. The route that worked is remembered, and its findings are those of the answer's route.
 * Throws A2AUsageError `NOT_DECLARED` if the version that is spoken lacks the operation.
 */
export async function tryRoutes<A extends { route: Route }>(
  request: Request,
  tools: RouteTools,
  perform: (route: Route) => Promise<A>,
): Promise<A> {
  const { connection, typedUrl } = tools
  const failed: FailedTry[] = []
  for (const route of routesOf(request, tools)) {
    try {
      const answer = await perform(route)
      if (route !== connection.settled || answer.route !== route) {
        answer.route = connection.settled = settle(request, answer.route, failed, tools)
      }
      return answer
    } catch (error) {
      failed.push(failedTry(request, route, error, failed, tools))
    }
  }
  throw explainUnknownMethods(failed, connection.lastResort, typedUrl)
}

/** The routes to try, the one that worked before first. Those whose version lacks the operation are left out. */
function routesOf(request: Request, { connection, codecOf, core = false }: RouteTools): readonly Route[] {
  const { routes, settled } = connection
  const tried =
    settled === undefined
      ? routes
      : core
        ? [settled, ...routes.filter((route) => route.interface !== settled.interface)]
        : [settled]
  if (request.exists === undefined) return tried
  const exists = (route: Route): boolean => request.exists?.(codecOf(route)) ?? true
  const [first] = tried
  if (first !== undefined && !exists(first)) throw lacking(request, first)
  return tried.filter(exists)
}

function settle(
  request: Request,
  route: Route,
  failed: readonly FailedTry[],
  { connection, methodOf }: RouteTools,
): Route {
  if (connection.declared === undefined) return route
  const fallback = fallbackFinding(failed, { interface: route.interface, method: methodOf(request, route) })
  return fallback === undefined ? route : { ...route, findings: [fallback, ...route.findings] }
}

/** A failure that lets the next route be tried. Throws every other one. */
function failedTry(
  request: Request,
  route: Route,
  error: unknown,
  failed: readonly FailedTry[],
  { transport, typedUrl, methodOf }: RouteTools,
): FailedTry {
  const { interface: target } = route
  const method = methodOf(request, route)
  const body = transport.exchanges.at(-1)?.responseBody
  const about = { method, dialect: target.dialect, body, first: failed[0]?.error }
  if (!provesMethodUnknown(error, about)) throw withEarlier(withAddress(error, target, typedUrl), failed)
  return { interface: target, method, error }
}

function lacking(
  { since = 'A later version' }: Request,
  { interface: { dialect, binding } }: Route,
): A2AUsageError {
  return new A2AUsageError(
    'NOT_DECLARED',
    `the agent speaks A2A ${dialect} over ${binding}, which has no such operation: ${since}`,
    { fix: 'Test this with an agent of that version; option version says which one to speak.' },
  )
}
