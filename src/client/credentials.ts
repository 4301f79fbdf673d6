import type { Credential } from './types.ts'
import { requiredNames, schemesOf, type Scheme } from '../card/security.ts'
import type { CardObject } from '../card/types.ts'
import { isRecord } from '../core/guards.ts'
import { A2AReplyError, A2AUsageError } from '../core/errors.ts'

/** What goes along with every request to the typed origin. */
export interface Authorization {
  headers: Record<string, string>
  query: Record<string, string>
}

/** Turns the credentials of one handle into headers and query parameters, freshly for each request. */
export type Authorize = (about: { refresh: boolean }) => Promise<Authorization>

/** One credential and where it goes. */
interface Step {
  name: string
  place: Exclude<Place, { in: 'nowhere' }>
}

type Place =
  | { in: 'header'; name: string }
  | { in: 'query'; name: string }
  | { in: 'cookie'; name: string }
  | { in: 'authorization'; scheme: string }
  | { in: 'nowhere'; why: string; fix: string }

/**
 * Applies `credentials: {schemeName: value}` as the card's security schemes say (1.0, 0.2/0.3 and 0.1 shapes): header, query,
 * cookie, bearer, basic as `user:password`. Of several alternatives, the first that has all its credentials is used; without one, every
 * credential is sent.
 * Throws A2AUsageError `BAD_OPTIONS` for a name that the card does not know and for a value with line breaks.
 */
export function planCredentials(
  card: CardObject,
  credentials: Readonly<Record<string, Credential>>,
  onSecret: (value: string) => void = () => {},
): Authorize {
  const schemes = readSchemes(card)
  const given = Object.keys(credentials)
  for (const name of given) if (!schemes.has(name)) throw unknownScheme(name, [...schemes.keys()])

  const steps = pickSchemes(given, readRequirements(card)).map((name): Step => {
    const place = schemes.get(name)?.() ?? nowhere('is not declared')
    if (place.in === 'nowhere') {
      throw new A2AUsageError(
        'BAD_OPTIONS',
        `credentials.${name} cannot be applied: the scheme "${name}" ${place.why}`,
        {
          fix: place.fix,
        },
      )
    }
    return { name, place }
  })

  return async ({ refresh }) => {
    const into: Authorization = { headers: {}, query: {} }
    const cookies: string[] = []
    for (const { name, place } of steps) {
      const source = credentials[name]
      const value = typeof source === 'function' ? await source({ refresh }) : source
      if (typeof value !== 'string' || value === '') {
        throw new A2AUsageError('BAD_OPTIONS', `credentials.${name} must give a non-empty string`)
      }
      // eslint-disable-next-line no-control-regex -- these are the characters that would start another header
      if (/[\r\n\u0000]/.test(value)) {
        throw new A2AUsageError('BAD_OPTIONS', `credentials.${name} must not contain line breaks`)
      }
      onSecret(value)
      if (place.in === 'header') into.headers[place.name] = value
      else if (place.in === 'query') into.query[place.name] = value
      else if (place.in === 'cookie') cookies.push(`${place.name}=${value}`)
      else into.headers['authorization'] = authorizationHeader(place.scheme, value, onSecret)
    }
    if (cookies.length > 0) into.headers['cookie'] = cookies.join('; ')
    return into
  }
}

function authorizationHeader(scheme: string, value: string, onSecret: (value: string) => void): string {
  const prefix = `${scheme.toLowerCase()} `
  // Users paste the whole header as often as the bare token.
  if (value.toLowerCase().startsWith(prefix)) {
    onSecret(value.slice(prefix.length))
    return value
  }
  if (scheme.toLowerCase() !== 'basic') return `${scheme} ${value}`
  const encoded = Buffer.from(value, 'utf8').toString('base64')
  onSecret(encoded)
  const password = value.slice(value.indexOf(':') + 1)
  if (password !== '') onSecret(password)
  return `${scheme} ${encoded}`
}

