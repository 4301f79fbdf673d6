import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { a2aAgent, configureA2A } from 'expect-a2a'
import { startHelpdesk } from 'expect-a2a/testing'
import { afterAll, expect, test } from 'vitest'

const demo = await startHelpdesk()
afterAll(() => demo.close())
const helpdesk = a2aAgent(demo.url)

// Needs no model: the user is scripted, and code decides.
test('it refunds a duplicate charge and explains the timeline', async () => {
  await expect(helpdesk).toPassConversation({
    script: ['Hi, I was charged twice. Can one of them be refunded?', 'It is order #4411'],
    successCriteria: [
      {
        id: 'confirms',
        check: (conversation) => /has been refunded/.test(conversation.agentText),
        description: 'The agent confirms the refund',
      },
      {
        id: 'timeline',
        check: (conversation) => /\d+ (to \d+ )?(business )?days/.test(conversation.agentText),
        description: 'The agent gives a timeline for the refund',
      },
      {
        id: 'order',
        check: (conversation) =>
          conversation.data.some((data) => (data as { order?: string }).order === '4411'),
        description: 'The refund is for order #4411',
      },
    ],
  })
})

// The same with a model that plays the customer and one that judges. Set OPENAI_API_KEY, or OPENAI_BASE_URL for another server.
const recorded = { folder: join(import.meta.dirname, 'a2a-cassettes'), file: 'refund.json' }
const hasModel = ['OPENAI_API_KEY', 'OPENAI_BASE_URL'].some((name) => Boolean(process.env[name]))
if (hasModel) configureA2A({ model: 'gpt-5-mini' })
const isRecorded = existsSync(join(recorded.folder, recorded.file))
// With a model, it is called, in CI too; without one, its recorded answers are replayed.
const mode = !hasModel ? 'replay' : process.env['A2A_CASSETTES'] === 'record' ? 'record' : 'off'

test('it refunds a simulated customer, decided by a judge', { timeout: 120_000 }, async ({ skip }) => {
  skip(!hasModel && !isRecorded, 'set OPENAI_API_KEY, or OPENAI_BASE_URL for a model of your own')

  await expect(helpdesk).toPassConversation({
    persona: 'A customer who was charged twice and writes short, polite messages.',
    goal: 'Get the duplicate charge for order #4411 refunded.',
    openingMessage: 'Hi, I was charged twice for order #4411. Can one of them be refunded?',
    successCriteria: ['The agent confirms the refund', 'The agent gives a timeline for the refund'],
    maxTurns: 4,
    budget: { tokens: 100_000 },
    cassette: { ...recorded, mode },
  })
})
