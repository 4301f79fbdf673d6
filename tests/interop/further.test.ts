import { generateKeyPairSync } from 'node:crypto'
import { generateAgentCardSignature } from 'a2a-sdk-1'
import { afterAll, describe, expect, test } from 'vitest'
import { a2aAgent, type AgentOptions } from '../../src/index.ts'
import { startDesk03 } from './desk03.ts'
import { startDesk1 } from './desk1.ts'
import { testFurther, type FurtherDeviations } from './further.ts'
import { expectCourse } from './operations.ts'

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
  ['0.3.14', startDesk03],
  ['1.3.0', startDesk1],
] as const)('SDK %s', async (version, start) => {
  const desk = await start()
  afterAll(() => desk.close())

  describe.each(bindings)('over %s', (binding) => {
    testFurther(
      () => desk.url,
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
  const sign = generateAgentCardSignature(privateKey, { alg: 'ES256', kid: 'desk', typ: 'JOSE' })
  const desk = await startDesk1('nobody', sign)
  afterAll(() => desk.close())

  test.for(bindings)('toHaveSignedAgentCard over %s', async (binding, context) => {
    await using agent = a2aAgent(desk.url, { binding })
    await expectCourse(context, () => expect(agent).toHaveSignedAgentCard({ keys: publicKey }), {
      findings: ['warning card/signature-form'],
    })
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
    await expect(agent).not.toHaveSignedAgentCard({ keys: other })
  })
})
