import { createSecretKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import '../../src/vitest.ts'
import { signCard, startAgentFrom, type SignCardOptions } from '../../src/testing/index.ts'
import { CARD03, CARD10 } from '../support/fixture.ts'
import { failureOf, misuse } from './support.ts'

const one = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const two = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const keys = { k1: one.publicKey, k2: two.publicKey }
const how = { key: one.privateKey, kid: 'k1', alg: 'ES256' }
const signed = signCard(CARD10, how)
const twice = signCard(signed, { key: two.privateKey, kid: 'k2', alg: 'EdDSA' })
const secret = 'a secret that nobody prints'

test('passes for signatures that are valid', async () => {
  await expect(signed).toHaveSignedAgentCard({ keys })
  await expect(JSON.stringify(signed)).toHaveSignedAgentCard({ keys: one.publicKey })
  await expect(signCard(CARD03, how)).toHaveSignedAgentCard({
    jwks: { keys: [one.publicKey.export({ format: 'jwk' })] },
  })
  await expect(signCard(CARD10, { ...how, key: secret, alg: 'HS256' })).toHaveSignedAgentCard({ secret })
  await expect(twice).toHaveSignedAgentCard({ keys, minimum: 2 })
})

test('passes for an agent that publishes its key', async () => {
  await using agent = await startAgentFrom({
    fault: { card: (card) => signCard(card, { ...how, jku: `${agentOrigin(card)}/keys.json` }) },
    routes: {
      'GET /keys.json': () => ({
        json: { keys: [{ ...one.publicKey.export({ format: 'jwk' }), kid: 'k1' }] },
      }),
    },
  })

  await expect(agent.url).toHaveSignedAgentCard()
  await expect(agent.url).toHaveSignedAgentCard({ keys: one.publicKey })
  expect(agent.requests.filter(({ path }) => path === '/keys.json').length).toBe(1)
})

test('rotation: one valid signature is enough, and .not needs none', async () => {
  await expect(twice).toHaveSignedAgentCard({ keys: { k2: two.publicKey } })
  await expect(twice).toHaveSignedAgentCard({ keys: { k1: other.publicKey, k2: two.publicKey } })
  await expect({ ...signed, name: 'Other' }).not.toHaveSignedAgentCard({ keys })
  await expect(CARD10).not.toHaveSignedAgentCard({ keys })
})

test('fails for a card without a signature', async () => {
  expect(await failureOf(() => expect(CARD10).toHaveSignedAgentCard({ keys }))).toMatchInlineSnapshot(`
    "[failed] expect(card).toHaveSignedAgentCard({ keys: { … } })

    Agent:    Echo Desk (card object)
    Expected: an agent card with a valid signature
    Received: the card is not signed   card/unsigned
    Fix:      Sign the card, and serve the signature in \`signatures\`."
  `)
  expect(await failureOf(() => expect({ ...CARD10, signatures: [] }).toHaveSignedAgentCard())).toContain(
    'Received: the card is not signed   card/unsigned',
  )
})

test('fails with a reason for each signature', async () => {
  const card = signCard({ ...twice, name: 'Other' }, { ...how, header: { alg: 'none' } })
  expect(await failureOf(() => expect(card).toHaveSignedAgentCard({ keys }))).toMatchInlineSnapshot(`
    "[failed] expect(card).toHaveSignedAgentCard({ keys: { … } })

    Agent:    Other (card object)
    Expected: an agent card with a valid signature
    Received: a card with 3 signatures, none known to be valid

      ✗ signatures[0]  it does not match the card with the key keys.k1, in no form that signers use: the card was changed after it was signed, or another key signed it   card/signature-mismatch  A2A 1.0 §8.4
          Sign the card as it is served, after the last change to it (also to addresses that are filled in at run time), and publish the key that signs.
      ✗ signatures[1]  it does not match the card with the key keys.k2, in no form that signers use: the card was changed after it was signed, or another key signed it   card/signature-mismatch  A2A 1.0 §8.4
          Sign the card as it is served, after the last change to it (also to addresses that are filled in at run time), and publish the key that signs.
      ✗ signatures[2]  its alg is "none", so that nothing is signed   card/signature-refused  A2A 1.0 §8.4
          Sign with a key, for example with ES256."
  `)
})

test('fails when there are too few', async () => {
  const card = {
    ...twice,
    signatures: [...signCard({ ...CARD10, name: 'Other' }, how).signatures, twice.signatures[1]],
  }
  expect(await failureOf(() => expect(card).toHaveSignedAgentCard({ keys, minimum: 2 })))
    .toMatchInlineSnapshot(`
    "[failed] expect(card).toHaveSignedAgentCard({ keys: { … }, minimum: 2 })

    Agent:    Echo Desk (card object)
    Expected: an agent card with at least 2 valid signatures
    Received: a card with 2 signatures, valid: signatures[1] (EdDSA, key "k2", form spec)

      ✗ signatures[0]  it does not match the card with the key keys.k1, in no form that signers use: the card was changed after it was signed, or another key signed it   card/signature-mismatch  A2A 1.0 §8.4
          Sign the card as it is served, after the last change to it (also to addresses that are filled in at run time), and publish the key that signs."
  `)
})

test('.not fails with what is valid, warnings included', async () => {
  const card = signCard({ ...CARD10, skills: [] }, { ...how, form: 'sdk', header: { typ: undefined } })
  expect(await failureOf(() => expect(card).not.toHaveSignedAgentCard({ keys }))).toMatchInlineSnapshot(`
    "[failed] expect(card).not.toHaveSignedAgentCard({ keys: { … } })

    Agent:    Echo Desk (card object)
    Expected: not an agent card with a valid signature
    Received: a card with 1 signature, valid: signatures[0] (ES256, key "k1", form sdk)

      ! signatures[0].protected  signatures[0].protected has no typ, where "JOSE" is expected   card/signature-typ  A2A 1.0 §8.4.2
          Add "typ": "JOSE" to the protected header and sign again.
      ! signatures[0]  it was made over another form of the card (sdk): over the card without its empty members, as the SDKs for JavaScript and Python sign it; clients that follow the specification refuse it   card/signature-form  A2A 1.0 §8.4.1
          Leave empty members out of the card, so that this form and that of A2A 1.0 §8.4.1 are the same."
  `)
})

test('is inconclusive without the key, negated or not', async () => {
  const { response } = (
    JSON.parse(readFileSync(new URL('../fixtures/trace.json', import.meta.url), 'utf8')) as {
      response: { body: Record<string, unknown> }
    }[]
  )[2]!
  expect(await failureOf(() => expect(response.body).toHaveSignedAgentCard())).toMatchInlineSnapshot(`
    "[error] expect(card).toHaveSignedAgentCard()

    Agent:    deployer (card object)
    Expected: an agent card with a valid signature
    Received: a card with 1 signature, none known to be valid; could not be checked: signatures[0]

      ! signatures[0]  HS256 needs the shared secret, which was not given   card/signature-unverifiable
          Pass it with the option secret, or sign with a key pair, which clients can check without being able to sign."
  `)
  expect(await failureOf(() => expect(response.body).not.toHaveSignedAgentCard())).toContain(
    '[error] expect(card).not',
  )
  expect(await failureOf(() => expect(response.body).toHaveSignedAgentCard({ secret: 'wrong' }))).toMatch(
    /^\[failed\] expect\(card\)\.toHaveSignedAgentCard\(\{ secret: <hidden> \}\)/,
  )
  await expect(response.body).not.toHaveSignedAgentCard({ secret: 'wrong' })
})

test('is inconclusive if the missing key could make it enough', async () => {
  const text = await failureOf(() =>
    expect(twice).toHaveSignedAgentCard({ keys: { k1: one.publicKey }, minimum: 2 }),
  )
  expect(text).toContain('[error] expect(card)')
  expect(text).toContain(
    'Received: a card with 2 signatures, valid: signatures[0] (ES256, key "k1", form spec); could not be checked: signatures[1]',
  )
  expect(text).toContain(
    '! signatures[1]  none of the given keys is "k2": "k1"   card/signature-unverifiable',
  )
  // Two are not enough for three, whatever they are.
  expect(
    await failureOf(() => expect(twice).toHaveSignedAgentCard({ keys: { k1: one.publicKey }, minimum: 3 })),
  ).toContain('[failed]')
})

test.each<[string, object, string]>([
  [
    'an unknown option',
    { key: one.publicKey },
    'toHaveSignedAgentCard(): there is no option `key`. Did you mean `keys`?',
  ],
  [
    'a key that is none',
    { keys: 'ssh-ed25519 AAAA' },
    'the option keys is not a public key: the text is not PEM',
  ],
  [
    'a shared secret as key',
    { keys: createSecretKey(Buffer.from(secret)) },
    'it is a shared secret; pass it as the option secret',
  ],
  [
    'no origin',
    { allowJku: ['keys.example'] },
    'the option allowJku has "keys.example", which is not an origin.',
  ],
  [
    'no number',
    { minimum: 0 },
    'toHaveSignedAgentCard(): `minimum` must be a whole number of at least 1; received 0.',
  ],
  [
    'no secret',
    { secret: 5 },
    'toHaveSignedAgentCard(): `secret` must be a non-empty string or bytes; received 5.',
  ],
  [
    'an unknown option next to a secret',
    { secret, Keys: one.publicKey },
    'toHaveSignedAgentCard(): there is no option `Keys`.',
  ],
])('misuse: %s', async (_what, options, message) => {
  const text = await failureOf(() => misuse(expect(signed).not, 'toHaveSignedAgentCard')(options))
  expect(text).toMatch(
    /^\[error\] expect\(card\)\.not\.toHaveSignedAgentCard\(|^\[error\] expect\(agent\)\.not\.toHaveSignedAgentCard\(/,
  )
  expect(text).toContain(message)
  expect(text).not.toContain(secret)
})

test('a secret is never printed', async () => {
  const card = signCard(CARD10, {
    ...how,
    key: 'another',
    alg: 'HS256',
    kid: secret,
  } satisfies SignCardOptions)
  const text = await failureOf(() => expect(card).toHaveSignedAgentCard({ secret }))
  expect(text).toContain('does not match the card with the given secret')
  expect(text).not.toContain(secret)
})

function agentOrigin({ supportedInterfaces }: Record<string, unknown>): string {
  return new URL((supportedInterfaces as { url: string }[])[0]!.url).origin
}
