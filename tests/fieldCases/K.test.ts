import { afterEach, describe, expect, test } from 'vitest'
import { startAgentFrom } from '../../examples/agents/agentFrom.ts'
import { createAgent } from '../../src/agent/handle.ts'
import { passConversation } from '../../src/conversation/passConversation.ts'
import type { ConversationResult, PassConversationOptions } from '../../src/conversation/types.ts'
import { configureA2A } from '../../src/model/configuration.ts'
import { scriptedModel } from '../../src/model/scripted.ts'
import { resetConfiguration } from '../support/configuration.ts'
import { manualClock } from '../support/manualClock.ts'
import { judge, quietDeps } from '../conversation/runs.ts'

afterEach(resetConfiguration)

/** Runs one conversation with an agent that gives these replies in order. */
async function conversation(
  agentReplies: readonly string[],
  options: PassConversationOptions,
): Promise<ConversationResult & { heard: string[] }> {
  configureA2A({ folder: false })
  const heard: string[] = []
  await using demo = await startAgentFrom({
    respond({ text }) {
      heard.push(text)
      return agentReplies[heard.length - 1] ?? '(not reached)'
    },
  })
  const deps = quietDeps()
  await using agent = createAgent(demo.url, {}, deps)
  const result = await passConversation(
    agent,
    { maxInvalid: 0, ...options },
    { deps, signal: new AbortController().signal },
  )
  return { ...result, heard }
}

const says = (message: string) => ({ thought: '', status: 'continue', message })

describe('K05 Simulated user returns nothing at the end', () => {
  const agentReplies = ['For when?', 'Done: table for two at seven.', '(not reached)']
  const userReplies = [says('Book a table for two.'), says('At seven, please.')]

  test.each([
    ['nothing', ''],
    ['white space', ' \n'],
    ['an empty message', { thought: 'nothing to add', status: 'continue', message: ' ' }],
    ['no message', { thought: 'nothing to add', status: 'continue', message: null }],
  ])('%s after two good turns ends the conversation, and the judge decides', async (_what, last) => {
    const model = judge()

    const result = await conversation(agentReplies, {
      goal: 'A table for two.',
      successCriteria: ['The agent books the table.'],
      simulator: { model: scriptedModel([...userReplies, last]) },
      judge: { model },
    })

    expect(result.outcome).toBe('passed')
    expect(result.shown.run).toMatchObject({ endReason: 'user_ended', turns: 2 })
    expect(result.heard).toEqual(['Book a table for two.', 'At seven, please.'])
    expect(model.requests).toHaveLength(1)
  })

  test('before minTurns it is asked again, and then the conversation is invalid: never sent, and not a fault of the agent', async () => {
    const result = await conversation(agentReplies, {
      goal: 'A table for two.',
      minTurns: 3,
      successCriteria: ['The agent books the table.'],
      simulator: { model: scriptedModel([...userReplies, '', '', '']) },
      judge: { model: judge() },
    })

    expect(result.outcome).toBe('invalid')
    expect(result.shown.fault?.message).toContain('the simulated user wrote no usable message in 3 tries')
    expect(result.shown.run.discarded).toHaveLength(3)
    expect(result.heard).toHaveLength(2)
  })

  test('a message that follows the empty one is sent', async () => {
    const result = await conversation(agentReplies, {
      goal: 'A table for two.',
      minTurns: 2,
      successCriteria: ['The agent books the table.'],
      simulator: { model: scriptedModel([userReplies[0] ?? '', '', userReplies[1] ?? '', '']) },
      judge: { model: judge() },
    })

    expect(result.heard).toEqual(['Book a table for two.', 'At seven, please.'])
    expect(result.shown.run.entries[2]?.guards).toMatchObject([{ guard: 'empty' }])
  })

  test('the transcript says that the user ended it', async () => {
    let text = ''
    await conversation(agentReplies, {
      goal: 'A table for two.',
      successCriteria: [{ check: (transcript) => (text = transcript.text), description: 'is looked at' }],
      simulator: { model: scriptedModel([...userReplies, '']) },
    })
    expect(text).toMatch(/agent: Done: table for two at seven\.\nuser: \[user ended the conversation\]$/)
  })
})

describe('K06 Judge stops too early or is never asked', () => {
  const criteria = ['The agent asks for the date.', 'The agent confirms the booking.']
  const options = (model: ReturnType<typeof judge>): PassConversationOptions => ({
    script: ['Book a table.', 'On Friday.', 'Thank you.'],
    successCriteria: criteria,
    judge: { model },
  })

  test('it is asked once, when the conversation is over', async () => {
    const model = judge()
    const result = await conversation(
      ['For which date?', 'One moment.', 'Your booking is confirmed.'],
      options(model),
    )

    expect(result.outcome).toBe('passed')
    expect(result.heard).toHaveLength(3)
    expect(model.requests).toHaveLength(1)
    expect(model.requests[0]?.messages[0]?.content).toContain('Your booking is confirmed.')
  })

  test('at maxTurns it is asked anyway, and each criterion has its own result', async () => {
    const model = judge({ c2: 'not_met' })
    const result = await conversation(['For which date?', 'One moment.'], { ...options(model), maxTurns: 2 })

    expect(result.outcome).toBe('failed')
    expect(result.shown.run).toMatchObject({ endReason: 'max_turns', turns: 2, maxTurns: 2 })
    expect(result.shown.judgement).toMatchObject({
      score: 0.5,
      criteria: [
        { text: criteria[0], verdict: 'met' },
        { text: criteria[1], verdict: 'not_met' },
      ],
    })
  })

  test('one that cannot decide makes it inconclusive, not a failure of the agent', async () => {
    const result = await conversation(
      ['For which date?', 'One moment.', 'Bye.'],
      options(judge({ c2: 'unknown' })),
    )
    expect(result.outcome).toBe('inconclusive')
  })
})

describe('K10 Runner timeout of five seconds hits first', () => {
  test('our own limit comes before that of the runner, with the conversation and how to fix it', async () => {
    configureA2A({ folder: false })
    const clock = manualClock()
    const deps = quietDeps({ clock })
    let tell: () => void = () => {}
    const asked = new Promise<void>((resolve) => (tell = resolve))
    await using demo = await startAgentFrom({
      respond: ({ text }) => text,
      fault: {
        reply(own, { body }) {
          if (!body.includes('slow')) return own
          tell()
          return { fail: 'hang' }
        },
      },
    })
    await using agent = createAgent(demo.url, {}, deps)
    const passing = passConversation(
      agent,
      { script: ['quick', 'slow'], successCriteria: [{ check: () => true, description: 'is fine' }] },
      { deps, signal: new AbortController().signal, deadline: clock.now() + 4500, limitMs: 5000 },
    )
    await asked
    await clock.advance(4500)
    const { shown, outcome, warnings } = await passing

    // Not even where all that was asked for was met before: an agent that owes an answer has not passed.
    expect(outcome).toBe('inconclusive')
    expect(shown.judgement?.score).toBe(1)
    expect(shown.run.entries.map(({ text, error }) => error?.code ?? text)).toEqual([
      'quick',
      'quick',
      'slow',
      'DEADLINE',
    ])
    expect(warnings).toEqual([
      'the deadline passed after 4500 ms of waiting for an answer in turn 2, so the conversation was cut short. ' +
        'Raise the test timeout, e.g. it(name, fn, 60_000), or deadlineMs if it is set.',
    ])
    expect(clock.pending).toBe(0)
  })
})
