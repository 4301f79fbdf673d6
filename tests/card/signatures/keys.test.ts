import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { exportJWK } from 'jose'
import { describe, expect, test } from 'vitest'
import type { SignatureOptions } from '../../../src/card/signatures/types.ts'
import type { SignCardOptions } from '../../../src/testing/index.ts'
import {
  bare,
  certificates,
  check,
  jwk,
  pairs,
  pem,
  privateKey,
  publicKey,
  signed,
  stateAndFindings,
} from './signed.ts'

describe('accepts a key', () => {
  const { valid, privateKey: other } = certificates

  test.each<[string, SignatureOptions]>([
    ['as PEM text', { keys: pem }],
    [
      'as PEM text of the private key',
      { keys: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() },
    ],
    ['as KeyObject', { keys: publicKey }],
    ['as private KeyObject', { keys: privateKey }],
    ['as JWK without kid', { keys: jwk }],
    ['as JWK with kid', { keys: { ...jwk, kid: 'k1' } }],
    ['as private JWK', { keys: privateKey.export({ format: 'jwk' }) }],
    ['in a list', { keys: [pairs['RS256']!.publicKey, pem] }],
    [
      'as JWKS',
      {
        jwks: {
          keys: [
            { ...jwk, kid: 'k0' },
            { ...jwk, kid: 'k1', use: 'sig', key_ops: ['verify'] },
          ],
        },
      },
    ],
    ['as JWKS in keys', { keys: { keys: [jwk] } }],
    ['by kid, as PEM text', { jwks: { k0: pem, k1: pem } }],
    ['by kid, as JWK', { keys: { k1: jwk } }],
    ['with its algorithm', { keys: { ...jwk, alg: 'ES256' } }],
  ])('%s', async (_how, options) => {
    expect(await stateAndFindings(signed(), options)).toEqual(['valid'])
  })

  test('as CryptoKey', async () => {
    const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, true, [
      'verify',
    ])
    expect(await stateAndFindings(signed(), { keys: key })).toEqual(['valid'])
  })

  test('as certificate, in PEM and in x5c', async () => {
    const raw = signed({ key: other })
    const x5c = [bare(valid)]
    expect(await stateAndFindings(raw, { keys: valid })).toEqual(['valid'])
    const certified = createPublicKey(valid).export({ format: 'jwk' })
    expect(await stateAndFindings(raw, { keys: { ...certified, x5c } })).toEqual(['valid'])
  })
})

describe('invalid keys', () => {
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const x5c = bare(certificates.valid)

  test.each<[SignatureOptions, string]>([
    [{ keys: 'MIIB' }, 'the option keys is not a public key: the text is not PEM'],
    [
      { keys: ['-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----'] },
      'the option keys[0] is not a public key: ',
    ],
    [
      { keys: { k1: { crv: 'P-256' } } },
      'the option keys.k1 is not a public key: it has no kty, so it is not a JWK',
    ],
    [{ keys: {} }, 'the option keys is not a public key: it is empty'],
    [{ jwks: { keys: [{ ...jwk, x: 'AA' }] } }, 'the option jwks.keys[0] is not a public key: '],
    [{ keys: { kty: 'oct', k: 'c2VjcmV0' } }, 'it is a shared secret; pass it as the option secret'],
    [{ keys: { ...jwk, x5c: [x5c] } }, 'the certificate in its x5c is for another key (RFC 7517 §4.7)'],
    [{ keys: [5 as never] }, 'the option keys[0] is not a public key: it is neither an object nor a string'],
  ])('are wrong use: %j', async (options, message) => {
    const error = await check(signed(), options).then(undefined, (thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'BAD_OPTIONS', message: expect.stringContaining(message) })
    expect((error as Error).message).not.toContain('c2VjcmV0')
  })

  test.each<[string, Partial<SignCardOptions>, SignatureOptions, string]>([
    ['of another kind', {}, { keys: { k1: pairs['EdDSA']!.publicKey } }, 'it is a key of the kind ed25519'],
    [
      'on another curve',
      {},
      { keys: { k1: pairs['ES384']!.publicKey } },
      'it is a key of the kind ec secp384r1',
    ],
    ['for another algorithm', {}, { keys: { ...jwk, kid: 'k1', alg: 'ES384' } }, 'it is for ES384 only'],
    [
      'for encryption',
      {},
      { keys: { ...jwk, kid: 'k1', use: 'enc' } },
      'it is not for signatures (use "enc")',
    ],
    [
      'for other operations',
      {},
      { keys: { ...jwk, kid: 'k1', key_ops: ['deriveKey'] } },
      'it is not for signatures (key_ops)',
    ],
    [
      'too short',
      { alg: 'RS256', key: small.privateKey },
      { keys: { k1: small.publicKey } },
      'it has 1024 bits, and RFC 7518 wants 2048 or more',
    ],
  ])('verify nothing when they are %s', async (_what, how, options, reason) => {
    const [state, finding] = await stateAndFindings(signed(how), options)
    expect([state, finding]).toEqual(['refused', expect.stringContaining(reason)])
    expect(finding).toMatch(/^card\/signature-mismatch: the key keys(\.k1)? is not one for /)
  })
})

describe('the validity of a key', () => {
  const { privateKey: key, ended, valid } = certificates
  const past = Date.parse('2025-12-31') / 1000
  const future = Date.parse('2026-01-02') / 1000

  test.each<[string, SignatureOptions, string]>([
    ['exp', { keys: { ...jwk, exp: past } }, 'its key (keys) ended on 2025-12-31'],
    ['nbf', { keys: { ...jwk, nbf: future } }, 'its key (keys) begins on 2026-01-02 only'],
  ])('is that of %s', async (_member, options, why) => {
    expect(await stateAndFindings(signed(), options)).toEqual([
      'refused',
      `card/signature-key-expired: it matches the card, but the validity of ${why}`,
    ])
  })

  test.each([
    ['exp', { exp: future }],
    ['nbf', { nbf: past }],
    ['no number', { exp: 'never' }],
  ])('holds with %s', async (_member, more) => {
    expect(await stateAndFindings(signed(), { keys: { ...jwk, ...more } })).toEqual(['valid'])
  })

  test('is that of its certificate', async () => {
    const raw = signed({ key: key })
    const certified = createPublicKey(ended).export({ format: 'jwk' })
    const x5c = [bare(ended)]
    for (const keys of [ended, { ...certified, x5c, exp: future }]) {
      expect((await stateAndFindings(raw, { keys }))[1]).toContain(
        'the validity of its key (keys) ended on 2021-01-01',
      )
    }
    // The next key of the same name still counts.
    expect(await stateAndFindings(raw, { keys: [valid, ended] })).toEqual(['valid'])
  })
})

test('accepts a JWK set exported by another library', async () => {
  expect(await stateAndFindings(signed(), { jwks: { keys: [await exportJWK(publicKey)] } })).toEqual([
    'valid',
  ])
})
