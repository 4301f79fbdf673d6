import { join } from 'node:path'
import { a2aAgent, openaiModel } from 'expect-a2a'
import { startHelpdesk } from 'expect-a2a/testing'
import { afterAll, expect, test } from 'vitest'

const demo = await startHelpdesk()
afterAll(() => demo.close())
const helpdesk = a2aAgent(demo.url)

// A small model of 98 MB played the customer, and not well: it never gives the order number. The agent is called each time;
// the model's answers come from the cassette, so you need no model here. `node interop/model/record.mjs` records them again.
const model = 'SmolLM2-135M-Instruct.Q4_1'
const baseURL = process.env['SMALL_MODEL_URL']

test('it refunds nothing to a customer who never gives the order number', { timeout: 300_000 }, async () => {
  await expect(helpdesk).toPassConversation({
    persona: 'A customer who writes short, polite messages.',
    goal: 'Get the duplicate charge for order #4411 refunded.',
    openingMessage: 'Hi, I was charged twice.',
    facts: { order: '#4411' },
    minTurns: 2,
    maxTurns: 3,
    simulator: { model: baseURL ? openaiModel({ model, baseURL }) : model, temperature: 0 },
    successCriteria: [
      {
        check: (conversation) => !/has been refunded/.test(conversation.agentText),
        description: 'The agent refunds nothing',
      },
      {
        check: ({ entries }) =>
          entries.every(({ from, text }) => from === 'user' || text.includes('order number')),
        description: 'The agent asks for the order number each time',
      },
    ],
    cassette: {
      folder: join(import.meta.dirname, 'a2a-cassettes'),
      file: 'small-model.json',
      mode: baseURL ? 'record' : 'replay',
    },
  })
})
