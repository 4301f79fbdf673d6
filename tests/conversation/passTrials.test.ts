import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startHelpdesk } from '../../examples/agents/helpdesk.ts'
import type { PassConversationOptions } from '../../src/conversation/types.ts'
import { configureA2A } from '../../src/model/configuration.ts'
import { scriptedModel } from '../../src/model/scripted.ts'
import type { ModelRequest } from '../../src/model/types.ts'
import { resetConfiguration } from '../support/configuration.ts'
import { answering, openTestAgent, judge, pass, user } from './runs.ts'

beforeEach(() => configureA2A({ folder: false }))
afterEach(resetConfiguration)

const simulated = (): PassConversationOptions => ({
  goal: 'Get the duplicate charge refunded.',
  openingMessage: 'I was charged twice.',
  successCriteria: ['The agent says that the money comes back.'],
  simulator: { model: user() },
  judge: { model: judge() },
})

/** The simulator's model: a user who gives the order number once, and a second look. */
function played({ role, messages }: ModelRequest, { hindered }: { hindered: boolean }): object {
  if (role === 'check') {
    return hindered
      ? { why: 'It never gave the order number.', turn: 1, severity: 'hindered' }
      : { why: 'Nothing.', turn: null, severity: 'none' }
  }
  const isOver = messages.at(-1)?.content.includes('refunded') === true
  return isOver
    ? { thought: '', status: 'goal_reached', message: null }
    : { thought: '', status: 'continue', message: 'It is order #4411.' }
}

describe('the review of the simulated user', () => {
  const looked = (hindered: boolean, options: Partial<PassConversationOptions>) => {
    const model = scriptedModel((request) => played(request, { hindered }))
    return { model, options: { ...simulated(), simulator: { model }, maxInvalid: 0, ...options } }
  }

  test.each([
    [true, 'invalid'],
    [false, 'failed'],
  ])('runs when a conversation fails; hindered: %s', async (hindered, outcome) => {
    await using helpdesk = await openTestAgent(startHelpdesk())
    const { model, options } = looked(hindered, { judge: { model: judge({ c1: 'not_met' }) } })

    const result = await pass(helpdesk.agent, options)

    expect(result.outcome).toBe(outcome)
    expect(result.shown.judgement?.outcome).toBe('failed')
    expect(model.requests.filter(({ role }) => role === 'check')).toHaveLength(1)
    expect(result.shown.fault?.message).toBe(
      hindered
        ? 'the simulated user hindered the agent in turn 1: It never gave the order number'
        : undefined,
    )
  })

  test('is skipped when the conversation passes, or for a script', async () => {
    await using helpdesk = await openTestAgent(startHelpdesk())
    const { model, options } = looked(true, {})

    expect((await pass(helpdesk.agent, options)).outcome).toBe('passed')
    const scripted = { ...options, maxTurns: 1, judge: { model: judge({ c1: 'not_met' }) } }
    expect((await pass(helpdesk.agent, scripted)).outcome).toBe('failed')
    expect(model.requests.filter(({ role }) => role === 'check')).toEqual([])
  })

  test('is skipped if disabled', async () => {
    await using helpdesk = await openTestAgent(startHelpdesk())
    const { model, options } = looked(true, { judge: { model: judge({ c1: 'not_met' }) } })
    const result = await pass(helpdesk.agent, { ...options, simulator: { model, check: 'never' } })
    expect(result.outcome).toBe('failed')
  })
})

describe('several conversations', () => {
  const flaky = () => {
    let conversations = 0
    return answering(() => (++conversations % 3 === 0 ? 'No.' : 'Refunded.'))
  }
  const options: PassConversationOptions = {
    script: ['Refund me.'],
    successCriteria: [
      { check: (conversation) => conversation.lastAgentText === 'Refunded.', description: 'refunds' },
    ],
    trials: 5,
    passRate: 0.6,
  }

  test('stop when the result is certain, each in its own context', async () => {
    await using agent = await flaky()
    const before: number[] = []

    const result = await pass(agent.agent, { ...options, beforeTrial: (trial) => void before.push(trial) })

    expect(result).toMatchObject({ outcome: 'passed', statistics: { n: 4, passed: 3, failed: 1, needed: 3 } })
    expect(before).toEqual([1, 2, 3, 4])
    const contexts = result.trials.map(({ run }) => run.entries[1]?.contextId)
    expect(new Set(contexts).size).toBe(4)
    expect(result.shown.outcome).toBe('passed')
  })

  test('show the first that failed', async () => {
    await using agent = await flaky()

    const result = await pass(agent.agent, { ...options, trials: 3, passRate: 1 })

    expect(result.outcome).toBe('failed')
    expect(result.trials.indexOf(result.shown)).toBe(2)
  })

  test('warn about the pass rate when the runner retries', async () => {
    await using agent = await answering(() => 'Refunded.')

    const result = await pass(agent.agent, { ...options, trials: 3, passRate: 1 }, { retries: 2 })
    const alone = await pass(agent.agent, { ...options, trials: 1, passRate: 1 }, { retries: 2 })

    expect(result.warnings).toEqual([
      'the runner retries this test 2 times if it fails: an agent that does well in 60 % of its conversations passes 3 trials in 22 %, and with retries in 52 %; set retry to 0 if trials count.',
    ])
    expect(alone.warnings.join()).not.toContain('tries this test')
  })

  test('report usage for each and in total', async () => {
    await using agent = await answering(() => 'Refunded.')
    const usage = { inputTokens: 10, outputTokens: 1 }
    const counting = scriptedModel(
      async (request) => ({
        text: JSON.stringify(
          await judge()
            .generate(request)
            .then(({ json, text }) => json ?? JSON.parse(text)),
        ),
        usage,
      }),
      { id: 'counting' },
    )

    const result = await pass(agent.agent, {
      ...options,
      successCriteria: ['The agent refunds.'],
      judge: { model: counting },
      trials: 2,
      passRate: 1,
    })

    expect(result.usage.judge).toEqual({ inputTokens: 20, outputTokens: 2 })
    expect(result.trials.map(({ run }) => run.usage.judge)).toEqual([usage, usage])
  })
})
