import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { SignatureOptions } from '../../src/card/signatures/types.ts'
import { checkSignedCard } from '../../src/checks/card/checkSignedCard.ts'
import { signCard, type Fault, type Json, type SignCardOptions } from '../../src/testing/index.ts'
import { budget, type FaultyAgent, type StartAgent } from './faultyAgent.ts'
import { patch } from './baseCards.ts'
import { agentFrom } from './baseAgents.ts'

const pair = (): { publicKey: KeyObject; privateKey: KeyObject } =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
export const [key, old, otherPair] = [pair(), pair(), pair()]
export const secret = 'a secret of the operators'
export const certificates = JSON.parse(
  readFileSync(new URL('../fixtures/signatures/certificates.json', import.meta.url), 'utf8'),
) as { privateKey: string; ended: string }
export const jwk = (of: KeyObject, more: object): object => ({ ...of.export({ format: 'jwk' }), ...more })

export const how: SignCardOptions = { key: key.privateKey, kid: 'k1', alg: 'ES256' }
export const keys = { k1: key.publicKey, k2: old.publicKey }
export const sign: Fault = { card: (card) => signCard(card, how) }

/** A signed card of 1.0 whose forms all differ. */
export const members: Json = {
  description: 'Sagt, was es hört',
  securitySchemes: { helpdesk: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
  capabilities: {
    streaming: true,
    extensions: [{ uri: 'https://desk.example/ext/tone/v1', params: { loudness: 3, echo: '' } }],
  },
  skills: [{ id: 'echo', name: 'Echo', description: 'Says it again', tags: ['demo'], examples: [] }],
}
const routes = {
  'GET /keys.json': () => ({ json: { keys: [jwk(otherPair.publicKey, { kid: 'k9' })] } }),
  'GET /none.json': () => ({ status: 404, text: 'gone' }),
}
export const signed10 = agentFrom({ card: members, routes }, [sign])
export const signed03 = agentFrom({ dialect: '0.3', card: { description: 'Sagt, was es hört' } }, [sign])

/** Signs in another way than the base agent does. */
export function signs(
  otherwise: Partial<SignCardOptions> | ((card: Json) => Partial<SignCardOptions>),
): Fault {
  return patch(({ signatures: _, ...card }) =>
    signCard(card, { ...how, ...(typeof otherwise === 'function' ? otherwise(card) : otherwise) }),
  )
}

/** Changes the first signature. */
export function entry(change: Json): Fault {
  return patch(({ signatures }) => ({
    signatures: (signatures as Json[]).map((one) => ({ ...one, ...change })),
  }))
}

/** Publishes the keys next to the card. */
export const at = (path: string) => (card: Json) => {
  const { url } = (card['supportedInterfaces'] as { url: string }[])[0]!
  return { key: otherPair.privateKey, kid: 'k9', jku: new URL(path, url).href }
}

export type Row = [
  finding: string,
  level: FaultyAgent['level'],
  name: string,
  message: string,
  fault: Fault,
  more?: SignatureOptions & Pick<FaultyAgent, 'outcome'> & { start?: StartAgent },
]

/** Makes faulty agents of rows, for the check of their signatures. */
export function signers(rows: Row[]): FaultyAgent[] {
  return rows.map(([finding, level, name, message, fault, more = {}]) => {
    const { outcome, start = signed10, ...options } = more
    return {
      finding,
      level,
      name,
      message,
      fault,
      start,
      ...(outcome !== undefined && { outcome }),
      check: (agent) => checkSignedCard({ kind: 'agent', agent }, [{ keys, ...options }], budget),
    }
  })
}
