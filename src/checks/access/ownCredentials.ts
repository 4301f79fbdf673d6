import type { A2AAgent } from '../../agent/types.ts'
import type { Credential } from '../../client/types.ts'
import { withoutCredentials } from '../../client/probe/callers.ts'

/** `handle` if the handle sends credentials; undefined if its calls are anonymous anyway. */
export function ownCredentials({ options, exchanges }: A2AAgent): 'handle' | undefined {
  const { credentials = {}, headers, tls } = options
  const shows =
    Object.keys(credentials).length > 0 ||
    typeof headers === 'function' ||
    Object.keys(headers ?? {}).length > Object.keys(withoutCredentials(headers ?? {}, {})).length ||
    tls?.cert !== undefined ||
    // A user name and password in the address, which are sent with the request for the card as well.
    exchanges.some(
      ({ purpose, requestHeaders }) => purpose === 'agent card' && 'authorization' in requestHeaders,
    )
  return shows ? 'handle' : undefined
}

/** The credentials that are strings, which must never be printed. */
export function textsOf(credentials: Readonly<Record<string, Credential>> | undefined): string[] {
  return Object.values(credentials ?? {}).filter((value): value is string => typeof value === 'string')
}
