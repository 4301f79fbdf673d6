import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { FlattenedSign } from 'jose'
import { describe, expect, test } from 'vitest'
import { checkSignatures } from '../../../src/card/signatures/checkSignatures.ts'
import type { FormName } from '../../../src/card/signatures/forms.ts'
import type { SignatureOptions } from '../../../src/card/signatures/types.ts'
import type { CardObject } from '../../../src/card/types.ts'
import { CARD03, CARD10 } from '../../support/fixture.ts'
import {
  card,
  check,
  fixtures,
  jwk,
  now,
  pairs,
  pem,
  privateKey,
  publicKey,
  readJson,
  signed,
  stateAndFindings,
} from './signed.ts'

describe('a signature is valid', () => {
  const algorithms = [
    'ES256',
    'ES384',
    'ES512',
    'RS256',
    'RS384',
    'RS512',
    'PS256',
    'PS384',
    'PS512',
    'EdDSA',
  ]

  test.each(algorithms)('with %s', async (alg) => {
    const pair = pairs[alg] ?? pairs['RS256']!
    const result = await check(signed({ alg, key: pair.privateKey }), { keys: { k1: pair.publicKey } })
    expect(result).toEqual({
      path: 'signatures[0]',
      state: 'valid',
      label: `${alg}, key "k1", form spec`,
      findings: [],
    })
  })

  test.each(['HS256', 'HS384', 'HS512'])('with %s and the given secret, and a note', async (alg) => {
    const secret = 'a shared secret of some length'
    const raw = signed({ alg, key: secret })
    expect(await stateAndFindings(raw, { secret })).toEqual([
      'valid',
      `card/signature-shared-secret: ${alg} is made with a shared secret: everybody who can check it can also forge it`,
    ])
    expect((await check(raw, { secret: Buffer.from(secret) })).state).toBe('valid')
  })

  test('when it was created by another JWS library', async () => {
    const payload = Buffer.from('{"name":"Desk"}')
    const jws = await new FlattenedSign(payload)
      .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: 'JOSE' })
      .sign(privateKey)
    const raw = { name: 'Desk', signatures: [{ protected: jws.protected, signature: jws.signature }] }
    expect((await check(raw, { keys: pem })).state).toBe('valid')
  })

  test.each(['protected', 'signature'])('when its %s is padded', async (member) => {
    // A header of a length that base64 pads.
    const raw = signed({ header: { typ: 'JOSE+' } })
    const [first] = raw['signatures'] as Record<string, string>[]
    const padded = `${first![member]}${'='.repeat((4 - (first![member]!.length % 4)) % 4)}`
    expect(padded).toMatch(/=$/)
    const results = await check({ ...card, signatures: [{ ...first, [member]: padded }] }, { keys: pem })
    // The header is signed as it stands, so that padding put there afterwards is a change.
    expect(results.state).toBe(member === 'signature' ? 'valid' : 'refused')
  })
})

