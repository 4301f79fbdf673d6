import { a2aAgent } from 'expect-a2a'
import { startRestAgent } from 'expect-a2a/testing'
import { afterAll, expect, test } from 'vitest'

// An A2A 1.0 agent that speaks HTTP+JSON and nothing else: the card says so, and nothing needs to be set.
const demo = await startRestAgent({
  respond: ({ text }) => [
    { artifact: { artifactId: 'answer', name: 'answer', parts: [{ text: `You said: ${text}` }] } },
    { state: 'completed' },
  ],
})
afterAll(() => demo.close())
const desk = a2aAgent(demo.url)

test('it is found, and it answers', async () => {
  await expect(desk).toHaveValidAgentCard()
  await expect(desk).toPassSmokeCheck()
  await expect(desk).toReply('Hello', 'You said: Hello')
})

test('its tasks can be listed', async () => {
  const { contextId = '' } = await desk.send('Hello')
  const { tasks, nextPageToken } = await desk.listTasks({ contextId, includeArtifacts: true })
  expect(tasks).toHaveLength(1)
  expect(tasks[0]?.artifacts).toMatchObject([{ name: 'answer' }])
  expect(nextPageToken).toBe('')
})
