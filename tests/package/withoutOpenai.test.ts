import { describe, expect, test } from 'vitest'
import { run } from '../../scripts/consumer.mjs'
import { setUpConsumers } from './consumers.ts'

const consumer = setUpConsumers()

/** Has a conversation judged by this judge and prints what the matcher throws. */
const judgedBy = (judge: string): string => `
Promise.all([import('expect-a2a/expect'), import('expect-a2a/testing')]).then(async ([{ expect }, { startHelpdesk }]) => {
  const helpdesk = await startHelpdesk()
  const conversation = { script: ['I was charged twice'], successCriteria: ['The agent asks for the order number.'] }
  try {
    await expect(helpdesk.url).not.toPassConversation({ ...conversation, judge: ${judge} })
  } catch (error) {
    console.log(error.message)
  } finally {
    await helpdesk.close()
  }
})`

describe('where the package openai is not installed', { timeout: 600_000 }, () => {
  test.each<[string, string, string[]]>([
    [
      'a model by its name is an error that says how else to give one',
      "{ model: 'gpt-x' }",
      [
        'a model configured by name needs the package "openai".',
        'npm install --save-dev openai',
        'as a function, `async (request) => text`, or as a model object of the AI SDK',
      ],
    ],
    [
      'no model at all is an error that says where one can be named',
      '{}',
      [
        'no model is configured for the judge, which is needed because criterion c1 is decided by a model',
        'configureA2A()',
        'A2A_JUDGE_MODEL',
      ],
    ],
  ])('%s', async (_what, judge, texts) => {
    const folder = await consumer('entries', ['expect'])
    const env = { OPENAI_API_KEY: 'sk-none', A2A_JUDGE_MODEL: '', A2A_CASSETTES: 'off' }
    const { code, output } = await run(folder, process.execPath, ['-e', judgedBy(judge)], { env })
    expect(code, output).toBe(0)
    expect(output).toMatch(/^\[error\] expect\(agent\)\.not\.toPassConversation\(/)
    for (const text of texts) expect(output).toContain(text)
  })

  test('a model that is a function needs nothing', async () => {
    const folder = await consumer('entries', ['expect'])
    const verdict = {
      verdicts: {
        c1: { evidence: [{ turn: 1, quote: 'What is your order number?' }], reason: 'So.', verdict: 'met' },
      },
      injection: { found: false, turn: null },
    }
    const judge = `{ model: async () => ${JSON.stringify(JSON.stringify(verdict))} }`
    const { code, output } = await run(folder, process.execPath, ['-e', judgedBy(judge)])
    expect(code, output).toBe(0)
    expect(output).toMatch(/^\[failed\] expect\(agent\)\.not\.toPassConversation\(/)
    expect(output).toContain('turn 1: "What is your order number?"')
  })
})
