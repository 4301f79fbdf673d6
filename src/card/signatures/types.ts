import type { Finding } from '../../findings/types.ts'

/** A public key of one kind or another: a JWK, a PEM text (public key or certificate), a `KeyObject` or a `CryptoKey`. */
export type KeyInput = string | object

/** What a card's signatures are checked with. All are optional. */
export interface SignatureOptions {
  /** Public keys that are trusted: one, a list of them, or an object of them by `kid`. A JWKS is taken, too. */
  keys?: KeyInput | readonly KeyInput[]
  /** The same as a JSON Web Key Set, `{keys: [...]}`, or as `{kid: PEM}`. */
  jwks?: { keys: readonly object[] } | Readonly<Record<string, string>>
  /** The shared secret for HS256, HS384 and HS512; no other key is ever used for these. */
  secret?: string | Uint8Array
  /**
   * Whether a key may be fetched from the address `jku` of a signature: from the card's own origin (`true`), from these origins, or
   * never (`false`). Default: `true` without `keys`, `jwks` and `secret`, else `false`.
   */
  allowJku?: boolean | readonly string[]
  /** So many signatures must be valid. Default 1. */
  minimum?: number
}

/** What became of one signature: valid, refused for a reason of its own, or not decided because its key is not there. */
export interface SignatureResult {
  /** `signatures[0]`. */
  path: string
  state: 'valid' | 'refused' | 'undecided'
  /** `ES256, key "k1"`, as far as its header says so. */
  label: string
  /** Why it is not valid; what is to be said of it although it is. */
  findings: Finding[]
}
