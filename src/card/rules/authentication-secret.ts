import type { Rule } from '../types.ts'
import { isObject, isText } from '../values.ts'

export const authenticationSecret: Rule = {
  id: 'card/authentication-secret',
  levels: { '0.1': 'warning' },
  summary: '`authentication.credentials` contains no secret, because everybody can read the card.',
  fix: 'Remove the secret from the card and revoke it.',
  source: 'A2A 0.1 §5.5.3',
  check(card, report) {
    const value = card['authentication']
    const credentials = isObject(value) ? value['credentials'] : undefined
    if (!isText(credentials)) return
    const words = credentials.trim().split(/\s+/)
    const token = words.some(
      (word) => /^[\w.~+/=-]{20,}$/.test(word) && /\d/.test(word) && /[a-z]/i.test(word),
    )
    // The value is not repeated: the message may end up in a public log.
    if (token) report('authentication.credentials', 'authentication.credentials looks like a secret')
  },
}
