import { createHash } from 'node:crypto'
import { rejectUnauthenticated } from './auth.ts'
import { createMethods10 } from './methods10.ts'
import { answerRest } from './rest10.ts'
import { answerRpc } from './rpc.ts'
import { Refusal, type Respond } from './task.ts'
import type { DemoOptions, Handler, Json, WireReply, WireRequest } from './wire.ts'

/** Everything about an agent except what it answers. */
export interface Profile {
  /** Bearer token that every call needs; the card stays public. */
  token?: string | undefined
  /** The extended card, served to authenticated callers if the card declares it. */
  extendedCard?: Json | undefined
  /** Default: both. */
  bindings?: readonly ('JSONRPC' | 'HTTP+JSON')[] | undefined
}

/** Serves A2A 1.0: the card, JSON-RPC at /a2a/jsonrpc and HTTP+JSON under /a2a/rest. */
export function speak10(
  respond: Respond,
  options: DemoOptions,
  { token, extendedCard, bindings = ['JSONRPC', 'HTTP+JSON'] }: Profile = {},
): (served: unknown, own: Json) => Handler {
  return (card, own) => {
    const methods = createMethods10(respond, options, { card: own, extendedCard })
    const call = (request: WireRequest, method: string, params: Json) => {
      checkVersion(request)
      return methods(method, params)
    }
    return (request) => {
      if (request.method === 'GET' && request.path === '/.well-known/agent-card.json') return cardReply(card)
      const rest = request.path.startsWith('/a2a/rest/')
      const binding = rest ? 'HTTP+JSON' : request.path === '/a2a/jsonrpc' ? 'JSONRPC' : undefined
      if (!binding || !bindings.includes(binding)) return undefined
      const refusal =
        token !== undefined && rejectUnauthenticated(request, { token, realm: String(own['name']), rest })
      if (refusal) return refusal
      if (rest) return answerRest(request, call)
      if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' } }
      return answerRpc(request, ({ method, params }) => call(request, method, params))
    }
  }
}

function cardReply(card: unknown): WireReply {
  const etag = createHash('sha256')
    .update(JSON.stringify(card) ?? '')
    .digest('base64url')
    .slice(0, 16)
  return { json: card, headers: { 'cache-control': 'max-age=3600', etag: `"${etag}"` } }
}

// A 1.0 agent reads a missing version as 0.3, which this one does not speak (A2A 1.0 §3.6.2).
function checkVersion(request: WireRequest): void {
  const version = request.headers['a2a-version'] ?? request.query['A2A-Version'] ?? '0.3'
  if (!/^1\.\d+$/.test(version)) {
    throw new Refusal(-32009, `Version ${version} is not supported. Supported versions: 1.0`)
  }
}
