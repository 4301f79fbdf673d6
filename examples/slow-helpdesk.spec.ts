import { a2aAgent } from 'expect-a2a'
import { startSlowAgent } from 'expect-a2a/testing'
import { expect, test } from 'vitest'

// An agent that works a step at a time, when the test says so: what a caller does meanwhile happens at a known moment, and no test
// sleeps. Point your own code that calls agents at `demo.url`.

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

test('a task is looked at while it is worked on, and canceled', async () => {
  await using demo = await startSlowAgent()
  const desk = a2aAgent(demo.url)
  await expect(desk).toCancelTask('Count all orders')

  const { taskId = '' } = await desk.send('Count all orders', { noWait: true })
  await demo.waiting()
  demo.release()
  await demo.waiting()
  expect((await desk.getTask(taskId)).status.state).toBe('working')

  expect((await desk.cancelTask(taskId)).status.state).toBe('canceled')
})

test('a stream that was cut is taken up again, and nothing is lost', async () => {
  // The work goes on when the caller has come back.
  await using demo = await startSlowAgent({
    onRequest: ({ body }) => /SubscribeToTask/.test(body) && demo.finish(),
  })
  await expect(demo.url).toResumeStream('Where is order #4411?')
})

test('the same in the words of a client', async () => {
  await using demo = await startSlowAgent()
  const desk = a2aAgent(demo.url)

  await using first = desk.stream('Where is order #4411?')
  demo.release(2)
  for await (const event of first) if (event.type === 'artifact') break

  await using second = desk.subscribe(first.soFar()?.taskId ?? '')
  await second.open()
  demo.finish()
  expect(await second.reply()).toHaveReplyText('You said: Where is order #4411?')
})
