import type { Fault, Json } from '../../src/testing/index.ts'
import { startFixture } from '../support/fixtureServer.ts'
import { loopbackLookup, testCa, testTls } from '../support/tls.ts'
import type { StartAgent } from './faultyAgent.ts'
import { agentFrom } from './baseAgents.ts'

/** A signature with this header; the rules check its form only. */
export const signed = (header: Json): Json[] => [
  { protected: Buffer.from(JSON.stringify(header)).toString('base64url'), signature: 'c2ln' },
]
const signatures = signed({ alg: 'ES256', kid: 'k1', typ: 'JOSE' })

/** Serves a 1.0 card that no rule reports. */
export const card10 = agentFrom({
  card: {
    signatures,
    capabilities: { streaming: true, extensions: [{ uri: 'https://desk.example/ext/tone/v1' }] },
  },
})

/** The same in 0.3. */
export const card03 = agentFrom({ dialect: '0.3', card: { signatures } })

/** The same in 0.1; `authentication` distinguishes it from 0.2. */
export const card01 = agentFrom({
  dialect: '0.3',
  card: {
    protocolVersion: undefined,
    preferredTransport: undefined,
    authentication: { schemes: ['bearer'] },
  },
})

/** A 0.3 card at a public https address. */
export const public03: StartAgent = async (fault) => {
  const card: Json = {
    protocolVersion: '0.3.0',
    name: 'Echo Desk',
    description: 'Repeats what it hears',
    url: 'http://127.0.0.1:4100/a2a',
    preferredTransport: 'JSONRPC',
    version: '1.0.0',
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'echo', name: 'Echo', description: 'Echo text', tags: ['demo'] }],
    signatures,
  }
  const json = fault.reduce<unknown>((given, one) => one.card?.(given as Json) ?? given, card)
  const server = await startFixture([{ on: 'GET /.well-known/agent-card.json', json }], {
    tls: testTls,
    host: 'desk.example',
  })
  return { ...server, deps: { lookup: loopbackLookup }, options: { tls: { ca: testCa } } }
}

/** Sets members of the card; an undefined one is removed. */
export function patch(members: Json | ((card: Json) => Json)): Fault {
  return { card: (card) => ({ ...card, ...(typeof members === 'function' ? members(card) : members) }) }
}
