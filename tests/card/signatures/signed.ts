import { generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { normalise } from '../../../src/card/normalise.ts'
import { checkSignatures } from '../../../src/card/signatures/checkSignatures.ts'
import type { SignatureOptions, SignatureResult } from '../../../src/card/signatures/types.ts'
import type { CardObject } from '../../../src/card/types.ts'
import { signCard, type SignCardOptions } from '../../../src/testing/index.ts'
import { CARD10 } from '../../support/fixture.ts'

export const fixtures = new URL('../../fixtures/signatures/', import.meta.url)

export function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, fixtures), 'utf8'))
}

/** One key in two certificates, one of them expired. */
export const certificates = readJson('certificates.json') as {
  privateKey: string
  valid: string
  ended: string
}

/** A certificate as `x5c` has it. */
export const bare = (pem: string): string => pem.replaceAll(/-----.*-----|\n/g, '')

export const now = Date.parse('2026-01-01')

/** A card whose forms all differ. */
export const card: CardObject = {
  ...CARD10,
  description: 'Tägliches',
  securitySchemes: { helpdesk: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
  capabilities: { streaming: true, extensions: [{ uri: 'u', params: { cups: 2 } }] },
  skills: [{ ...CARD10.skills[0], tags: [] }],
}

interface Pair {
  publicKey: KeyObject
  privateKey: KeyObject
}

export const pairs: Record<string, Pair> = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  ES512: generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  EdDSA: generateKeyPairSync('ed25519'),
}
export const { publicKey, privateKey } = pairs['ES256'] as Pair
export const pem: string = publicKey.export({ type: 'spki', format: 'pem' }).toString()
export const jwk: JsonWebKey = publicKey.export({ format: 'jwk' })

export function signed(more: Partial<SignCardOptions> = {}, of: CardObject = card): CardObject {
  return signCard(of, { key: privateKey, kid: 'k1', alg: 'ES256', ...more })
}

/** Checks a card that has one signature. */
export async function check(
  raw: CardObject,
  options: SignatureOptions = {},
  version: '0.3' | '1.0' = 'url' in raw ? '0.3' : '1.0',
): Promise<SignatureResult> {
  const results = await checkSignatures({ raw, card: normalise(raw).card, version, now }, options)
  expect(results.length).toBe(1)
  return results[0]!
}

/** State and, of what is said, ids and texts. */
export async function stateAndFindings(...args: Parameters<typeof check>): Promise<string[]> {
  const { state, findings } = await check(...args)
  return [state, ...findings.map(({ id, message }) => `${id}: ${message}`)]
}
