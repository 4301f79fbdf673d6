import type { A2AAgent } from '../../agent/types.ts'
import type { Credential } from '../../client/types.ts'
import { withoutCredentials } from '../../client/probe/callers.ts'

/** `handle` where the handle has something to show for itself; undefined where it calls as a stranger anyway. */
export function ownCredentials({ options, exchanges }: A2AAgent): 'handle' | undefined {
  const { credentials = {}, headers, tls } = options
  const shows =
    Object.keys(credentials).length > 0 ||
    typeof headers === 'function' ||
    Object.keys(headers ?? {}).length > Object.keys(withoutCredentials(headers ?? {}, {})).length ||
    tls?.cert !== undefined ||
    // A name and a password in the address: they go along with the request for the card, too.
    exchanges.some(
      ({ purpose, requestHeaders }) => purpose === 'agent card' && 'authorization' in requestHeaders,
    )
  return shows ? 'handle' : undefined
}

/** The texts among credentials, which must never be printed. */
export function textsOf(credentials: Readonly<Record<string, Credential>> | undefined): string[] {
  return Object.values(credentials ?? {}).filter((value): value is string => typeof value === 'string')
}