/** Reads every scheme lazily: a broken one matters only if there is a credential for it. */
function readSchemes(card: CardObject): Map<string, () => Place> {
  const schemes = new Map<string, () => Place>()
  for (const scheme of schemesOf(card)) schemes.set(scheme.name, () => placeOf(scheme))
  // A2A 0.1: {"authentication": {"schemes": ["bearer"]}}, free text.
  const legacy = isRecord(card['authentication']) ? card['authentication']['schemes'] : undefined
  if (Array.isArray(legacy)) {
    for (const name of legacy) {
      if (typeof name === 'string' && !schemes.has(name)) schemes.set(name, () => legacyPlace(name))
    }
  }
  return schemes
}

function placeOf({ name, kind, fields }: Scheme): Place {
  switch (kind) {
    case 'apiKey': {
      const where = fields['in'] ?? fields['location'] ?? fields['in_']
      const key = fields['name']
      if (where !== 'header' && where !== 'query' && where !== 'cookie') {
        return nowhere(`says ${JSON.stringify(where)} where "header", "query" or "cookie" belongs`)
      }
      if (typeof key !== 'string' || key === '') return nowhere('does not say how the key is called')
      if (where !== 'query' && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(key)) {
        throw new A2AReplyError(
          'BAD_REPLY',
          `securitySchemes.${name} of the agent card names the ${where} ${JSON.stringify(key)}, which is not a ${where} name`,
          { finding: 'card/scheme-api-key', fix: 'Use letters, digits and hyphens only.' },
        )
      }
      return { in: where, name: key }
    }
    case 'http': {
      const httpScheme = fields['scheme']
      if (typeof httpScheme !== 'string' || !/^[\w!#$%&'*+.^`|~-]+$/.test(httpScheme)) {
        return nowhere('does not say which HTTP authentication scheme it means')
      }
      return { in: 'authorization', scheme: spelled(httpScheme) }
    }
    case 'oauth2':
    case 'openIdConnect':
      // The user gives a token that was obtained elsewhere.
      return { in: 'authorization', scheme: 'Bearer' }
    case 'mutualTLS':
      return nowhere('is mutual TLS', 'Give the client certificate with the option tls: {cert, key}.')
    default:
      return nowhere(`is of a type that this client does not know (${JSON.stringify(fields['type'])})`)
  }
}

function legacyPlace(name: string): Place {
  const scheme = name.toLowerCase()
  if (scheme === 'bearer' || scheme === 'basic') return { in: 'authorization', scheme: spelled(scheme) }
  if (scheme === 'oauth2' || scheme === 'openidconnect') return { in: 'authorization', scheme: 'Bearer' }
  return nowhere('is a bare name in an A2A 0.1 card, which does not say where the value goes')
}

function spelled(scheme: string): string {
  const known: Readonly<Record<string, string>> = { bearer: 'Bearer', basic: 'Basic' }
  return known[scheme.toLowerCase()] ?? scheme
}

function nowhere(why: string, fix = 'Send it yourself with the option headers.'): Place {
  return { in: 'nowhere', why, fix }
}

/** The card's alternatives, each the list of schemes that it requires together. */
function readRequirements(card: CardObject): string[][] {
  const list = card['securityRequirements'] ?? card['security']
  if (!Array.isArray(list)) return []
  return list.map((entry) => Object.keys(requiredNames(entry) ?? {}))
}

function pickSchemes(given: string[], alternatives: string[][]): string[] {
  const chosen = alternatives.find((names) => names.length > 0 && names.every((name) => given.includes(name)))
  if (chosen === undefined) return given
  // A scheme that no alternative mentions belongs to a skill; the user gave it on purpose.
  const mentioned = new Set(alternatives.flat())
  return given.filter((name) => chosen.includes(name) || !mentioned.has(name))
}

function unknownScheme(name: string, known: string[]): A2AUsageError {
  const list = known.map((each) => `"${each}"`).join(', ')
  return new A2AUsageError(
    'BAD_OPTIONS',
    known.length === 0
      ? `credentials names the scheme "${name}", but the agent card declares no security schemes`
      : `credentials names the scheme "${name}", which the agent card does not declare: it has ${list}`,
    {
      fix:
        known.length === 0
          ? 'Send it with the option headers, or declare securitySchemes in the card.'
          : `Use ${known.length === 1 ? list : `one of ${list}`}, or the option headers.`,
    },
  )
}
