import { afterAll, expect, test } from 'vitest'
import { startBrokenAgent } from './agent.ts'

// This spec fails on purpose, to show what a failure looks like.
const demo = await startBrokenAgent()
afterAll(() => demo.close())

test('other agents can find and call it', async () => {
  await expect(demo.url).toHaveValidAgentCard()
})
