import { systemDeps, type Deps } from '../core/deps.ts'
import { A2AUsageError } from '../core/errors.ts'
import { createAgent } from './handle.ts'
import { markServed } from './lifetime.ts'
import { serveOnLoopback, type LoopbackServer, type NodeListener } from './loopback.ts'
import {
  badSubject,
  describe,
  hasFetch,
  hintFor,
  isAgent,
  isExpress,
  isFastify,
  isHttpServer,
  isPlainData,
  isUrl,
  type HttpServerLike,
} from './subjectKinds.ts'
import type { A2AAgent } from './types.ts'
import { toNodeListener } from './webHandler.ts'

/** What `expect(…)` received: an agent, or only its card. */
export type Subject =
  | {
      kind: 'agent'
      agent: A2AAgent
      /** Closes what only this use opened. */ dispose?: () => Promise<void>
    }
  | { kind: 'card'; card: unknown }

/**
 * Turns what `expect()` received into a subject; servers and apps are served on a loopback port until their test file ends.
 * A kind is assumed only if it is certain. Throws A2AUsageError `BAD_SUBJECT`.
 */
export async function resolveSubject(received: unknown, deps: Deps = systemDeps()): Promise<Subject> {
  if (isAgent(received)) return { kind: 'agent', agent: received }
  if (typeof received === 'string') return fromText(received, deps)
  if (isUrl(received)) return fromText(received.href, deps)
  if (isExpress(received)) return served(received, received, deps)
  if (isFastify(received)) {
    await booted(received)
    return fromServer(received.server, deps)
  }
  if (isHttpServer(received)) return fromServer(received, deps)
  if (hasFetch(received)) {
    return served(
      received,
      toNodeListener((request) => received.fetch(request)),
      deps,
    )
  }
  if (isPlainData(received)) return { kind: 'card', card: received }
  throw badSubject(describe(received), hintFor(received))
}

function messageOf(thrown: unknown): string {
  const { message } = (thrown ?? {}) as { message?: unknown }
  return typeof message === 'string' && message !== '' ? message : String(thrown)
}

/** Throws A2AUsageError `BAD_SUBJECT` for an app that does not start: that says nothing about the agent. */
async function booted(app: { ready(): Promise<unknown> }): Promise<void> {
  try {
    await app.ready()
  } catch (cause) {
    throw new A2AUsageError(
      'BAD_SUBJECT',
      `the Fastify app that expect() received did not start: ${messageOf(cause)}`,
      { cause, fix: 'Await app.ready() in the test to see where it fails.' },
    )
  }
}

function fromText(text: string, deps: Deps): Subject {
  const trimmed = text.trim()
  if (/^https?:\/\//i.test(trimmed)) {
    if (!URL.canParse(trimmed)) throw badSubject(`"${text}", which is not a valid URL`)
    // A new handle each time: an agent behind an address may have changed its card since.
    return fresh(trimmed, deps)
  }
  if (trimmed.startsWith('{')) {
    try {
      return { kind: 'card', card: JSON.parse(trimmed) as unknown }
    } catch (cause) {
      throw badSubject(`a text that looks like JSON but is not: ${(cause as Error).message}`)
    }
  }
  const shown = trimmed.length > 80 ? `${trimmed.slice(0, 80)}…` : trimmed
  const host = /^(localhost|[\w-]+(\.[\w-]+)+)(:\d+)?(\/|$)/.test(trimmed)
  throw badSubject(
    shown === '' ? 'an empty string' : `"${shown}"`,
    host ? `Did you mean "http://${trimmed}"?` : undefined,
  )
}

async function fromServer(server: HttpServerLike, deps: Deps): Promise<Subject> {
  if (!server.listening) {
    // Its own listen() stays unused, so that the test may still call it.
    return served(server, (req, res) => server.emit('request', req, res), deps)
  }
  const address = server.address()
  if (typeof address !== 'object' || address === null) {
    throw badSubject(`an HTTP server that listens on the pipe "${address}"`, 'Let it listen on a port.')
  }
  const { port } = address
  const host = ['::', '0.0.0.0'].includes(address.address)
    ? '127.0.0.1'
    : address.address.includes(':')
      ? `[${address.address}]`
      : address.address
  const scheme = typeof server.setSecureContext === 'function' ? 'https' : 'http'
  const origin = `${scheme}://${host}:${port}`
  return fresh(origin, deps, { origin, failures: () => [] })
}

const servers = new WeakMap<object, Promise<LoopbackServer>>()

/** One server per object, one handle per use: two matchers share the port, and neither sees an outdated card. */
async function served(subject: object, listener: NodeListener, deps: Deps): Promise<Subject> {
  const open = (): Promise<LoopbackServer> => serveOnLoopback(listener)
  const known = servers.get(subject)
  // Stored before anything is awaited, so that a second matcher in the same moment finds it.
  const opening = known === undefined ? open() : known.then((it) => (it.closed() ? open() : it), open)
  servers.set(subject, opening)
  const server = await opening
  return fresh(server.origin, deps, server)
}

function fresh(
  target: string,
  deps: Deps,
  server?: Pick<LoopbackServer, 'origin' | 'failures'>,
): Extract<Subject, { kind: 'agent' }> {
  const agent = createAgent(target, {}, deps, server === undefined ? {} : { served: server.origin })
  if (server !== undefined) markServed(agent, server.failures)
  return { kind: 'agent', agent, dispose: () => agent.close() }
}
