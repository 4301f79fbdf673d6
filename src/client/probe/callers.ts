import type { Credential } from '../types.ts'
import { schemesOf } from '../../card/security.ts'
import type { CardObject } from '../../card/types.ts'
import { isA2AError } from '../../core/errors.ts'
import { planCredentials, type Authorization } from '../credentials.ts'

/**
 * As whom a probe calls: as the handle does, as nobody (its credentials left out, its other headers kept), with other credentials
 * in their place, or with a credential of one scheme that cannot be right.
 */
export type ProbeCaller =
  | 'handle'
  | 'nobody'
  | { credentials: Readonly<Record<string, Credential>> }
  | { scheme: string; credential: 'wrong' | 'malformed' }

const credentialLike = /auth|cookie|token|secret|api-?key|password|session|signature|credential/i

/** Headers without those that say who calls: the usual ones, and those that the card's schemes name. */
export function withoutCredentials(
  headers: Record<string, string>,
  card: CardObject,
): Record<string, string> {
  const named = schemesOf(card).flatMap(({ kind, fields }) =>
    kind === 'apiKey' && typeof fields['name'] === 'string' ? [fields['name'].toLowerCase()] : [],
  )
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !credentialLike.test(name) && !named.includes(name.toLowerCase()),
    ),
  )
}

/**
 * What a request with a credential of this scheme looks like that cannot be right: `wrong` is well-formed and random, `malformed`
 * is cut short. Undefined for mutual TLS and for schemes that do not say where the credential goes.
 */
export async function badCredential(
  card: CardObject,
  { scheme, credential }: { scheme: string; credential: 'wrong' | 'malformed' },
  id: () => string,
): Promise<Authorization | undefined> {
  const { kind, fields } = schemesOf(card).find(({ name }) => name === scheme) ?? {}
  if (kind === 'mutualTLS') return undefined
  const isBasic = /^basic$/i.test(String(kind === 'http' ? fields?.['scheme'] : scheme))
  const random = id().replaceAll('-', '')
  const wrong = await place(card, scheme, isBasic ? `${random.slice(0, 8)}:${random.slice(8)}` : random)
  if (wrong === undefined || credential === 'wrong') return wrong
  const cut = (name: string, value: string): string => {
    if (name === 'authorization') return value.replace(/ .*/, '')
    return name === 'cookie' ? value.replace(/=.*/, '=') : ''
  }
  return {
    headers: Object.fromEntries(
      Object.entries(wrong.headers).map(([name, value]) => [name, cut(name, value)]),
    ),
    query: Object.fromEntries(Object.keys(wrong.query).map((name) => [name, ''])),
  }
}

async function place(card: CardObject, scheme: string, value: string): Promise<Authorization | undefined> {
  try {
    return await planCredentials(card, { [scheme]: value })({ refresh: false })
  } catch (error) {
    if (!isA2AError(error)) throw error
    // A2A 0.1 does not say where an API key goes; this is where most agents look.
    if (/^api-?_?key$/i.test(scheme)) return { headers: { 'x-api-key': value }, query: {} }
    return scheme === 'bearer' ? { headers: { authorization: `Bearer ${value}` }, query: {} } : undefined
  }
}
