import { afterAll, expect, test } from 'vitest'
import { startVagueAgent } from './agent.ts'

// This spec fails on purpose, to show what a failed conversation looks like.
const demo = await startVagueAgent()
afterAll(() => demo.close())

test('it says when the money of a refund arrives', async () => {
  await expect(demo.url).toPassConversation({
    script: ['Hi, I was charged twice. Can one of them be refunded?', 'It is order #4411'],
    successCriteria: [
      {
        id: 'confirms',
        check: (conversation) => /has been refunded/.test(conversation.agentText),
        description: 'The agent confirms the refund',
      },
      {
        id: 'timeline',
        check: (conversation) => /\d+ (to \d+ )?(business )?days/.test(conversation.agentText),
        description: 'The agent gives a timeline for the refund',
      },
    ],
  })
})