describe('a signature is refused', () => {
  const change = (entry: Record<string, unknown>): CardObject => {
    const [first] = signed()['signatures'] as object[]
    return { ...card, signatures: [{ ...first, ...entry }] }
  }
  const header = (more: Record<string, unknown>): CardObject => signed({ header: more })
  const refused = (why: string): string[] => ['refused', `card/signature-refused: ${why}`]

  test.each<[CardObject, string]>([
    [header({ alg: 'none' }), 'its alg is "none", so that nothing is signed'],
    [header({ alg: 'NONE' }), 'its alg is "NONE", so that nothing is signed'],
    [header({ alg: undefined }), 'its protected header has no alg'],
    [header({ kid: undefined }), 'its protected header has no kid'],
    [
      header({ crit: ['b64'], b64: false }),
      'its protected header requires an extension of JWS ("b64"), and A2A has none',
    ],
    [
      header({ crit: ['exp'], exp: 1 }),
      'its protected header requires an extension of JWS ("exp"), and A2A has none',
    ],
    [header({ b64: false }), 'its protected header requires an extension of JWS ("b64"), and A2A has none'],
    [change({ protected: undefined }), 'it has no protected header'],
    [change({ protected: '{"alg":"ES256"}' }), 'its protected header is not base64url'],
    [change({ protected: 'WzFd' }), 'its protected header is not a JSON object'],
    [change({ signature: undefined }), 'it has no signature'],
    [change({ signature: 'a+b/' }), 'its signature is not base64url'],
    [{ ...card, signatures: ['eyJh.eyJh.c2ln'] }, 'it is "eyJh.eyJh.c2ln" instead of an object'],
    [{ ...card, signatures: 'eyJh.eyJh.c2ln' }, 'it is "eyJh.eyJh.c2ln" instead of an object'],
  ])('whatever its key is: %#', async (raw, why) => {
    expect(await stateAndFindings(raw, { keys: pem })).toEqual(refused(why))
    // Nor does a key change that: it is not even asked for.
    expect(await stateAndFindings(raw, {})).toEqual(refused(why))
  })

  test.each<[string, CardObject]>([
    ['a member', { ...signed(), description: 'Other' }],
    ['a required member that is empty', { ...signed(), skills: [] }],
    [
      'an address',
      {
        ...signed(),
        supportedInterfaces: [{ ...CARD10.supportedInterfaces[0], url: 'https://evil.example' }],
      },
    ],
    ['what was absent', { ...signed(), documentationUrl: 'https://evil.example' }],
    [
      'the header',
      change({ protected: Buffer.from('{"alg":"ES256","kid":"k1","typ":"X"}').toString('base64url') }),
    ],
    ['the signature', change({ signature: Buffer.alloc(64, 1).toString('base64url') })],
    ['the length of the signature', change({ signature: 'c2ln' })],
  ])('when %s was changed', async (_what, raw) => {
    const [state, finding, ...more] = await stateAndFindings(raw, { keys: { k1: pem } })
    expect([state, more]).toEqual(['refused', []])
    expect(finding).toContain('card/signature-mismatch: it does not match the card with the key keys.k1')
  })

  test('when any of its members was changed, removed or emptied', async () => {
    const raw = signed()
    const leaves = leavesOf(card)
    expect(leaves.length).toBeGreaterThanOrEqual(15)
    for (const path of leaves) {
      for (const value of ['other', undefined, null, '']) {
        const changed = withLeaf(raw, path, value) as CardObject
        expect([path.join('.'), value, (await check(changed, { keys: pem }, '1.0')).state]).toEqual([
          path.join('.'),
          value,
          'refused',
        ])
      }
    }
  })

  test('when another key signed it, under a known name or with a single unnamed key', async () => {
    const otherPair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    for (const keys of [{ k1: otherPair.publicKey }, [otherPair.publicKey]]) {
      expect((await stateAndFindings(signed(), { keys }))[1]).toContain(
        'card/signature-mismatch: it does not match the card',
      )
    }
  })

  test('when the secret is wrong, without trying a public key as a secret', async () => {
    const raw = signed({ alg: 'HS256', key: pem })
    expect((await stateAndFindings(raw, { secret: 'wrong' }))[1]).toContain(
      'it does not match the card with the given secret',
    )
    expect(await stateAndFindings(raw, { keys: { k1: pem } })).toEqual([
      'undecided',
      'card/signature-unverifiable: HS256 needs the shared secret, which was not given',
    ])
  })

  test('when its kid is that of another given key', async () => {
    const otherPair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const keys = { old: otherPair.publicKey, new: publicKey }
    expect(await stateAndFindings(signed({ kid: 'k1' }), { keys })).toEqual([
      'refused',
      'card/signature-kid: its kid is "k1", but it was made with the key keys.new, whose kid is "new"',
    ])
  })
})

describe('is undecided without the key', () => {
  test.each<[string, CardObject, SignatureOptions, string]>([
    ['no key', signed(), {}, 'no key was given, and it names no jku from which "k1" could be had'],
    [
      'other names',
      signed(),
      { keys: { a: pairs['ES384']!.publicKey, b: pairs['EdDSA']!.publicKey } },
      'none of the given keys is "k1": "a", "b"',
    ],
    [
      'no key of the kind',
      signed(),
      { keys: [pairs['RS256']!.publicKey] },
      'none of the given keys is "k1": keys[0]',
    ],
    [
      'an unknown algorithm',
      signed({ header: { alg: 'ES256K' } }),
      { keys: pem },
      'its alg is "ES256K", which this verifier does not know',
    ],
    ['a secret alone', signed(), { secret: 's' }, 'no key was given'],
  ])('%s', async (_what, raw, options, why) => {
    const [state, finding] = await stateAndFindings(raw, options)
    expect([state, finding]).toEqual([
      'undecided',
      expect.stringContaining(`card/signature-unverifiable: ${why}`),
    ])
  })

  test('a key inside the signature itself', async () => {
    expect((await stateAndFindings(signed({ header: { jwk } })))[0]).toBe('undecided')
  })
})

