import type { IncomingMessage, ServerResponse } from 'node:http'
import { A2AUsageError } from '../core/errors.ts'
import type { NodeListener } from './loopback.ts'
import type { A2AAgent } from './types.ts'
import type { WebHandler } from './webHandler.ts'

// No `instanceof` here: under Jest, and with two copies of a package, the classes differ.

/** The parts of `http.Server` and `https.Server` that we use. */
export interface HttpServerLike {
  readonly listening: boolean
  address(): { address: string; port: number } | string | null
  emit(event: 'request', req: IncomingMessage, res: ServerResponse): boolean
  /** Only on a server that speaks TLS. */
  setSecureContext?: unknown
}

export function isAgent(value: unknown): value is A2AAgent {
  return has(value, 'isA2AAgent') && value.isA2AAgent === true
}

export function isUrl(value: unknown): value is URL {
  return typeof value === 'object' && has(value, 'href', 'searchParams') && typeof value.href === 'string'
}

export function isExpress(value: unknown): value is NodeListener & object {
  return typeof value === 'function' && hasFunctions(value, 'handle', 'use', 'set', 'listen')
}

export function isFastify(value: unknown): value is { ready(): Promise<unknown>; server: HttpServerLike } {
  return hasFunctions(value, 'ready', 'inject', 'route') && has(value, 'server') && isHttpServer(value.server)
}

/** `closeIdleConnections` distinguishes an HTTP server from a bare `net.Server`. */
export function isHttpServer(value: unknown): value is HttpServerLike {
  return hasFunctions(value, 'listen', 'address', 'emit', 'closeIdleConnections') && has(value, 'listening')
}

/** Hono, itty-router, a worker's module; not the global object, which can fetch but does not serve. */
export function hasFetch(value: unknown): value is { fetch: WebHandler } {
  return (
    typeof value === 'object' &&
    value !== globalThis &&
    hasFunctions(value, 'fetch') &&
    // It would call itself.
    (value as { fetch: unknown }).fetch !== globalThis.fetch
  )
}

/** A plain object, as JSON makes it: it is taken for a card. */
export function isPlainData(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (Object.values(value).some((entry) => typeof entry === 'function')) return false
  const proto: unknown = Object.getPrototypeOf(value)
  // The prototype of plain objects has none itself, in every realm.
  const plain = proto === null || Object.getPrototypeOf(proto) === null
  return plain || (has(value, 'name', 'skills') && (has(value, 'url') || has(value, 'supportedInterfaces')))
}

const accepted = `Give expect() one of:
  a URL (string or URL): the agent's base URL, or that of its card
  an agent of a2aAgent(…), serveAgent(…) or startAgent(…)
  a card: an object, or its JSON text
  a Node http.Server, an Express or Fastify app, or an object with a \`fetch\` function (Hono, workers)
Anything else that serves an agent: \`await serveAgent({listener})\`, \`({fetch})\` or \`({routes})\`.`

/** `BAD_SUBJECT`: what was received, and everything that is accepted. */
export function badSubject(given: string, hint?: string): A2AUsageError {
  return new A2AUsageError(
    'BAD_SUBJECT',
    `expect() received ${given}, which is neither an agent nor an agent card.${hint === undefined ? '' : ` ${hint}`}`,
    { fix: accepted },
  )
}

/** Names a value for a message, without printing its content; of an error the message is printed, as it is most likely the cause. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'function') return value.name === '' ? 'a function' : `the function ${value.name}`
  if (typeof value !== 'object') return `the ${typeof value} ${String(value)}`
  if (isError(value)) return `the error "${value.message}"`
  const type = (value as { constructor?: { name?: string } }).constructor?.name
  const keys = Object.keys(value).slice(0, 5)
  const named = type === undefined || type === 'Object' ? 'an object' : `an object of type ${type}`
  return keys.length === 0 ? named : `${named} with ${keys.join(', ')}`
}

/** A hint for things that we recognise but do not guess at. */
export function hintFor(value: unknown): string | undefined {
  if (value === undefined) return 'Was the agent made before the test ran?'
  if (hasFunctions(value, 'then')) return 'It is a promise: put `await` in front of it.'
  if (hasFunctions(value, 'getHttpServer')) return 'For a NestJS app: expect(app.getHttpServer()).'
  if (hasFunctions(value, 'callback', 'use'))
    return 'For a Koa app: expect(await serveAgent({listener: app.callback()})).'
  if (typeof value === 'function') {
    return 'A function does not say what it takes: serveAgent({listener: …}) for (req, res), serveAgent({fetch: …}) for (request).'
  }
  if (hasFunctions(value, 'GET') || hasFunctions(value, 'POST')) {
    return "For route handlers: serveAgent({routes: {'/api/agent': …}})."
  }
  if (hasFunctions(value, 'listen', 'address')) return 'Only HTTP servers can be asked.'
  return undefined
}

function isError(value: object): value is Error {
  return has(value, 'name', 'message', 'stack') && typeof value.message === 'string'
}

function has<Keys extends string>(value: unknown, ...keys: Keys[]): value is Record<Keys, unknown> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    keys.every((key) => key in value)
  )
}

function hasFunctions(value: unknown, ...keys: string[]): boolean {
  return has(value, ...keys) && keys.every((key) => typeof value[key] === 'function')
}
