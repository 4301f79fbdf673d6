import { a2aAgent } from 'expect-a2a'
import { startTestRunner } from 'expect-a2a/testing'
import { afterAll, expect, test } from 'vitest'

// An A2A 1.0 agent. In your test, `url` is the address of your agent.
const demo = await startTestRunner()
afterAll(() => demo.close())
const { url } = demo

test('its card is valid and declares what it can do', async () => {
  await expect(url).toHaveValidAgentCard()
  await expect(url).toAdvertiseSkill('run-tests', { tags: ['ci', 'tests'] })
  await expect(url).toAdvertiseCapability('streaming')
})

test('it answers a first message', async () => {
  await expect(url).toPassSmokeCheck()
})

test('it runs the tests of a commit', async () => {
  const message = 'Run the unit tests for payments-api at commit a41d7c3'
  await expect(url).toReply(message, '13 passed')

  const reply = await a2aAgent(url).send(message)
  expect(reply).toBeInTaskState('completed')
  expect(reply).toHaveReplyData({ passed: 13, failed: 0 })
  expect(reply).toHaveArtifact('test-log.txt', /collected 13 items/)
})

test('it asks for the commit if it is missing', async () => {
  await expect(url).toReachTaskState('Run the unit tests for payments-api', 'input-required')
})

test('it streams its log, and the stream has the same text as the plain reply', async () => {
  const message = 'Run the unit tests for payments-api at commit a41d7c3'
  await expect(url).toStream(message, { expected: '13 passed', sameAsSend: true })
})

test('it sends push notifications about a run', async () => {
  await expect(url).toDeliverPushNotifications('Run the unit tests for payments-api at commit a41d7c3')
})

test('it lists its runs, page by page', async () => {
  await expect(url).toListTasks({ message: 'Run the unit tests for payments-api at commit a41d7c3' })
})

test('it does the same over HTTP+JSON', async () => {
  const rest = a2aAgent(url, { binding: 'HTTP+JSON' })
  await expect(rest).toReply('Run the unit tests for payments-api at commit a41d7c3', '13 passed')
  await expect(rest).toStream('Run the unit tests for payments-api at commit a41d7c3')
})
