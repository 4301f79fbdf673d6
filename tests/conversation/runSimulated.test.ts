import { describe, expect, test } from 'vitest'
import { startHelpdesk } from '../../examples/agents/helpdesk.ts'
import type { RunTools } from '../../src/conversation/runConversation.ts'
import { A2AModelError } from '../../src/core/errors.ts'
import { answering, openTestAgent, fakeCalls, user, converseWith, spoken } from './runs.ts'

describe('a simulated user', () => {
  const simulating = (model: ReturnType<typeof user>): Partial<RunTools> => ({
    calls: fakeCalls({ simulator: model }),
  })

  test('n turns that end by the goal take n calls with an opening', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)
    const model = user('two', 'three')

    const run = await converseWith(echo.agent, { goal: 'g', openingMessage: 'one' }, simulating(model))

    expect(run).toMatchObject({ endReason: 'goal', turns: 3, models: { simulator: 'user-model' } })
    expect(run.entries.filter(({ from }) => from === 'user').map(({ by }) => by)).toEqual([
      'opening',
      'simulator',
      'simulator',
    ])
    expect(model.requests).toHaveLength(3)
  })

  test('n turns that end by maxTurns take n - 1 calls with an opening, n without', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)
    const opened = user('two', 'three', 'four')
    const free = user('one', 'two', 'three', 'four')

    const run = await converseWith(
      echo.agent,
      { goal: 'g', openingMessage: 'one', maxTurns: 3 },
      simulating(opened),
    )
    await converseWith(echo.agent, { goal: 'g', maxTurns: 3 }, simulating(free))

    expect(run).toMatchObject({ endReason: 'max_turns', turns: 3 })
    expect(opened.requests).toHaveLength(2)
    expect(free.requests).toHaveLength(3)
  })

  test('fixed and simulated turns mixed: that number of simulated turns, then the script continues', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)
    const model = user('two', 'three')

    const run = await converseWith(
      echo.agent,
      { goal: 'g', script: ['one', { simulate: 2 }, 'four'] },
      simulating(model),
    )

    expect(spoken(run).filter((line) => line.includes('user'))).toEqual([
      '1 user: one',
      '2 user: two',
      '3 user: three',
      '4 user: four',
    ])
    expect(run.endReason).toBe('script_end')
    expect(model.requests).toHaveLength(2)
  })

  test('a user who finishes early leaves the rest to the script', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)

    const run = await converseWith(
      echo.agent,
      { goal: 'g', script: ['one', { simulate: 5 }, 'last'] },
      simulating(user('two')),
    )

    expect(run).toMatchObject({ turns: 3, endReason: 'script_end' })
  })

  test('a script function that returns nothing hands over to the simulated user', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)

    const run = await converseWith(
      echo.agent,
      { goal: 'g', script: ['one', () => undefined, 'never'] },
      simulating(user('two')),
    )

    expect(spoken(run)).toContain('2 user: two')
    expect(run).toMatchObject({ turns: 2, endReason: 'goal' })
  })

  test('before minTurns it cannot end the conversation', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)
    const model = user({ status: 'goal_reached' }, 'two')

    const run = await converseWith(
      echo.agent,
      { goal: 'g', openingMessage: 'one', minTurns: 2 },
      simulating(model),
    )

    expect(run).toMatchObject({ turns: 2, endReason: 'goal' })
    expect(run.entries[2]?.guards).toMatchObject([{ guard: 'ended-early' }])
  })

  test.each([
    ['gave_up', 'gave_up'],
    ['cannot_answer', 'cannot_answer'],
  ])('%s ends it as such', async (status, endReason) => {
    await using echo = await answering(({ text }) => `You said ${text}`)
    const run = await converseWith(
      echo.agent,
      { goal: 'g', openingMessage: 'one' },
      simulating(user({ status })),
    )
    expect(run.endReason).toBe(endReason)
  })

  test('a broken simulator makes the conversation invalid, and its output is kept separately', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)
    const broken = 'How can I help you today?'

    const run = await converseWith(
      echo.agent,
      { goal: 'g', openingMessage: 'one' },
      simulating(user(broken, broken, broken)),
    )

    expect(run).toMatchObject({
      endReason: 'invalid',
      turns: 1,
      fault: { outcome: 'invalid', code: 'INVALID' },
      discarded: [{ message: broken }, { message: broken }, { message: broken }],
    })
    expect(echo.sent()).toHaveLength(1)
  })

  test('a loop: both repeat themselves', async () => {
    await using mute = await answering(() => 'Please wait.')

    const run = await converseWith(
      mute.agent,
      { goal: 'g', openingMessage: 'Ok!' },
      simulating(user('ok', 'ok', 'never', 'never more')),
    )

    expect(run).toMatchObject({ endReason: 'loop', turns: 2 })
  })

  test('a model that fails midway: returns the conversation so far, with the fault', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)
    const down = new A2AModelError('MODEL_UNAVAILABLE', 'HTTP 503', { fix: 'Try later.' })

    const run = await converseWith(echo.agent, { goal: 'g', openingMessage: 'one' }, simulating(user(down)))

    expect(run).toMatchObject({
      endReason: 'model_error',
      turns: 1,
      fault: { outcome: 'error', code: 'MODEL_UNAVAILABLE', message: 'HTTP 503', fix: 'Try later.' },
    })
    expect(spoken(run)).toHaveLength(2)
  })

  test('an exhausted budget is not a fault once the agent has answered', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)
    const spent = new A2AModelError('BUDGET', 'the budget is used up')

    const run = await converseWith(echo.agent, { goal: 'g', openingMessage: 'one' }, simulating(user(spent)))
    const nothing = await converseWith(echo.agent, { goal: 'g' }, simulating(user(spent)))

    expect(run).toMatchObject({ endReason: 'budget', turns: 1 })
    expect(run.fault).toBeUndefined()
    expect(run.warnings).toEqual(['the conversation was cut short: the budget is used up'])
    expect(nothing).toMatchObject({ endReason: 'budget', turns: 0, fault: { code: 'BUDGET' } })
  })

  test('never sees a criterion in any request', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)
    const model = user('two')

    await converseWith(
      echo.agent,
      { goal: 'g', openingMessage: 'one' },
      { ...simulating(model), criteria: ['CANARY waives the fee'] },
    )

    expect(JSON.stringify(model.requests.map(({ system, messages }) => [system, messages]))).not.toContain(
      'CANARY',
    )
  })
})

describe('recordings', () => {
  test('wrap the agent, as plain data', async () => {
    await using helpdesk = await openTestAgent(startHelpdesk())
    const kept: unknown[] = []
    const recording = fakeCalls({})
    recording.agentAnswer = async (place, message, live) => {
      const heard = await live()
      kept.push({ place, message, heard: JSON.parse(JSON.stringify(heard)) })
      return heard
    }
    const script = ['I was charged twice.', 'Order 4411']
    const first = await converseWith(helpdesk.agent, { script }, { calls: recording })

    const playing = fakeCalls({})
    playing.agentAnswer = async () => (kept.shift() as { heard: never }).heard
    await helpdesk.demo.close()
    const second = await converseWith(helpdesk.agent, { script }, { calls: playing })

    expect(spoken(second)).toEqual(spoken(first))
    expect(second.entries.map(({ task, contextId }) => [task, contextId])).toEqual(
      first.entries.map(({ task, contextId }) => [task, contextId]),
    )
    expect(second.fault).toBeUndefined()
  })
})
