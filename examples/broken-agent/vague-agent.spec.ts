import { afterAll, expect, test } from 'vitest'
import { startVagueAgent } from './agent.ts'

// This spec fails on purpose, to show what a failed talk looks like.
const demo = await startVagueAgent()
afterAll(() => demo.close())

test('it says when the money of a refund arrives', async () => {
  await expect(demo.url).toPassConversation({
    script: ['Hi, I was charged twice. Can one of them be refunded?', 'It is order #4411'],
    successCriteria: [
      {
        id: 'confirms',
        check: (talk) => /has been refunded/.test(talk.agentText),
        says: 'The agent confirms the refund',
      },
      {
        id: 'timeline',
        check: (talk) => /\d+ (to \d+ )?(business )?days/.test(talk.agentText),
        says: 'The agent gives a timeline for the refund',
      },
    ],
  })
})
