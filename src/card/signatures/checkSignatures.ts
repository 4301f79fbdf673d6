import type { CardObject, CardVersion } from '../types.ts'
import { httpUrl, isObject } from '../values.ts'
import { formsOf } from './forms.ts'
import { createKeyFetcher, type JkuPolicy } from './jku.ts'
import { givenKeys } from './keys.ts'
import type { SignatureOptions, SignatureResult } from './types.ts'
import { verifySignatures } from './verify.ts'
import { profileOf } from '../../protocol/versions/profiles.ts'

/** The card whose signatures are checked, and what is known of where it came from. */
export interface SignedCard {
  /** The document as parsed. */
  raw: CardObject
  /** The card as read. */
  card: CardObject
  version?: CardVersion
  /** Where the card was fetched from; absent for a card object. */
  cardUrl?: string
  /** Reads a document that the card names; absent for a card object. */
  fetchJson?: NonNullable<JkuPolicy['fetchJson']>
  /** Ms since the epoch: keys expire. */
  now: number
}

/**
 * Checks every signature of a card; an empty list for a card that is not signed. Throws A2AUsageError `BAD_OPTIONS` for a key
 * that is none.
 */
export async function checkSignatures(
  { raw, card, version, cardUrl, fetchJson, now }: SignedCard,
  options: SignatureOptions = {},
): Promise<SignatureResult[]> {
  const { secret, allowJku } = options
  const keys = givenKeys(options)
  const signatures = signaturesOf(card)
  if (signatures.length === 0) return []
  const allow = allowJku ?? (keys.length === 0 && secret === undefined)
  return verifySignatures({
    signatures,
    forms: formsOf({ raw, card, ...(version !== undefined && { version }) }),
    formIsDefined: version === undefined || profileOf(version).card.definesSignedForm,
    keys,
    ...(secret !== undefined && { secret: Buffer.from(secret) }),
    fetchKeys: createKeyFetcher({
      allow,
      ...(cardUrl !== undefined && { cardUrl }),
      ...(fetchJson !== undefined && { fetchJson }),
    }),
    now,
  })
}

/** A single signature in place of a list counts as one, so that it gets its own reason. */
function signaturesOf({ signatures }: CardObject): readonly unknown[] {
  if (Array.isArray(signatures)) return signatures
  return isObject(signatures) || typeof signatures === 'string' ? [signatures] : []
}

/** The origins of `allowJku` that are none: each must be an absolute http(s) address. */
export function badOrigins({ allowJku }: SignatureOptions): string[] {
  return typeof allowJku === 'object' ? allowJku.filter((origin) => httpUrl(origin) === undefined) : []
}
