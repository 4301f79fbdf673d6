import { afterAll, describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import { a2aAgent, type AgentOptions } from '../../src/index.ts'
import { startConversationAgent03, startConversationAgent1 } from './conversationAgents.ts'

const bindings: NonNullable<AgentOptions['binding']>[] = ['JSONRPC', 'HTTP+JSON']

describe.each([
  ['1.3.0', startConversationAgent1],
  ['0.3.14', startConversationAgent03],
])('SDK %s', async (_, start) => {
  const { url, approve, close } = await start()
  afterAll(close)

  describe.each(bindings)('over %s', (binding) => {
    const agent = a2aAgent(url, { binding })

    test('keeps a context', async () => {
      await expect(agent).toKeepContext(['Keep it for later: MAPLE7', 'Which code word?'], 'MAPLE7')
    })

    test('keeps contexts apart', async () => {
      await expect(agent).toIsolateContexts()
    })

    test('asks for input', async () => {
      await expect(agent).toAskForInput('Review this', {
        expectedQuestion: 'Which branch?',
        answer: 'main',
        expected: 'Reviewed against main',
      })
    })

    test('waits for an authorization', async () => {
      await expect(agent).toWaitForAuthorization('Deploy build 7', {
        approve: ({ id }) => approve(id),
        expected: 'It is live.',
      })
    })
  })
})
