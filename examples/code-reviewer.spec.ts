import { a2aAgent } from 'expect-a2a'
import { startCodeReviewer } from 'expect-a2a/testing'
import { afterAll, expect, test } from 'vitest'

const demo = await startCodeReviewer()
afterAll(() => demo.close())
const reviewer = a2aAgent(demo.url)

const diff = `--- a/tests/test_refunds.py
+++ b/tests/test_refunds.py
@@ -15,3 +15,7 @@ def test_full_refund():
+def test_partial_refund_keeps_cents():
+    assert partial_refund(charge(1000), 450).net == 450
`

test('its card is valid and names both skills', async () => {
  await expect(reviewer).toHaveValidAgentCard()
  await expect(reviewer).toAdvertiseSkill('review-diff')
  await expect(reviewer).toAdvertiseSkill(/question/)
})

test('it answers a question with a plain message', async () => {
  await expect(reviewer).toReply('What do you check?', /risky changes/)
})

test('it asks for the base branch, then reviews the file', async () => {
  const asked = await reviewer.send([
    'Review this diff of payments-api.',
    {
      kind: 'file',
      name: 'refunds.diff',
      mediaType: 'text/x-diff',
      bytes: Buffer.from(diff).toString('base64'),
    },
  ])
  expect(asked).toBeInTaskState('input-required')
  expect(asked).toHaveReplyText('Which base branch')

  // `after` continues the context of that reply and, while it waits, its task.
  const review = await reviewer.send('main', { after: asked })
  expect(review).toBeInTaskState('completed')
  expect(review).toHaveReplyText('1 finding in tests/test_refunds.py')
  expect(review).toHaveReplyData(expect.objectContaining({ base: 'main' }))
})
