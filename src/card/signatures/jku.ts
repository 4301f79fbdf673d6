import { A2APolicyError, isA2AError } from '../../core/errors.ts'
import { sameOrigin } from '../../http/egress.ts'
import { isLoopback } from '../../http/hosts.ts'
import type { DocumentQuestion } from '../../http/json.ts'
import { httpUrl, show } from '../values.ts'
import { publishedKeys, type VerificationKey } from './keys.ts'

/** The keys behind a `jku`, or why there are none. */
export type Published = { keys: VerificationKey[]; own: boolean } | { why: string; fix: string }

/** Where keys may be fetched from. */
export interface JkuPolicy {
  /** Where the card was fetched from; absent for a card object. */
  cardUrl?: string
  /** As the option. */
  allow: boolean | readonly string[]
  /** Reads a JSON document; absent for a card object. */
  fetchJson?: (url: string, about: DocumentQuestion) => Promise<unknown>
}

/**
 * Fetches the keys that signatures name, each address once. The card under test chooses that address, so nothing is fetched but
 * from its own origin or from those that the user lists, and by https or on this machine unless listed.
 * Source: A2A 1.0 §8.4.3; RFC 8725 §3.10.
 */
export function createKeyFetcher(policy: JkuPolicy): (jku: string, path: string) => Promise<Published> {
  const known = new Map<string, Promise<Published>>()
  return (jku, path) => {
    const before = known.get(jku)
    if (before !== undefined) return before
    const fetching = fetchKeys(jku, path, policy)
    known.set(jku, fetching)
    return fetching
  }
}

const give = 'Pass the public key with the option keys.'

async function fetchKeys(
  jku: string,
  path: string,
  { cardUrl, allow, fetchJson }: JkuPolicy,
): Promise<Published> {
  const url = httpUrl(jku)
  if (url === undefined)
    return { why: `its key is at ${show(jku)} (jku), which is not an http(s) address`, fix: give }
  const named = `its key is at ${show(`${url.origin}${url.pathname}`)} (jku)`
  if (fetchJson === undefined || cardUrl === undefined) {
    return { why: `${named}, and nothing is fetched for a card without its agent`, fix: give }
  }
  const own = sameOrigin(new URL(cardUrl), url)
  const listed = typeof allow !== 'boolean' && allow.some((origin) => sameOrigin(new URL(origin), url))
  if (!(listed || (allow === true && own))) {
    const where = own ? '' : ', at a different origin from the card'
    const how = own ? 'allowJku: true' : `allowJku: ['${url.origin}']`
    return {
      why: `${named}${where}, which was not fetched, because allowJku does not allow it`,
      fix: `Pass the public key with the option keys, or allow that address with ${how}.`,
    }
  }
  if (url.protocol === 'http:' && !listed && !isLoopback(url.hostname)) {
    return {
      why: `${named}, which was not fetched, because it is plain http`,
      fix: `Publish the keys by https, or allow that address with allowJku: ['${url.origin}'].`,
    }
  }
  const origins = typeof allow === 'boolean' ? [url.origin] : [url.origin, ...allow]
  const mayRedirect = (target: URL): void => {
    if (origins.some((origin) => sameOrigin(new URL(origin), target))) return
    throw new A2APolicyError(
      'REFUSED_BY_POLICY',
      `not called: ${show(`${target.origin}${target.pathname}`)}, where it redirects to, because that is another origin`,
      { fix: `If that is meant, allow it: allowJku: ['${url.origin}', '${target.origin}'].` },
    )
  }
  try {
    const document = await fetchJson(url.href, {
      purpose: 'key set',
      addressFrom: `${path}.protected`,
      mayRedirect,
    })
    return { keys: publishedKeys(document, show(`${url.origin}${url.pathname}`)), own: own && !listed }
  } catch (error) {
    if (!isA2AError(error) || ['DEADLINE', 'ABORTED', 'BAD_USE', 'MISSING_PACKAGE'].includes(error.code))
      throw error
    return { why: `${named}, which could not be fetched: ${error.message}`, fix: error.fix ?? give }
  }
}
