import { a2aAgent, converse, scriptedModel } from 'expect-a2a'
import { startCodeReviewer, startHelpdesk } from 'expect-a2a/testing'
import { afterAll, expect, test } from 'vitest'

const desk = await startHelpdesk()
const review = await startCodeReviewer()
afterAll(() => Promise.all([desk.close(), review.close()]))
const helpdesk = a2aAgent(desk.url)
const reviewer = a2aAgent(review.url)

test('one run can be checked in several ways', async () => {
  const run = await converse(helpdesk, { script: ['I was charged twice', 'It is order #4411'] })

  expect(run).toHaveSaid('What is your order number?', { turn: 1 })
  expect(run).toHaveSaid(/order #4411 has been refunded/)
  expect(run).not.toHaveSaid(/password/i)
  expect(run).toHaveSaid(expect.objectContaining({ refunded: true }), { turn: 2 })
  expect(run).toHaveEndedBy('script_end')
  // The matchers on a reply look at the last answer.
  expect(run).toBeInTaskState('completed')
  expect(run).toHaveArtifact('refund')

  await expect(run).toMeetCriteria([
    { check: (conversation) => conversation.turns <= 2, description: 'needs at most two turns' },
    {
      check: (conversation) => /\d+ business days/.test(conversation.lastAgentText),
      description: 'says when the money arrives',
    },
  ])
})

const diff = `--- a/tests/test_refunds.py
+++ b/tests/test_refunds.py
@@ -15,3 +15,7 @@ def test_full_refund():
+def test_partial_refund_keeps_cents():
+    assert partial_refund(charge(1000), 450).net == 450
`

test('a script can send files and answer questions', async () => {
  await expect(reviewer).toPassConversation({
    script: [
      [
        'Review this diff of payments-api.',
        {
          kind: 'file',
          name: 'refunds.diff',
          mediaType: 'text/x-diff',
          bytes: Buffer.from(diff).toString('base64'),
        },
      ],
      // Continues the task, because it waits for input. A function that returns nothing ends the script.
      (conversation) => (/base branch/.test(conversation.lastAgentText) ? 'main' : undefined),
    ],
    successCriteria: [
      { check: (conversation) => conversation.lastState === 'completed', description: 'finishes the review' },
      {
        check: (conversation) => conversation.artifacts.some(({ name }) => name === 'review.json'),
        description: 'hands over its findings as a file',
      },
      {
        check: (conversation) =>
          conversation.entries.every(({ task }) => task === undefined || task.nth === 1),
        description: 'reviews in one task',
      },
    ],
  })
})

test('a function can play the user, without a model', async () => {
  // The function receives what a model would receive. `scriptedModel` records its requests.
  const customer = scriptedModel(({ messages }) => {
    const answer = messages.at(-1)?.content ?? ''
    if (answer.includes('has been refunded')) {
      return { thought: 'That is what I came for.', status: 'goal_reached', message: null }
    }
    const message = answer.includes('order number') ? 'It is #4411.' : 'I was charged twice.'
    return { thought: 'Not there yet.', status: 'continue', message }
  })
  const run = await converse(helpdesk, {
    goal: 'Get the duplicate charge for order #4411 refunded.',
    facts: { order: '#4411' },
    simulator: { model: customer },
    maxTurns: 4,
  })

  expect(run).toHaveEndedBy('goal')
  expect(run).toHaveSaid('It is #4411.', { by: 'user', turn: 2 })
  expect(customer.requests).toHaveLength(3)
})
