import { agentFrom } from './homes.ts'

const protectedHeader = Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'k1', typ: 'JOSE' })).toString(
  'base64url',
)
const signature = { protected: protectedHeader, signature: 'c2ln' }

/** Serves a 1.0 card to which no rule has anything to say. */
export const card10 = agentFrom({
  card: {
    signatures: [signature],
    capabilities: { streaming: true, extensions: [{ uri: 'https://desk.example/ext/tone/v1' }] },
  },
})
/** The same in 0.3. */
export const card03 = agentFrom({ dialect: '0.3', card: { signatures: [signature] } })