describe('the signed form is reported', () => {
  const said = async (form: FormName, of = card): Promise<[string, string[]]> => {
    const { state, label, findings } = await check(signed({ form }, of), { keys: pem })
    expect(state).toBe('valid')
    return [label.replace(/.*form /, ''), findings.map(({ id, level }) => `${level} ${id}`)]
  }
  const warning = 'warning card/signature-form'

  test.each<[FormName, string[]]>([
    ['spec', []],
    ['sdk', [warning]],
    ['js-memory', [warning, 'warning card/signature-uncovered']],
    ['py-ascii', [warning]],
    ['py-floats', [warning]],
  ])('1.0: %s', async (form, findings) => {
    expect(await said(form)).toEqual([form, findings])
  })

  test('1.0: the document as it is', async () => {
    const raw = { ...card, note: 'Ä', gap: '' }
    for (const form of ['raw', 'raw-clean', 'raw-ascii'] as const) {
      expect(await said(form, raw)).toEqual([form, [warning]])
    }
  })

  test.each<[FormName, string[]]>([
    ['raw', []],
    ['raw-clean', [warning]],
    ['raw-ascii', [warning]],
    ['py-0.3', [warning]],
  ])('0.3: %s', async (form, findings) => {
    expect(await said(form, { ...CARD03, description: 'Ä', skills: [] })).toEqual([form, findings])
  })

  test('with what it does not cover', async () => {
    const raw = { ...signed(), url: 'https://old.example', preferredTransport: 'JSONRPC' }
    expect(await stateAndFindings(raw, { keys: pem }, '1.0')).toEqual([
      'valid',
      'card/signature-uncovered: it does not cover url, preferredTransport, which anybody in between can change',
    ])
  })

  test.each(readdirSync(new URL('sdk/', fixtures)))('of the SDK in %s', async (name) => {
    const { card: raw, publicKey: keys } = readJson(`sdk/${name}`) as { card: CardObject; publicKey: string }
    const form = {
      'js-1.3': 'sdk',
      'js-1.3-memory': 'js-memory',
      'python-0.3': 'py-0.3',
      'python-1.0': 'py-floats',
      'python-1.3': 'sdk',
    }
    const { state, label } = await check(raw, { keys })
    expect([state, label.replace(/.*form /, '')]).toEqual([
      'valid',
      form[name.replace('.json', '') as keyof typeof form],
    ])
    expect((await check({ ...raw, name: 'Other' }, { keys })).state).toBe('refused')
  })
})

test('the signed card of the trace can be read', async () => {
  const [, , third] = JSON.parse(
    readFileSync(new URL('../../fixtures/trace.json', import.meta.url), 'utf8'),
  ) as { response: { body: CardObject } }[]
  expect(await stateAndFindings(third!.response.body)).toEqual([
    'undecided',
    'card/signature-unverifiable: HS256 needs the shared secret, which was not given',
  ])
  expect((await check(third!.response.body, { secret: 'wrong' })).state).toBe('refused')
})

test('checks only a limited number of signatures', async () => {
  const [entry] = signed()['signatures'] as object[]
  const raw = {
    ...card,
    signatures: Array.from({ length: 5000 }, () => entry),
  }
  const results = await checkSignatures({ raw, card: raw, version: '1.0', now }, { keys: pem })
  expect(results.filter(({ state }) => state === 'valid').length).toBe(20)
  expect(results.at(-1)?.findings[0]?.message).toBe('only the first 20 signatures are looked at')
})

type Path = readonly string[]

/** The paths of all plain values. */
function leavesOf(value: unknown): Path[] {
  if (typeof value !== 'object' || value === null) return [[]]
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item).map((path) => [key, ...path]))
}

function withLeaf(value: unknown, [key, ...path]: Path, leaf: unknown): unknown {
  if (key === undefined) return leaf
  const changed = withLeaf((value as Record<string, unknown>)[key], path, leaf)
  if (!Array.isArray(value)) return { ...(value as object), [key]: changed }
  return value.with(Number(key), changed)
}
