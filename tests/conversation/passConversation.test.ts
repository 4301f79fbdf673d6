import { configureA2A } from '../../src/model/configuration.ts'
import { describe, expect, test, beforeEach } from 'vitest'
import { startHelpdesk } from '../../examples/agents/helpdesk.ts'
import { desk, judge, pass, user } from './talks.ts'

beforeEach(() => configureA2A({ folder: false }))

describe('passConversation', () => {
  test('a script and criteria in code pass without any model', async () => {
    await using helpdesk = await desk(startHelpdesk())

    const result = await pass(helpdesk.agent, {
      script: ['I was charged twice.', 'It is order #4411.'],
      successCriteria: [{ check: (talk) => /refunded/.test(talk.lastAgentText), says: 'refunds the charge' }],
    })

    expect(result).toMatchObject({ outcome: 'passed', usage: { unreported: 0 }, replay: { live: 0 } })
    expect(result.shown.run).toMatchObject({
      endReason: 'script_end',
      turns: 2,
      maxTurns: 2,
      models: {},
      entries: [
        { turn: 1, from: 'user', text: 'I was charged twice.', by: 'script' },
        { turn: 1, from: 'agent', task: { nth: 1, state: 'input-required' } },
        { turn: 2, from: 'user', text: 'It is order #4411.', by: 'script' },
        { turn: 2, from: 'agent', task: { nth: 1, state: 'completed' } },
      ],
    })
    expect(result.shown.judgement).toMatchObject({ outcome: 'passed', votes: 0, score: 1 })
  })

  test('a simulated user and a judge: so many calls and no more', async () => {
    await using helpdesk = await desk(startHelpdesk())
    const simulator = user('It is order #4411.')
    const judging = judge()

    const result = await pass(helpdesk.agent, {
      goal: 'Get the duplicate charge refunded.',
      facts: { order: '#4411' },
      openingMessage: 'I was charged twice. Can one be refunded?',
      successCriteria: ['The agent says that the money comes back.'],
      simulator: { model: simulator },
      judge: { model: judging },
    })

    expect(result.outcome).toBe('passed')
    expect(result.shown.run).toMatchObject({ endReason: 'goal', turns: 2 })
    expect(simulator.requests).toHaveLength(2)
    expect(judging.requests).toHaveLength(1)
  })
})
