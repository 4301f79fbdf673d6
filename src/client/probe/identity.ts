import type { CardObject } from '../../card/types.ts'
import type { Deps } from '../../core/deps.ts'
import type { GivenHeaders, HttpRequest } from '../../http/types.ts'
import { planCredentials } from '../credentials.ts'
import { badCredential, withoutCredentials } from './callers.ts'
import type { ProbeCaller } from './types.ts'

/** How a probe identifies itself. */
export interface Identity {
  /** Replaces the handle's own headers and credentials; absent if these are kept. */
  give?: NonNullable<HttpRequest['give']>
  /** What was not sent because of its origin; absent if the exchange records it. */
  withheld?(): string[]
  /** Added to the request itself. */
  headers: Record<string, string>
  query: Record<string, string>
}

/** Prepares the identity of a probe; undefined if a scheme has no place for a credential. */
export async function identityOf(
  as: ProbeCaller,
  card: CardObject,
  deps: Deps,
  onSecret: (value: string) => void,
): Promise<Identity | undefined> {
  if (as === 'handle') return { headers: {}, query: {} }
  const anonymous = ({ headers }: GivenHeaders): GivenHeaders & { certificate: false } => ({
    headers: withoutCredentials(headers, card),
    query: {},
    certificate: false,
  })
  if (as === 'anonymous') return { give: anonymous, withheld: () => [], headers: {}, query: {} }
  if ('scheme' in as) {
    const bad = await badCredential(card, as, deps.id)
    return bad && { give: anonymous, withheld: () => [], ...bad }
  }
  const { headers, query } = await planCredentials(card, as.credentials, onSecret)({ refresh: false })
  let isSent = false
  return {
    give(own) {
      isSent = true
      return { headers: { ...anonymous(own).headers, ...lowered(headers) }, query }
    },
    withheld: () => (isSent ? [] : [...Object.keys(headers), ...Object.keys(query)]),
    headers: {},
    query: {},
  }
}

function lowered(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
