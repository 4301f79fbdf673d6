import { generateKeyPairSync } from 'node:crypto'
import { a2aAgent } from 'expect-a2a'
import { startCodeReviewer, startDeployer, startTestRunner } from 'expect-a2a/testing'
import { afterAll, describe, expect, test } from 'vitest'

// A change of payments-api on its way to staging, with three A2A 1.0 agents: one runs its tests, one reviews the diff, and one
// deploys it after an operator approved. Everything runs over both bindings.
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

/** Approves a deployment outside A2A, at the address in the agent's message. */
const approve = async (text: string): Promise<void> => {
  const address = /http:\S+/.exec(text)?.[0] ?? ''
  const response = await fetch(address, { method: 'POST', body: '{}' })
  expect(await response.json()).toMatchObject({ approved: true })
}

test('each agent has a valid card', async () => {
  await expect(testRunner).toHaveValidAgentCard()
  await expect(codeReviewer).toHaveValidAgentCard()
  await expect(deployer).toHaveValidAgentCard()
  await expect(testRunner).toAdvertiseSkill('run-tests')
  await expect(codeReviewer).toAdvertiseSkill('review-diff')
  await expect(deployer).toAdvertiseSkill('deploy')
  await expect(deployer).toAdvertiseCapability('streaming')
})

test('the card of the deployer is signed with the key of the platform team', async () => {
  const key = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  await expect(deployer).toHaveSignedAgentCard({ keys: key })
})

test('the deployer requires a token, and shows authenticated callers a second skill', async () => {
  const authenticated = a2aAgent(deployer, { credentials: { bearer: token } })
  await expect(authenticated).toRequireAuthentication()
  await expect(authenticated).toServeExtendedCard()
  const { card } = await authenticated.extendedCard()
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

  test('the reviewer asks for the base branch and has one finding', async () => {
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

  test('the deployer waits for an operator, then continues on its own', async () => {
    await expect(operator).toWaitForAuthorization('Deploy build 2026.10.06-1 to staging', {
      approve: (_, waiting) => approve(waiting.text),
      expected: 'Build 2026.10.06-1 is live on staging',
    })
  })

  test('the same without a matcher: follow the deployment until the build is live', async () => {
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
