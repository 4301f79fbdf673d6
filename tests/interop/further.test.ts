import { generateKeyPairSync } from 'node:crypto'
import { generateAgentCardSignature } from 'a2a-sdk-1'
import { afterAll, describe, expect, test } from 'vitest'
import { a2aAgent, type AgentOptions } from '../../src/index.ts'
import { startDesk03 } from './desk03.ts'
import { startDesk1 } from './desk1.ts'
import { expectCourse } from './operations.ts'

const bindings: NonNullable<AgentOptions['binding']>[] = ['JSONRPC', 'HTTP+JSON']

describe.each([
  ['0.3.14', startDesk03],
  ['1.3.0', startDesk1],
] as const)('SDK %s', async (version, start) => {
  const desk = await start()
  afterAll(() => desk.close())

  describe.each(bindings)('over %s', (binding) => {
    const agent = a2aAgent(desk.url, { binding })
    afterAll(() => agent.close())

    test('toReachTaskState', async (context) => {
      await expectCourse(context, () => expect(agent).toReachTaskState('Is my book due?', 'completed'))
      await expectCourse(context, () => expect(agent).toReachTaskState('Please renew it.', 'input-required'))
      await expectCourse(context, () => expect(agent).toReachTaskState('Is my book due?', 'rejected'), {
        fails: /^Received: .*completed/m,
        findings: ['error reply/task-state'],
      })
    })

    test('toAdvertiseSkill', async (context) => {
      await expectCourse(context, () => expect(agent).toAdvertiseSkill('due-date', { tags: ['books'] }))
      await expect(agent).not.toAdvertiseSkill('refund')
    })

    test('toAdvertiseCapability', async (context) => {
      await expectCourse(context, () => expect(agent).toAdvertiseCapability('streaming'))
      await expectCourse(context, () => expect(agent).toAdvertiseCapability('pushNotifications'))
      await expect(agent).not.toAdvertiseCapability('extendedAgentCard')
    })

    test('the matchers on a reply', async () => {
      const told = await agent.send('Is my book due?')
      expect(told).toBeInTaskState('completed')
      expect(told).not.toBeInTaskState('working')
      expect(told).toHaveReplyText('The book is due on Friday.', { exact: true })
      expect(told).toHaveArtifact('Answer', 'Friday')
      expect(told).not.toHaveReplyData()
      expect(told).not.toHaveReplyFile()

      const lent = await agent.send('Please lend me Momo.')
      expect(lent).toHaveArtifact('Loan', { book: 'Momo', days: 28 })
      expect(lent).toHaveReplyData({ book: 'Momo', days: 28 })
      expect(lent).toHaveReplyFile({ mediaType: 'text/plain', text: 'Momo: 28 days' })
      // SDK 0.3.14 loses the name of a file over HTTP+JSON.
      if (version === '0.3.14' && binding === 'HTTP+JSON')
        expect(() => expect(lent).toHaveReplyFile({ name: 'receipt.txt' })).toThrow(
          /whose name is undefined +reply\/no-file/,
        )
      else expect(lent).toHaveReplyFile({ name: 'receipt.txt' })
      expect(lent).not.toHaveReplyFile({ text: 'Krabat' })
    })

    test('toAllowCors: the SDK leaves CORS to the app', async (context) => {
      await expectCourse(context, () => expect(agent).toAllowCors({ interfaces: 'first' }), {
        fails: /^Received: OPTIONS \S+ has no Access-Control-Allow-Origin, so a browser keeps it from pages/m,
        findings: ['error cors/answer', 'error cors/origin', 'warning cors/card'],
      })
    })

    test('toAnswerCardAtEndpoint: the handlers have no route for it', async (context) => {
      await expectCourse(context, () => expect(agent).toAnswerCardAtEndpoint(), {
        fails: /^Received: GET \S+\/(rpc|rest) was answered with HTTP 404 text\/html/m,
        findings: ['error card/not-at-endpoint'],
      })
    })

    test('toHaveSignedAgentCard: nobody signed it', async (context) => {
      await expectCourse(context, () => expect(agent).toHaveSignedAgentCard(), {
        fails: /^Received: the card is not signed/m,
        findings: ['error card/unsigned'],
      })
    })
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
