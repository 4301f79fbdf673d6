import { generateKeyPairSync } from 'node:crypto'
import { generateAgentCardSignature } from 'a2a-sdk-1'
import { afterAll, describe, expect, test } from 'vitest'
import { a2aAgent, type AgentOptions } from '../../src/index.ts'
import { startLibraryAgent03 } from './libraryAgent03.ts'
import { startLibraryAgent1 } from './libraryAgent1.ts'
import { testFurther, type FurtherDeviations } from './further.ts'
import { expectOutcome } from './operations.ts'

const bindings: NonNullable<AgentOptions['binding']>[] = ['JSONRPC', 'HTTP+JSON']

/** What both SDKs leave to the app. */
const bare: FurtherDeviations = {
  toAllowCors: {
    fails: /^Received: OPTIONS \S+ has no Access-Control-Allow-Origin, so a browser keeps it from pages/m,
    findings: ['error cors/answer', 'error cors/origin', 'warning cors/card'],
  },
  toAnswerCardAtEndpoint: {
    fails: /^Received: GET \S+\/(rpc|rest) was answered with HTTP 404 text\/html/m,
    findings: ['error card/not-at-endpoint'],
  },
  toHaveSignedAgentCard: { fails: /^Received: the card is not signed/m, findings: ['error card/unsigned'] },
}

describe.each([
  ['0.3.14', startLibraryAgent03],
  ['1.3.0', startLibraryAgent1],
] as const)('SDK %s', async (version, start) => {
  const library = await start()
  afterAll(() => library.close())

  describe.each(bindings)('over %s', (binding) => {
    testFurther(
      () => library.url,
      { binding },
      {
        ...bare,
        // SDK 0.3.14 loses the name of a file over HTTP+JSON.
        ...(version === '0.3.14' &&
          binding === 'HTTP+JSON' && {
            'toHaveReplyFile, name': { fails: /whose name is undefined +reply\/no-file/ },
          }),
      },
    )
  })
})

describe('a card that SDK 1.3.0 signs and serves', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const sign = generateAgentCardSignature(privateKey, { alg: 'ES256', kid: 'library', typ: 'JOSE' })
  const library = await startLibraryAgent1('open', sign)
  afterAll(() => library.close())

  test.for(bindings)('toHaveSignedAgentCard over %s', async (binding, context) => {
    await using agent = a2aAgent(library.url, { binding })
    await expectOutcome(context, () => expect(agent).toHaveSignedAgentCard({ keys: publicKey }), {
      findings: ['warning card/signature-form'],
    })
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
    await expect(agent).not.toHaveSignedAgentCard({ keys: other })
  })
})
