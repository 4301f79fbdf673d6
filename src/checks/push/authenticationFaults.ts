import { finding } from '../../findings/finding.ts'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Finding } from '../../findings/types.ts'
import type { Dialect, PushConfig } from '../../protocol/model.ts'
import { count } from '../phrases.ts'
import { profileOf } from '../../protocol/versions/profiles.ts'
import type { Notification } from './notification.ts'

const tokenHeader = 'x-a2a-notification-token'

/** The state of a header in one notification: as expected, missing, or something else. */
type State = 'right' | 'missing' | 'wrong'

/**
 * Checks that the notifications prove their sender: by the token and the credentials of the config.
 * 1.0 requires the credentials, earlier versions the token; a value that is present must be correct in every version.
 */
export function faultsOfProof(
  notifications: readonly Notification[],
  config: Pick<PushConfig, 'token' | 'authentication'>,
  dialect: Dialect,
): Finding[] {
  const { token, authentication } = config
  const byCredentials = profileOf(dialect).push.proof === 'credentials'
  const tokens = notifications.map(({ headers }) => stateOfToken(headers[tokenHeader], token))
  const auths = notifications.map(({ headers }) =>
    stateOfAuthorization(headers.authorization, authentication),
  )
  const all = notifications.length
  const found: Finding[] = []

  const wrongTokens = tally(tokens, 'wrong')
  const noTokens = tally(tokens, 'missing')
  if (token !== undefined && wrongTokens > 0) {
    found.push(
      tokenFault(
        'error',
        `X-A2A-Notification-Token is not the token from the config (${share(wrongTokens, all)})`,
      ),
    )
  } else if (token !== undefined && noTokens > 0 && !(byCredentials && authentication !== undefined)) {
    const level = byCredentials ? 'warning' : 'error'
    found.push(tokenFault(level, `X-A2A-Notification-Token missing (${share(noTokens, all)})`))
  }

  if (authentication !== undefined) {
    const bad = auths.findIndex((state) => state !== 'right')
    if (bad >= 0) {
      const { scheme, credentials } = authentication
      const expected = credentials === undefined ? scheme : `${scheme} ***`
      const got = shownAuthorization(notifications[bad]?.headers.authorization, scheme)
      const proven = token !== undefined && tokens.every((state) => state === 'right')
      found.push(
        finding(
          'push/authorization',
          `authorization: expected ${expected}, got ${got} (${share(all - tally(auths, 'right'), all)})`,
          {
            // Deployed senders of 0.x support only the token.
            level: byCredentials || !proven || tally(auths, 'wrong') > 0 ? 'error' : 'warning',
            // Before the message, which would be taken for a header with its secret if it began a line.
            path: 'headers.authorization',
          },
        ),
      )
    }
  }
  return found
}

function tokenFault(level: 'error' | 'warning', message: string): Finding {
  return finding('push/token', message, { level })
}

function stateOfToken(header: string | undefined, token: string | undefined): State {
  if (token === undefined) return 'right'
  if (header === undefined) return 'missing'
  return same(header, token) ? 'right' : 'wrong'
}

function stateOfAuthorization(
  header: string | undefined,
  authentication: PushConfig['authentication'],
): State {
  if (authentication === undefined) return 'right'
  if (header === undefined) return 'missing'
  const [, scheme = '', credentials = ''] = /^(\S+) ?(.*)$/s.exec(header.trim()) ?? []
  if (scheme.toLowerCase() !== authentication.scheme.toLowerCase()) return 'wrong'
  const { credentials: expected } = authentication
  return expected === undefined || same(credentials.trim(), expected) ? 'right' : 'wrong'
}

/** Compares in constant time. */
function same(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** The header with its secret hidden. */
function shownAuthorization(header: string | undefined, expected: string): string {
  if (header === undefined) return 'none'
  const [scheme = ''] = header.trim().split(/\s/, 1)
  // A single word is a credential without a scheme.
  if (!/^[A-Za-z][\w-]{0,15}$/.test(scheme) || header.trim() === scheme) return '***, without a scheme'
  return scheme.toLowerCase() === expected.toLowerCase()
    ? `${scheme} with other credentials`
    : `${scheme} ***`
}

function tally(states: readonly State[], expected: State): number {
  return states.filter((state) => state === expected).length
}

function share(some: number, all: number): string {
  return `${some} of ${count(all, 'notification')}`
}
