import { a2aAgent } from 'expect-a2a'
import { startSlowAgent } from 'expect-a2a/testing'
import { expect, test } from 'vitest'

// An agent that runs one step at a time, when the test releases it. What a caller does meanwhile happens at a known moment, and no
// test sleeps. Point your own code that calls agents at `demo.url`.

test('an answer is streamed piece by piece', async () => {
  await using demo = await startSlowAgent()
  await using stream = a2aAgent(demo.url).stream('Where is order #4411?')

  const seen: string[] = []
  for await (const event of stream) {
    seen.push(event.type)
    demo.release()
  }
  expect(seen).toEqual(['task', 'status', 'artifact', 'artifact', 'status', 'status'])
  expect(await stream.reply()).toHaveReplyText('You said: Where is order #4411?')
})

test('a task in progress can be polled and canceled', async () => {
  await using demo = await startSlowAgent()
  const agent = a2aAgent(demo.url)
  await expect(agent).toCancelTask('Count all orders')

  const { taskId = '' } = await agent.send('Count all orders', { noWait: true })
  await demo.waiting()
  demo.release()
  await demo.waiting()
  expect((await agent.getTask(taskId)).status.state).toBe('working')

  expect((await agent.cancelTask(taskId)).status.state).toBe('canceled')
})

test('an interrupted stream can be resumed without losing events', async () => {
  // The work continues when the caller is back.
  await using demo = await startSlowAgent({
    onRequest: ({ body }) => /SubscribeToTask/.test(body) && demo.finish(),
  })
  await expect(demo.url).toResumeStream('Where is order #4411?')
})

test('the same without a matcher', async () => {
  await using demo = await startSlowAgent()
  const agent = a2aAgent(demo.url)

  await using first = agent.stream('Where is order #4411?')
  demo.release(2)
  for await (const event of first) if (event.type === 'artifact') break

  await using second = agent.subscribe(first.soFar()?.taskId ?? '')
  await second.open()
  demo.finish()
  expect(await second.reply()).toHaveReplyText('You said: Where is order #4411?')
})
