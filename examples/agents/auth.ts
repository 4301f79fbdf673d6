import { isObject, parseJson } from './rpc.ts'
import type { Json, WireReply, WireRequest } from './wire.ts'

/**
 * Rejects requests without `Authorization: Bearer {token}`: 401 with a challenge, before anything else is answered
 * (A2A 1.0 §7.4; RFC 6750 §3 for a wrong token, which is a 401 as well).
 */
export function rejectUnauthenticated(
  request: WireRequest,
  { token, realm, rest }: { token: string; realm: string; rest: boolean },
): WireReply | undefined {
  const sent = /^Bearer (.+)$/i.exec(request.headers['authorization'] ?? '')?.[1]
  if (sent === token) return undefined
  const challenge = `Bearer realm="${realm}"`
  const headers = {
    'www-authenticate': sent === undefined ? challenge : `${challenge}, error="invalid_token"`,
  }
  const message = sent === undefined ? 'Authentication required' : 'Invalid token'
  if (rest)
    return { status: 401, headers, json: { error: { code: 401, status: 'UNAUTHENTICATED', message } } }
  const body = parseJson(request.body)
  const id = isObject(body) ? (body['id'] ?? null) : null
  return { status: 401, headers, json: { jsonrpc: '2.0', id, error: { code: -32000, message } } }
}

/** Members of a 1.0 card that require a bearer token. */
export const bearer10: Json = {
  securitySchemes: {
    bearer: {
      httpAuthSecurityScheme: { description: 'A token issued by the platform team.', scheme: 'Bearer' },
    },
  },
  securityRequirements: [{ schemes: { bearer: { list: [] } } }],
}

/** The same in a 0.3 card. */
export const bearer03: Json = {
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', description: 'A token issued by the platform team.' },
  },
  security: [{ bearer: [] }],
}
