import { protectedHeader } from '../rules/signatures.ts'
import { isObject, isText, listed, show } from '../values.ts'

/** The header of a signature, and its parts as written in the card. */
export interface ReadSignature {
  protected: string
  signature: string
  alg: string
  kid: string
  /** Where its key set is, if it says so. */
  jku?: string
}

/** Why a signature cannot be accepted whatever its key is. */
export interface Refusal {
  why: string
  fix: string
}

const again = 'Sign the card again with a JWS library and copy `protected` and `signature` as they are.'

/**
 * Reads one entry of `signatures`. What no verifier may accept is refused here, before any key is looked at: no `alg` or `none`,
 * no `kid`, an extension that must be understood. Source: A2A 1.0 §8.4.2; RFC 7515 §4.1.11, RFC 7797, RFC 8725 §3.1.
 */
export function readSignature(entry: unknown): ReadSignature | Refusal {
  if (!isObject(entry)) return { why: `it is ${show(entry)} instead of an object`, fix: again }
  const { protected: encoded, signature } = entry
  if (!isBase64url(encoded)) {
    return {
      why: encoded === undefined ? 'it has no protected header' : 'its protected header is not base64url',
      fix: again,
    }
  }
  const header = protectedHeader(encoded)
  if (header === undefined) return { why: 'its protected header is not a JSON object', fix: again }
  const { alg, kid, jku, crit, b64 } = header
  if (!isText(alg)) return { why: 'its protected header has no alg', fix: again }
  if (alg.toLowerCase() === 'none') {
    return {
      why: `its alg is ${show(alg)}, so that nothing is signed`,
      fix: 'Sign with a key, for example with ES256.',
    }
  }
  if (crit !== undefined || b64 === false) {
    const named = crit === undefined ? '"b64"' : Array.isArray(crit) ? listed(crit.map(show)) : show(crit)
    return {
      why: `its protected header requires an extension of JWS (${named}), and A2A has none`,
      fix: 'Sign without crit and b64.',
    }
  }
  if (!isText(kid)) {
    return {
      why: 'its protected header has no kid',
      fix: 'Name the key with kid in the protected header and sign again.',
    }
  }
  if (!isBase64url(signature)) {
    const why = isText(signature) ? 'its signature is not base64url' : 'it has no signature'
    return { why, fix: again }
  }
  return { protected: encoded, signature, alg, kid, ...(isText(jku) && { jku }) }
}

function isBase64url(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]+={0,2}$/.test(value)
}
