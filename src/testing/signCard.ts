import {
  constants,
  createHmac,
  createPrivateKey,
  sign,
  type JsonWebKey,
  type KeyObject,
  type SignKeyObjectInput,
} from 'node:crypto'
import { isText } from '../core/guards.ts'
import {
  badOption,
  checkOptions,
  filledText,
  oneOf,
  record,
  required,
  secret,
  type OptionsSpec,
} from '../core/validate.ts'
import { everyForm, type FormName } from '../card/signatures/forms.ts'

/** How `signCard()` signs. */
export interface SignCardOptions {
  /** The private key: PEM text, JWK or `KeyObject`; a text or bytes for HS256, HS384 and HS512. */
  key: string | Uint8Array | KeyObject | object
  /** Names the key for those who verify. */
  kid: string
  /** ES256, ES384, ES512, RS256, RS384, RS512, PS256, PS384, PS512, EdDSA, HS256, HS384 or HS512. */
  alg: string
  /** Address of the key set that has the public key. */
  jku?: string
  /** Further members of the protected header; one that is undefined is left out. Default: `typ: 'JOSE'`. */
  header?: Record<string, unknown>
  /** The form of the card that is signed. Default `spec`, which is A2A 1.0 §8.4.1; for a 0.x card `raw`. */
  form?: FormName
}

/** An entry of `signatures` in an agent card. */
export interface CardSignature {
  protected: string
  signature: string
}

const algorithms = ['ES', 'RS', 'PS', 'HS'].flatMap((family) => [256, 384, 512].map((bits) => family + bits))
const spec: OptionsSpec = {
  key: required(
    secret({ what: 'a private key', accepts: (value) => isText(value) || typeof value === 'object' }),
  ),
  kid: required(filledText),
  alg: required(oneOf(...algorithms, 'EdDSA')),
  jku: filledText,
  header: record,
  form: filledText,
}

/**
 * Signs an agent card for a test and gives a copy that has the signature behind those it had. Throws A2AUsageError `BAD_OPTIONS`,
 * and what node:crypto throws for a key that does not go with it. Source: A2A 1.0 §8.4; RFC 7515.
 */
export function signCard<Card extends Record<string, unknown>>(
  card: Card,
  options: SignCardOptions,
): Card & { signatures: CardSignature[] } {
  checkOptions('signCard', options, spec)
  const { alg, kid, jku, header } = options
  const name = options.form ?? ('supportedInterfaces' in card ? 'spec' : 'raw')
  const form = everyForm({ raw: card, card }).find((one) => one.name === name)
  if (form === undefined) throw badOption('signCard', `the card has no form "${name}".`)
  const head = { alg, kid, typ: 'JOSE', ...(jku !== undefined && { jku }), ...header }
  const encoded = base64url(JSON.stringify(head))
  const signature = signatureOf(`${encoded}.${base64url(form.payload)}`, options)
  const before = Array.isArray(card['signatures']) ? (card['signatures'] as CardSignature[]) : []
  return { ...card, signatures: [...before, { protected: encoded, signature }] }
}

function signatureOf(input: string, { alg, key }: SignCardOptions): string {
  const [, family = '', bits = ''] = /^(HS|RS|PS|ES)(256|384|512)$/.exec(alg) ?? []
  if (family === 'HS') {
    return createHmac(`sha${bits}`, key as string | Uint8Array)
      .update(input)
      .digest('base64url')
  }
  const how: SignKeyObjectInput = { key: privateKey(key) }
  // A JWS has both numbers one after the other, not in DER.
  if (family === 'ES') how.dsaEncoding = 'ieee-p1363'
  if (family === 'PS') {
    how.padding = constants.RSA_PKCS1_PSS_PADDING
    how.saltLength = constants.RSA_PSS_SALTLEN_DIGEST
  }
  return sign(family === '' ? null : `sha${bits}`, Buffer.from(input), how).toString('base64url')
}

function privateKey(key: SignCardOptions['key']): KeyObject {
  if (typeof key === 'string') return createPrivateKey(key)
  return 'kty' in key ? createPrivateKey({ key: key as JsonWebKey, format: 'jwk' }) : (key as KeyObject)
}

function base64url(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url')
}
