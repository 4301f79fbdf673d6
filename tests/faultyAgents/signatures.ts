import { generateKeyPairSync } from 'node:crypto'
import { faults, signCard, type Json } from '../../src/testing/index.ts'
import type { FaultyAgent } from './faultyAgent.ts'
import { patch } from './baseCards.ts'
import { agentFrom } from './baseAgents.ts'
import {
  entry,
  how,
  members,
  old,
  secret,
  sign,
  signed03,
  signs,
  otherPair,
  signers,
} from './signedAgents.ts'

/** Invalid signatures, or signatures of another card. */
export const signatures: FaultyAgent[] = signers([
  [
    'card/unsigned',
    'error',
    'lost its signature',
    'the card is not signed',
    patch({ signatures: undefined }),
  ],
  [
    'card/unsigned',
    'error',
    'has an empty list of signatures',
    'the card is not signed',
    patch({ signatures: [] }),
  ],
  [
    'card/signature-mismatch',
    'error',
    'changed its card after it was signed',
    'it does not match the card with the key keys.k1',
    patch({ description: 'Says it louder' }),
  ],
  [
    'card/signature-mismatch',
    'error',
    'has an unsigned address',
    'it does not match the card',
    faults.card('supportedInterfaces[0].url', 'https://evil.example/a2a'),
  ],
  [
    'card/signature-mismatch',
    'error',
    'changed a 0.3 card after it was signed',
    'it does not match the card',
    patch({ description: 'Says it louder' }),
    { start: signed03 },
  ],
  [
    'card/signature-mismatch',
    'error',
    'was signed by somebody else under the same name',
    'it does not match the card with the key keys.k1',
    signs({ key: otherPair.privateKey }),
  ],
  [
    'card/signature-mismatch',
    'error',
    'signs with another secret',
    'it does not match the card with the given secret',
    signs({ alg: 'HS256', key: 'a secret of somebody else' }),
    { secret },
  ],
  [
    'card/signature-mismatch',
    'error',
    'names a key of another kind',
    'the key keys.k1 is not one for EdDSA: it is a key of the kind ec prime256v1',
    signs({ alg: 'EdDSA', key: generateKeyPairSync('ed25519').privateKey }),
  ],
  [
    'card/signature-mismatch',
    'warning',
    'kept an old signature next to the new one',
    'it does not match the card with the key keys.k2',
    patch((card) => {
      const before = signCard(
        { ...card, version: '0.9.0', signatures: [] },
        { ...how, kid: 'k2', key: old.privateKey },
      )
      return { signatures: [...(card['signatures'] as Json[]), ...before.signatures] }
    }),
  ],
  [
    'card/signature-mismatch',
    'error',
    'has one valid signature where two are required',
    'it does not match the card with the key keys.k2',
    patch(({ signatures }) => ({
      signatures: [(signatures as Json[])[0], { ...(signatures as Json[])[1], signature: 'c2ln' }],
    })),
    {
      minimum: 2,
      start: agentFrom({ card: members }, [
        sign,
        { card: (card) => signCard(card, { ...how, kid: 'k2', key: old.privateKey }) },
      ]),
    },
  ],
  [
    'card/signature-refused',
    'error',
    'signs with nothing',
    'its alg is "none"',
    signs({ header: { alg: 'none' } }),
  ],
  [
    'card/signature-refused',
    'error',
    'names no algorithm',
    'its protected header has no alg',
    signs({ header: { alg: undefined } }),
  ],
  [
    'card/signature-refused',
    'error',
    'names no key',
    'its protected header has no kid',
    signs({ header: { kid: undefined } }),
  ],
  [
    'card/signature-refused',
    'error',
    'requires an unencoded payload',
    'requires an extension of JWS ("b64")',
    signs({ header: { crit: ['b64'], b64: false } }),
  ],
  [
    'card/signature-refused',
    'error',
    'requires a custom extension',
    'requires an extension of JWS ("https://desk.example/x")',
    signs({ header: { crit: ['https://desk.example/x'] } }),
  ],
  [
    'card/signature-refused',
    'error',
    'has a header without a signature',
    'it has no signature',
    entry({ signature: undefined }),
  ],
  [
    'card/signature-refused',
    'error',
    'has a signature without a header',
    'it has no protected header',
    entry({ protected: undefined }),
  ],
  [
    'card/signature-refused',
    'error',
    'writes its header as it is',
    'its protected header is not base64url',
    entry({ protected: '{"alg":"ES256"}' }),
  ],
  [
    'card/signature-refused',
    'error',
    'has a header of something else',
    'its protected header is not a JSON object',
    entry({ protected: 'c2ln' }),
  ],
  [
    'card/signature-refused',
    'error',
    'writes its signature in plain base64',
    'its signature is not base64url',
    entry({ signature: 'ab+/' }),
  ],
  [
    'card/signature-refused',
    'error',
    'has its signature in one text',
    'instead of an object',
    patch({ signatures: ['eyJh.eyJh.c2ln'] }),
  ],
  [
    'card/signature-refused',
    'warning',
    'has a second signature that is invalid',
    'its alg is "none"',
    { card: (card) => signCard(card, { ...how, header: { alg: 'none' } }) },
  ],
])
