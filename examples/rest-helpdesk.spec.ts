import { a2aAgent } from 'expect-a2a'
import { startRestAgent } from 'expect-a2a/testing'
import { afterAll, expect, test } from 'vitest'

// An A2A 1.0 agent that speaks only HTTP+JSON. Its card says so; the test needs no option.
const demo = await startRestAgent({
  respond: ({ text }) => [
    { artifact: { artifactId: 'answer', name: 'answer', parts: [{ text: `You said: ${text}` }] } },
    { state: 'completed' },
  ],
})
afterAll(() => demo.close())
const agent = a2aAgent(demo.url)

test('it has a valid card and answers', async () => {
  await expect(agent).toHaveValidAgentCard()
  await expect(agent).toPassSmokeCheck()
  await expect(agent).toReply('Hello', 'You said: Hello')
})

test('its tasks can be listed', async () => {
  const { contextId = '' } = await agent.send('Hello')
  const { tasks, nextPageToken } = await agent.listTasks({ contextId, includeArtifacts: true })
  expect(tasks).toHaveLength(1)
  expect(tasks[0]?.artifacts).toMatchObject([{ name: 'answer' }])
  expect(nextPageToken).toBe('')
})
