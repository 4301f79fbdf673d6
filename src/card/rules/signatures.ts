import type { Report, Rule } from '../types.ts'
import { isObject, isText, show } from '../values.ts'

export const signatures: Rule = {
  id: 'card/signatures',
  levels: { '0.3': 'error', '1.0': 'error' },
  summary:
    'Every signature has `protected` and `signature` in base64url, and the protected header is a JSON object with `alg` and `kid`.',
  fix: 'Sign the card again with a JWS library and copy `protected` and `signature` as they are.',
  source: { '0.3': 'A2A 0.3 §5.5.6; RFC 7515', '1.0': 'A2A 1.0 §8.4.2; RFC 7515' },
  check(card, report) {
    const value = card['signatures']
    if (value === undefined) return
    if (!Array.isArray(value)) {
      report('signatures', `signatures must be a list, not ${show(value)}`)
      return
    }
    value.forEach((entry: unknown, index) => {
      const path = `signatures[${index}]`
      if (!isObject(entry)) report(path, `${path} must be an object, not ${show(entry)}`)
      else checkSignature(entry, path, report)
    })
  },
}

function checkSignature(entry: Record<string, unknown>, path: string, report: Report): void {
  for (const field of ['protected', 'signature']) {
    const value = entry[field]
    if (value === undefined) report(`${path}.${field}`, `${path}.${field} is missing`)
    else if (!isText(value) || !/^[\w-]+$/.test(value)) {
      report(`${path}.${field}`, `${path}.${field} must be base64url, not ${show(value)}`)
    }
  }
  const encoded = entry['protected']
  if (!isText(encoded) || !/^[\w-]+$/.test(encoded)) return
  const header = protectedHeader(encoded)
  if (header === undefined) {
    report(`${path}.protected`, `${path}.protected does not decode to a JSON object`)
    return
  }
  for (const field of ['alg', 'kid']) {
    if (!isText(header[field])) {
      report(`${path}.protected`, `${path}.protected has no ${field} in its header`)
    }
  }
}

/** The protected header of a JWS; undefined if it is not a JSON object. */
export function protectedHeader(encoded: string): Record<string, unknown> | undefined {
  try {
    const header: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'))
    return isObject(header) ? header : undefined
  } catch {
    return undefined
  }
}
