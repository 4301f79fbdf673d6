import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startHelpdesk } from '../../examples/agents/helpdesk.ts'
import { converse, judgeTranscript, type ConversationRun } from '../../src/index.ts'
import { writeRun } from '../../src/conversation/saveRun.ts'
import { A2AConnectionError, A2AModelError } from '../../src/core/errors.ts'
import { configureA2A } from '../../src/model/configuration.ts'
import { scriptedModel } from '../../src/model/scripted.ts'
import { inTest, resetConfiguration } from '../support/configuration.ts'
import { temporaryFolder } from '../support/temporaryFolder.ts'
import { answering, openTestAgent, judge, user } from './runs.ts'

beforeEach(() => configureA2A({ folder: false }))
afterEach(resetConfiguration)

const script = ['I was charged twice.', 'It is order #4411.']

describe('converse', () => {
  test('talks to an address, and returns the conversation', async () => {
    await using helpdesk = await openTestAgent(startHelpdesk())
    inTest({ name: 'refunds' })

    const run = await converse(helpdesk.demo.url, { script })

    expect(run).toMatchObject({
      isA2AConversation: true,
      schemaVersion: 1,
      name: 'refunds',
      turns: 2,
      endReason: 'script_end',
      entries: [{ text: script[0] }, {}, { text: script[1] }, { task: { state: 'completed' } }],
    })
  })

  test('runs a conversation with a simulated user, without a judge', async () => {
    await using helpdesk = await openTestAgent(startHelpdesk())
    const model = user('It is order #4411.')

    const run = await converse(helpdesk.agent, { goal: 'g', openingMessage: 'Refund!', simulator: { model } })

    expect(run).toMatchObject({ endReason: 'goal', turns: 2 })
    expect(model.requests).toHaveLength(2)
  })

  test('returns a conversation that failed midway', async () => {
    await using bad = await answering(() => [{ state: 'failed', text: 'No.' }])
    const run = await converse(bad.agent, { script })
    expect(run).toMatchObject({ endReason: 'agent_error', fault: { outcome: 'failed' } })
  })

  test('throws if no agent answered', async () => {
    const gone = await answering(() => 'never')
    await gone.demo.close()

    const error: unknown = await converse(gone.agent, { script }).catch((thrown: unknown) => thrown)

    expect(error).toBeInstanceOf(A2AConnectionError)
    expect(error).toMatchObject({ code: 'UNREACHABLE', message: expect.stringMatching(/^turn 1: /) })
    await gone[Symbol.asyncDispose]()
  })

  test('throws errors without keys, in their causes too', async () => {
    await using helpdesk = await openTestAgent(startHelpdesk())
    const key = `sk-proj-${'a1B2'.repeat(8)}`
    const model = (): Promise<string> =>
      Promise.reject(new Error('refused', { cause: new Error(`the key ${key}`) }))

    const error: unknown = await converse(helpdesk.agent, { goal: 'g', simulator: { model } }).catch(
      (thrown: unknown) => thrown,
    )

    expect(inspect(error)).toContain('refused')
    expect(inspect(error)).not.toContain(key)
  })

  test('throws if the simulated user never wrote a message', async () => {
    await using helpdesk = await openTestAgent(startHelpdesk())
    const down = new A2AModelError('MODEL_UNAVAILABLE', 'HTTP 503', { fix: 'Try later.' })

    await expect(
      converse(helpdesk.agent, { goal: 'g', simulator: { model: user(down) } }),
    ).rejects.toMatchObject({
      name: 'A2AModelError',
      code: 'MODEL_UNAVAILABLE',
      fix: 'Try later.',
    })
  })

  test('rejects a card, and unknown options', async () => {
    const card = { name: 'x', skills: [] }
    await expect(converse(card, { script })).rejects.toMatchObject({
      code: 'BAD_SUBJECT',
      message: 'converse() needs an agent to call, but received only an agent card.',
    })
    await expect(converse(card, {})).rejects.toMatchObject({ code: 'BAD_OPTIONS' })
  })

  test('needs a model for a simulated user, and says so before the agent is called', async () => {
    await using helpdesk = await openTestAgent(startHelpdesk())
    await expect(converse(helpdesk.agent, { goal: 'g' })).rejects.toMatchObject({ code: 'NO_MODEL' })
    expect(helpdesk.agent.exchanges).toEqual([])
  })

  test('applies redaction', async () => {
    await using echo = await answering(({ text }) => text)
    const run = await converse(echo.agent, {
      script: ['My card is 4000.'],
      redact: (text) => text.replaceAll('4000', '[card]'),
    })
    expect(JSON.stringify(run)).not.toContain('4000')
    expect(run.entries[1]?.text).toBe('My card is [card].')
  })
})

