import { createPublicKey, KeyObject, X509Certificate, type JsonWebKey } from 'node:crypto'
import { A2AUsageError } from '../../core/errors.ts'
import { at, isObject, show } from '../values.ts'
import type { SignatureOptions } from './types.ts'

/** A public key, and what is known of it. */
export interface VerificationKey {
  /** For messages: `keys[0]`, `"k1" of "https://…"`. */
  label: string
  kid?: string
  key: KeyObject
  /** The only algorithm it is for. */
  alg?: string
  /** Why it verifies nothing: `it is for encryption (use "enc")`. */
  unfit?: string
  /** Ms since the epoch, of the JWK's `nbf` or the certificate's beginning. */
  from?: number
  /** Ms since the epoch, of the JWK's `exp` or the certificate's end. */
  until?: number
}

/**
 * The keys that the user trusts, in the order given. Throws A2AUsageError `BAD_OPTIONS` for anything but a public key; no part of a
 * key is ever in the message.
 */
export function givenKeys({ keys, jwks }: SignatureOptions): VerificationKey[] {
  return [...readKeys('keys', keys), ...readKeys('jwks', jwks)]
}

function readKeys(path: string, given: unknown): VerificationKey[] {
  if (given === undefined) return []
  if (Array.isArray(given)) return given.flatMap((each, index) => readKeys(`${path}[${index}]`, each))
  if (isSingle(given)) return [readKey(path, given)]
  if (!isObject(given)) throw noKey(path, 'it is neither an object nor a string')
  if (Array.isArray(given['keys'])) return readKeys(at(path, 'keys'), given['keys'])
  const entries = Object.entries(given)
  if (entries.length === 0) throw noKey(path, 'it is empty')
  return entries.map(([kid, each]) => ({ ...readKey(at(path, kid), each), kid }))
}

function readKey(path: string, given: unknown): VerificationKey {
  try {
    return toKey(path, given)
  } catch (cause) {
    throw noKey(path, reasonOf(cause), cause)
  }
}

/** The keys of a document that a signature names: a JWKS, a single JWK, or `{kid: PEM}`. Anything else in it is ignored. */
export function publishedKeys(document: unknown, url: string): VerificationKey[] {
  const entries = publishedEntries(document)
  return entries.flatMap(([kid, each]) => {
    try {
      const key = toKey('', each)
      const name = kid ?? key.kid
      return [
        {
          ...key,
          label: name === undefined ? url : `${show(name)} of ${url}`,
          ...(name !== undefined && { kid: name }),
        },
      ]
    } catch {
      return []
    }
  })
}

function publishedEntries(document: unknown): (readonly [string | undefined, unknown])[] {
  const none = undefined
  if (!isObject(document)) return []
  if (Array.isArray(document['keys'])) return document['keys'].map((each: unknown) => [none, each] as const)
  return isSingle(document) ? [[none, document]] : Object.entries(document)
}

/** Throws a plain Error that explains why it is not a key. */
function toKey(label: string, given: unknown): VerificationKey {
  if (typeof given === 'string') return fromPem(label, given.trim())
  if (!isObject(given)) throw new Error('it is neither an object nor a string')
  if (isJwk(given)) return fromJwk(label, given)
  if (isKeyLike(given)) return { label, key: fromKeyObject(given) }
  throw new Error('it has no kty, so it is not a JWK')
}

function fromPem(label: string, pem: string): VerificationKey {
  if (!pem.startsWith('-----BEGIN '))
    throw new Error('the text is not PEM: it does not start with "-----BEGIN "')
  if (!/^-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/.test(pem)) return { label, key: createPublicKey(pem) }
  return { label, ...fromCertificate(new X509Certificate(pem)) }
}

function fromCertificate(certificate: X509Certificate): Pick<VerificationKey, 'key' | 'from' | 'until'> {
  const { publicKey, validFrom, validTo } = certificate
  return { key: publicKey, from: Date.parse(validFrom), until: Date.parse(validTo) }
}

const secretMembers: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth'])

function fromJwk(label: string, jwk: Record<string, unknown>): VerificationKey {
  if (jwk['kty'] === 'oct') throw new Error('it is a shared secret; pass it as the option secret')
  const open = Object.fromEntries(Object.entries(jwk).filter(([name]) => !secretMembers.has(name)))
  const key = createPublicKey({ key: open as JsonWebKey, format: 'jwk' })
  const { kid, alg, use, exp, nbf, x5c, key_ops: operations } = jwk
  const found: VerificationKey = { label, key }
  if (typeof kid === 'string') found.kid = kid
  if (typeof alg === 'string') found.alg = alg
  if (use !== undefined && use !== 'sig')
    found.unfit = `it is not for signatures (use ${JSON.stringify(use)})`
  if (Array.isArray(operations) && !operations.includes('verify') && !operations.includes('sign')) {
    found.unfit = 'it is not for signatures (key_ops)'
  }
  if (Array.isArray(x5c) && typeof x5c[0] === 'string') {
    const certificate = fromCertificate(new X509Certificate(Buffer.from(x5c[0], 'base64')))
    if (!certificate.key.equals(key))
      throw new Error('the certificate in its x5c is for another key (RFC 7517 §4.7)')
    Object.assign(found, certificate, { key })
  }
  if (typeof nbf === 'number') found.from = Math.max(nbf * 1000, found.from ?? 0)
  if (typeof exp === 'number') found.until = Math.min(exp * 1000, found.until ?? Infinity)
  return found
}

/** A `KeyObject` or a `CryptoKey` of whatever realm. */
function fromKeyObject(given: Record<string, unknown>): KeyObject {
  const key =
    tagOf(given) === 'CryptoKey'
      ? KeyObject.from(given as unknown as CryptoKey)
      : (given as unknown as KeyObject)
  if (key.type === 'secret') throw new Error('it is a shared secret; pass it as the option secret')
  return key.type === 'private' ? createPublicKey(key) : key
}

type CryptoKey = Parameters<typeof KeyObject.from>[0]

function isSingle(given: unknown): boolean {
  return typeof given === 'string' || (isObject(given) && (isJwk(given) || isKeyLike(given)))
}

function isJwk(given: Record<string, unknown>): boolean {
  return typeof given['kty'] === 'string'
}

function isKeyLike(given: Record<string, unknown>): boolean {
  return (
    tagOf(given) === 'CryptoKey' ||
    (typeof given['export'] === 'function' && typeof given['type'] === 'string')
  )
}

function tagOf(given: object): string {
  return Object.prototype.toString.call(given).slice(8, -1)
}

function noKey(path: string, why: string, cause?: unknown): A2AUsageError {
  return new A2AUsageError('BAD_OPTIONS', `the option ${path} is not a public key: ${why}`, {
    fix: 'Give a JWK, a JWKS, a PEM text of a public key or certificate, a KeyObject, or an object of these by kid.',
    ...(cause !== undefined && { cause }),
  })
}

function reasonOf(error: unknown): string {
  const { message } = error as { message?: unknown }
  return typeof message === 'string' && message !== '' ? message : String(error)
}
