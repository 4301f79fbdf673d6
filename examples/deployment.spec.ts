import { generateKeyPairSync } from 'node:crypto'
import { a2aAgent } from 'expect-a2a'
import { startCodeReviewer, startDeployer, startTestRunner } from 'expect-a2a/testing'
import { afterAll, describe, expect, test } from 'vitest'

// A change of payments-api on its way to staging, past three agents of A2A 1.0: its tests are run, its diff is reviewed, and it
// is deployed once an operator approves. The same story is told over both bindings.
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const signWith = { key: privateKey, kid: 'platform-team-1' }
const demos = await Promise.all([startTestRunner(), startCodeReviewer(), startDeployer({ signWith })])
afterAll(() => Promise.all(demos.map((demo) => demo.close())))
const [testRunner, codeReviewer, deployer] = demos.map((demo) => demo.url) as [string, string, string]
const token = 'dpl_test_7c1e4b'

const diff = `--- a/tests/test_refunds.py
+++ b/tests/test_refunds.py
@@ -15,3 +15,7 @@ def test_full_refund():
+def test_partial_refund_keeps_cents():
+    assert partial_refund(charge(1000), 450).net == 450
`

/** The operator approves a deploy, outside A2A: the address stands in what the agent says. */
const approve = async (words: string): Promise<void> => {
  const address = /http:\S+/.exec(words)?.[0] ?? ''
  const response = await fetch(address, { method: 'POST', body: '{}' })
  expect(await response.json()).toMatchObject({ approved: true })
}

test('each agent says what it does', async () => {
  await expect(testRunner).toHaveValidAgentCard()
  await expect(codeReviewer).toHaveValidAgentCard()
  await expect(deployer).toHaveValidAgentCard()
  await expect(testRunner).toAdvertiseSkill('run-tests')
  await expect(codeReviewer).toAdvertiseSkill('review-diff')
  await expect(deployer).toAdvertiseSkill('deploy')
  await expect(deployer).toAdvertiseCapability('streaming')
})

test('the deployer is the one whose key we know', async () => {
  const key = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  await expect(deployer).toHaveSignedAgentCard({ keys: key })
})

test('the deployer lets in who has a token, and shows them a second skill', async () => {
  const known = a2aAgent(deployer, { credentials: { bearer: token } })
  await expect(known).toRequireAuthentication()
  await expect(known).toServeExtendedCard()
  const { card } = await known.extendedCard()
  expect(card).toMatchObject({ skills: [{ id: 'deploy' }, { id: 'roll-back' }] })
})

describe.each(['JSONRPC', 'HTTP+JSON'] as const)('over %s', (binding) => {
  const runner = a2aAgent(testRunner, { binding })
  const reviewer = a2aAgent(codeReviewer, { binding })
  const operator = a2aAgent(deployer, { binding, credentials: { bearer: token } })

  test('the tests of the change pass', async () => {
    const run = await runner.send('Run the unit tests for payments-api at commit a41d7c3')
    expect(run).toBeInTaskState('completed')
    expect(run).toHaveArtifact('test-log.txt', /13 passed/)
    expect(run).toHaveReplyData({ passed: 13, failed: 0 })
  })

  test('the reviewer asks for the base branch, and has one remark', async () => {
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

    const review = await reviewer.send('main', { after: asked })
    expect(review).toBeInTaskState('completed')
    expect(review.taskId).toBe(asked.taskId)
    expect(review).toHaveReplyText('1 finding in tests/test_refunds.py')
  })

  test('the deployer waits for an operator, and then goes on by itself', async () => {
    await expect(operator).toWaitForAuthorization('Deploy build 2026.10.06-1 to staging', {
      approve: (_, waiting) => approve(waiting.text),
      thenReply: 'Build 2026.10.06-1 is live on staging',
    })
  })

  test('the same in the words of a client: the deploy is followed until the build is live', async () => {
    const waiting = await operator.send('Deploy build 2026.10.06-1 to staging')
    expect(waiting).toBeInTaskState('auth-required')
    expect(waiting).toHaveReplyText('An operator must approve this deploy')

    await using deploy = operator.subscribe(waiting.taskId ?? '')
    await deploy.open()
    await approve(waiting.text)

    const live = await deploy.reply()
    expect(deploy.ended).toBe('terminal')
    expect(live).toBeInTaskState('completed')
    expect(live.progress).toContain('Approved by an operator. Rolling out to staging')
    expect(live).toHaveReplyData(expect.objectContaining({ environment: 'staging', build: '2026.10.06-1' }))
  })
})
