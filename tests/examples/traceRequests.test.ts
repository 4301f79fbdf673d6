import { expect, test } from 'vitest'
import { createAgent } from '../../src/agent/handle.ts'
import { systemDeps } from '../../src/core/deps.ts'
import { startCodeReviewer, startDeployer, startTestRunner, type DemoAgent } from '../../src/testing/index.ts'
import { exchange } from './trace.ts'
import { queue } from './wire.ts'

/** What the trace asks, with the ids that this run gave out in place of the recorded ones. */
function expected(n: number, own: Record<string, string> = {}): unknown {
  const { method, path, headers, body } = exchange(n).request
  const { Host: _, ...rest } = headers
  return {
    method,
    path,
    headers: expect.objectContaining(
      Object.fromEntries(Object.entries(rest).map(([name, value]) => [name.toLowerCase(), value])),
    ),
    body: Object.entries(own).reduce(
      (text, [recorded, given]) => text.replaceAll(recorded, given),
      body === null ? '' : JSON.stringify(body),
    ),
  }
}

const asked = ({ requests }: DemoAgent) =>
  requests.map(({ method, path, headers, body }) => ({ method, path, headers, body }))

test('our client sends the requests of the trace, to the byte', async () => {
  await using runner = await startTestRunner()
  await using reviewer = await startCodeReviewer()
  await using deployer = await startDeployer()
  const ids = queue()
  let rpcId = 0
  const deps = systemDeps({ id: ids.next, rpcId: () => ++rpcId })
  for (const n of [4, 5, 6, 7]) {
    const { params } = exchange(n).request.body as { params: { message: { messageId: string } } }
    ids.put(params.message.messageId)
  }
  const { message } = (exchange(5).request.body as { params: { message: { parts: { raw: string }[] } } })
    .params

  const tests = createAgent(runner.url, {}, deps)
  await tests.send('Run the unit tests for payments-api at commit a41d7c3')
  const review = createAgent(reviewer.url, {}, deps)
  const question = await review.send([
    'Review this diff of payments-api.',
    {
      kind: 'file',
      name: 'refunds.diff',
      mediaType: 'text/x-diff',
      bytes: message.parts[1]?.raw ?? '',
    },
  ])
  const { taskId = '', contextId = '' } = question
  await review.send('main', { after: question })
  const deploy = createAgent(deployer.url, { credentials: { bearer: 'dpl_test_7c1e4b' } }, deps)
  const waiting = await deploy.send('Deploy build 2026.10.06-1 to staging')
  await using stream = deploy.subscribe(waiting.taskId ?? '')
  await stream.open()
  const approval = await fetch(`${deployer.url}/approve/${waiting.taskId}`, { method: 'POST', body: '{}' })
  expect(approval.status).toBe(200)
  expect((await stream.reply()).state).toBe('completed')

  const recorded = exchange(5).response.body.result.task
  const deployed = exchange(7).response.body.result.task
  expect(asked(runner)).toEqual([expected(1), expected(4)])
  expect(asked(reviewer)).toEqual([
    expected(2),
    expected(5),
    expected(6, { [recorded.id]: taskId, [recorded.contextId]: contextId }),
  ])
  expect(asked(deployer).slice(0, 3)).toEqual([
    expected(3),
    expected(7),
    expected(8, { [deployed.id]: waiting.taskId ?? '' }),
  ])
  expect(ids.left()).toBe(0)
})
