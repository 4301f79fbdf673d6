import { a2aAgent } from 'expect-a2a'
import { startHelpdesk } from 'expect-a2a/testing'
import { afterAll, expect, test } from 'vitest'

// An A2A 0.3 agent.
const demo = await startHelpdesk()
afterAll(() => demo.close())
const helpdesk = a2aAgent(demo.url)

const chargedTwice = 'I was charged twice for order #4411. Can one of them be refunded?'

test('other agents can find and call it', async () => {
  await expect(helpdesk).toHaveValidAgentCard()
  await expect(helpdesk).toAdvertiseSkill('refund')
  await expect(helpdesk).not.toAdvertiseCapability('pushNotifications')
  await expect(helpdesk).toPassSmokeCheck()
})

test('it refunds a double charge and says when the money arrives', async () => {
  await expect(helpdesk).toReply(chargedTwice, /refunded.*5 to 7 business days/)
  await expect(helpdesk).toReachTaskState(chargedTwice, 'completed')
})

test('it asks for a missing order number and continues with the answer', async () => {
  await expect(helpdesk).toAskForInput('I was charged twice', {
    expectedQuestion: 'order number',
    answer: 'It is #4411',
    expected: 'order #4411 has been refunded',
  })
})

test('the same without a matcher', async () => {
  const asked = await helpdesk.send('I was charged twice')
  expect(asked).toBeInTaskState('input-required')
  expect(asked).toHaveReplyText('order number')

  const done = await helpdesk.send('It is #4411', { after: asked })
  expect(done).toHaveReplyText('order #4411 has been refunded')
  expect(done).toHaveReplyData(expect.objectContaining({ order: '4411', refunded: true }))
})