describe('judgeTranscript', () => {
  const conversation = async (): Promise<ConversationRun> => {
    await using helpdesk = await openTestAgent(startHelpdesk())
    return await converse(helpdesk.agent, { script })
  }
  const criteria = [
    'The agent refunds.',
    {
      check: ({ lastAgentText }: { lastAgentText: string }) => lastAgentText.includes('refunded'),
      description: 'code',
    },
  ]

  test('judges a run without the agent, with one call', async () => {
    const model = judge()
    const judgement = await judgeTranscript(await conversation(), criteria, { judge: { model } })
    expect(judgement).toMatchObject({
      outcome: 'passed',
      score: 1,
      model: 'judge-model',
      criteria: [{ verdict: 'met' }, { verdict: 'met' }],
    })
    expect(model.requests).toHaveLength(1)
  })

  test('judges a file again', async () => {
    const path = await writeRun(
      { run: await conversation(), outcome: 'passed' },
      { name: 'a', nth: 1, trial: 1, folder: temporaryFolder() },
    )
    const judgement = await judgeTranscript(path, criteria, {
      judge: { model: judge({ c1: 'not_met' }) },
      threshold: 0.5,
    })
    expect(judgement).toMatchObject({ outcome: 'passed', score: 0.5, threshold: 0.5 })
  })

  test('judges a handwritten transcript, by code alone', async () => {
    const entries = [
      { turn: 1, from: 'user' as const, text: 'Hi' },
      { turn: 1, from: 'agent' as const, text: 'It is refunded.' },
    ]
    expect(await judgeTranscript({ entries }, criteria.slice(1))).toMatchObject({
      outcome: 'passed',
      votes: 0,
    })
  })

  test.each<[string, () => unknown, object]>([
    [
      'something that is not a conversation',
      () => judgeTranscript({} as never, criteria),
      { code: 'BAD_SUBJECT' },
    ],
    ['null', () => judgeTranscript(null as never, criteria), { code: 'BAD_SUBJECT' }],
    [
      'a percentage',
      () => judgeTranscript({ entries: [] }, criteria, { threshold: 80 }),
      { fix: 'Use 0.8, not 80.' },
    ],
    ['no criteria', () => judgeTranscript({ entries: [] }, []), { code: 'BAD_OPTIONS' }],
    [
      'an unknown option',
      () => judgeTranscript({ entries: [] }, criteria, { trials: 3 } as never),
      { code: 'BAD_OPTIONS' },
    ],
    ['no model', () => judgeTranscript({ entries: [] }, criteria), { code: 'NO_MODEL' }],
  ])('rejects %s', async (_what, of, error) => {
    await expect(of()).rejects.toMatchObject(error)
  })

  test('throws errors of the judge', async () => {
    const down = new A2AModelError('MODEL_UNAVAILABLE', 'HTTP 503')
    await expect(
      judgeTranscript(await conversation(), criteria, { judge: { model: scriptedModel([down]) } }),
    ).rejects.toMatchObject({ name: 'A2AModelError', code: 'MODEL_UNAVAILABLE' })
  })

  test('throws if the deadline passes first', async () => {
    const never = scriptedModel(() => new Promise<string>(() => {}))
    await expect(
      judgeTranscript(await conversation(), criteria, { judge: { model: never }, deadlineMs: 20 }),
    ).rejects.toMatchObject({ name: 'A2AConnectionError', code: 'DEADLINE' })
  })
})
