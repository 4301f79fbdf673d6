import { after, test } from 'node:test'
import { a2aAgent } from 'expect-a2a'
import { expect } from 'expect-a2a/expect'
import { startHelpdesk } from 'expect-a2a/testing'

const demo = await startHelpdesk()
after(() => demo.close())
const helpdesk = a2aAgent(demo.url)

test('other agents can find and call it', async () => {
  await expect(helpdesk).toHaveValidAgentCard()
  await expect(helpdesk).toAdvertiseSkill('refund')
  await expect(helpdesk).toPassSmokeCheck()
})

test('it asks for a missing order number and continues with the answer', async () => {
  const asked = await helpdesk.send('I was charged twice')
  expect(asked).toBeInTaskState('input-required')

  const done = await helpdesk.send('It is #4411', { after: asked })
  expect(done).toHaveReplyText('order #4411 has been refunded')
})

test('a conversation ends with a refund and a timeline', async () => {
  await expect(helpdesk).toPassConversation({
    script: ['I was charged twice', 'It is #4411'],
    successCriteria: [
      {
        check: (conversation) => /has been refunded/.test(conversation.agentText),
        description: 'confirms the refund',
      },
      {
        check: (conversation) => /\d+ business days/.test(conversation.agentText),
        description: 'gives a timeline',
      },
    ],
  })
})
