import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Express, Request, RequestHandler } from 'express'
import type { LibraryAgent } from './libraryAgent.ts'

/** A running agent. */
export interface Served {
  url: string
  close(): Promise<void>
}

/** Serves an app on a free port; `mount` receives the address before the first request. */
export async function listen(app: Express, mount: (url: string) => void): Promise<Served> {
  const server: Server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  mount(url)
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The key that a guarded agent expects in `Authorization`. */
export const key = 'library-key-4711'

/** True if the request carries the key. */
export function isKnown({ headers }: Pick<Request, 'headers'>): boolean {
  return headers.authorization === `Bearer ${key}`
}

/** Rejects unauthenticated requests before the SDK's handlers, which leave that to the app. */
export const guard: RequestHandler = (request, response, next) => {
  if (isKnown(request)) return next()
  response.status(401).set('WWW-Authenticate', 'Bearer realm="library"').json({ error: 'Unauthorized' })
}

/** Where a person approves what a task is waiting for, outside A2A. */
export function approvals(agent: LibraryAgent): RequestHandler<{ taskId: string }> {
  return ({ params }, response) => {
    response.sendStatus(agent.approve(params.taskId) ? 204 : 404)
  }
}

/** What rejects unauthenticated requests: nothing, the middleware above, or only the SDK's own `userBuilder`, by what it reports about the user. */
export type Guarding = 'open' | 'middleware' | 'user-builder'
