import { plainText } from '../../core/guards.ts'
import { schemesOf } from '../../card/security.ts'
import type { CardObject } from '../../card/types.ts'
import { isA2AError } from '../../core/errors.ts'
import { planCredentials, type Authorization } from '../credentials.ts'

const credentialLike = /auth|cookie|token|secret|api-?key|password|session|signature|credential/i

/** Headers without those that carry credentials: the usual ones, and those that the card's schemes name. */
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
 * A credential of this scheme that cannot be right, in its place: `wrong` is well-formed and random, `malformed` is truncated.
 * Undefined for mutual TLS and for schemes that do not specify where the credential goes.
 */
export async function badCredential(
  card: CardObject,
  { scheme, credential }: { scheme: string; credential: 'wrong' | 'malformed' },
  id: () => string,
): Promise<Authorization | undefined> {
  const { kind, fields } = schemesOf(card).find(({ name }) => name === scheme) ?? {}
  if (kind === 'mutualTLS') return undefined
  const isBasic = /^basic$/i.test(plainText(kind === 'http' ? fields?.['scheme'] : scheme))
  const random = id().replaceAll('-', '')
  const wrong = await place(card, scheme, isBasic ? `${random.slice(0, 8)}:${random.slice(8)}` : random)
  if (wrong === undefined || credential === 'wrong') return wrong
  const truncated = (name: string, value: string): string => {
    if (name === 'authorization') return value.replace(/ .*/, '')
    return name === 'cookie' ? value.replace(/=.*/, '=') : ''
  }
  return {
    headers: Object.fromEntries(
      Object.entries(wrong.headers).map(([name, value]) => [name, truncated(name, value)]),
    ),
    query: Object.fromEntries(Object.keys(wrong.query).map((name) => [name, ''])),
  }
}

async function place(card: CardObject, scheme: string, value: string): Promise<Authorization | undefined> {
  try {
    return await planCredentials(card, { [scheme]: value })({ refresh: false })
  } catch (error) {
    if (!isA2AError(error)) throw error
    // A2A 0.1 does not specify where an API key goes; this is where most agents expect it.
    if (/^api-?_?key$/i.test(scheme)) return { headers: { 'x-api-key': value }, query: {} }
    return scheme === 'bearer' ? { headers: { authorization: `Bearer ${value}` }, query: {} } : undefined
  }
}
