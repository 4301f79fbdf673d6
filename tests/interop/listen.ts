import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Express, Request, RequestHandler } from 'express'
import type { LendingDesk } from './desk.ts'

/** An agent that somebody else's server serves. */
export interface Served {
  url: string
  close(): Promise<void>
}

/** Serves an app on a free port; it is told its address before the first request. */
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

/** What a guarded desk wants to see in `Authorization`. */
export const key = 'desk-key-4711'

/** True for who shows the key. */
export function isKnown({ headers }: Pick<Request, 'headers'>): boolean {
  return headers.authorization === `Bearer ${key}`
}

/** Refuses strangers in front of the SDK's handlers, which is where the SDKs leave it. */
export const guard: RequestHandler = (request, response, next) => {
  if (isKnown(request)) return next()
  response.status(401).set('WWW-Authenticate', 'Bearer realm="desk"').json({ error: 'Unauthorized' })
}

/** Where a person allows what a task waits for, outside A2A. */
export function approvals(desk: LendingDesk): RequestHandler<{ taskId: string }> {
  return ({ params }, response) => {
    response.sendStatus(desk.approve(params.taskId) ? 204 : 404)
  }
}

/** Who keeps strangers out: nobody, the middleware above, or only the SDK's own `userBuilder`, by what it tells the SDK of the user. */
export type Guarding = 'nobody' | 'middleware' | 'user-builder'
