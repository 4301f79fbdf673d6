import { badOption } from '../core/validate.ts'
import type { WebHandler } from './webHandler.ts'

/** A route handler as Next.js, SvelteKit and others write it. `params` is both a promise and an object, as Next.js 15 and 14 want it. */
export type RouteHandler = (
  request: Request,
  context: { params: Promise<RouteParams> & RouteParams },
) => Response | Promise<Response>

type RouteParams = Record<string, string | string[]>

/** One path's handlers: a function answers GET; a module with `GET`, `POST`, … each its method. */
export type Route = RouteHandler | { [Method in (typeof methods)[number]]?: RouteHandler | undefined }

/** Handlers by path: `{'/.well-known/agent-card.json': GET, '/api/agent': {GET, POST}}`; `[id]` and `[...rest]` are parameters. */
export type Routes = Record<string, Route>

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Turns routes into one web handler: 404 for an unknown path, 405 for an unknown method. Throws A2AUsageError `BAD_OPTIONS`. */
export function routesHandler(routes: Routes): WebHandler {
  const table = Object.entries(routes).map(([path, route]) => ({
    match: pathMatcher(path),
    handlers: handlersOf(path, route),
  }))
  return async (request) => {
    const path = new URL(request.url).pathname
    for (const { match, handlers } of table) {
      const params = match(path)
      if (params === undefined) continue
      const handler =
        handlers.get(request.method) ?? (request.method === 'HEAD' ? handlers.get('GET') : undefined)
      if (handler) return handler(request, { params: Object.assign(Promise.resolve(params), params) })
      const allow = [...handlers.keys()].join(', ')
      return request.method === 'OPTIONS'
        ? new Response(null, { status: 204, headers: { allow } })
        : new Response(`${path} takes ${allow}.`, { status: 405, headers: { allow } })
    }
    return new Response(`No route for ${path}.`, { status: 404 })
  }
}

function handlersOf(path: string, route: Route): Map<string, RouteHandler> {
  if (!path.startsWith('/')) {
    throw badOption('serveAgent', `the route "${path}" must be a path that begins with "/".`)
  }
  if (typeof route === 'function') return new Map([['GET', route]])
  const handlers = new Map<string, RouteHandler>()
  for (const method of methods) {
    const handler = (route as Exclude<Route, RouteHandler> | undefined)?.[method]
    if (typeof handler === 'function') handlers.set(method, handler)
  }
  if (handlers.size > 0) return handlers
  throw badOption(
    'serveAgent',
    `the route "${path}" must be a function (it answers GET) or an object with ${methods.join(', ')} functions.`,
  )
}

function pathMatcher(pattern: string): (path: string) => RouteParams | undefined {
  const wanted = segments(pattern)
  return (path) => {
    const got = segments(path)
    const params: RouteParams = {}
    for (const [i, segment] of wanted.entries()) {
      const [, rest, name] = /^\[(\.\.\.)?(\w+)\]$/.exec(segment) ?? []
      if (name !== undefined && rest !== undefined) {
        if (got.length <= i) return undefined
        params[name] = got.slice(i).map(decodeURIComponent)
        return params
      }
      const value = got[i]
      if (value === undefined) return undefined
      if (name !== undefined) params[name] = decodeURIComponent(value)
      else if (segment !== value) return undefined
    }
    return got.length === wanted.length ? params : undefined
  }
}

// A trailing slash makes no difference.
function segments(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}
