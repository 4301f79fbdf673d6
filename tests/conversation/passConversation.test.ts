import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startAgentFrom } from '../../examples/agents/agentFrom.ts'
import { startHelpdesk } from '../../examples/agents/helpdesk.ts'
import type { PassConversationOptions } from '../../src/conversation/types.ts'
import { A2AConnectionError, A2AModelError } from '../../src/core/errors.ts'
import { configureA2A } from '../../src/model/configuration.ts'
import { scriptedModel } from '../../src/model/scripted.ts'
import type { ModelRequest } from '../../src/model/types.ts'
import { resetConfiguration } from '../support/configuration.ts'
import { manualClock } from '../support/manualClock.ts'
import { answering, openTestAgent, judge, pass, quietDeps, user } from './runs.ts'

beforeEach(() => configureA2A({ folder: false }))
afterEach(resetConfiguration)

const simulated = (): PassConversationOptions => ({
  goal: 'Get the duplicate charge refunded.',
  openingMessage: 'I was charged twice.',
  successCriteria: ['The agent says that the money comes back.'],
  simulator: { model: user() },
  judge: { model: judge() },
})

describe('one conversation', () => {
  test('a script and criteria in code pass without any model', async () => {
    await using helpdesk = await openTestAgent(startHelpdesk())

    const result = await pass(helpdesk.agent, {
      script: ['I was charged twice.', 'It is order #4411.'],
      successCriteria: [
        {
          check: (conversation) => /refunded/.test(conversation.lastAgentText),
          description: 'refunds the charge',
        },
      ],
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

  test('that does not meet its criteria in code fails', async () => {
    await using echo = await answering(({ text }) => text)

    const result = await pass(echo.agent, {
      script: ['Refund me.'],
      successCriteria: [
        {
          check: (conversation) => /refunded/.test(conversation.lastAgentText),
          description: 'refunds the charge',
        },
      ],
    })

    expect(result.outcome).toBe('failed')
    expect(result.shown.fault).toBeUndefined()
  })

  test('simulated and judged, with the expected number of calls', async () => {
    await using helpdesk = await openTestAgent(startHelpdesk())
    const simulator = user('It is order #4411.')
    const judging = judge()

    const result = await pass(helpdesk.agent, {
      ...simulated(),
      facts: { order: '#4411' },
      simulator: { model: simulator },
      judge: { model: judging },
    })

    expect(result).toMatchObject({ outcome: 'passed', replay: { live: 3 }, usage: { unreported: 3 } })
    expect(result.shown.run).toMatchObject({
      endReason: 'goal',
      turns: 2,
      models: { simulator: 'user-model', judge: 'judge-model' },
      promptVersions: {
        simulator: expect.stringMatching(/^user\//),
        judge: expect.stringMatching(/^judge\//),
      },
      replay: { live: 3 },
    })
    expect(simulator.requests).toHaveLength(2)
    expect(judging.requests).toHaveLength(1)
  })

  test('criteria reach the judge only', async () => {
    await using helpdesk = await openTestAgent(startHelpdesk())
    const model = scriptedModel((request) => played(request, { hindered: false }))

    await pass(helpdesk.agent, {
      ...simulated(),
      successCriteria: [{ id: 'CANARY-ID', must: 'CANARY-TEXT' }],
      simulator: { model, check: 'always' },
      judge: { model: judge({ c1: 'not_met' }) },
    })

    const roles = model.requests.map(({ role }) => role)
    expect(roles).toContain('check')
    expect(roles).toContain('simulator')
    expect(JSON.stringify(model.requests)).not.toContain('CANARY')
  })
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

describe('a missing model is reported before the agent is called', () => {
  test.each<[string, Partial<PassConversationOptions>, string]>([
    ['simulator', { judge: { model: judge() } }, 'no model is configured for the simulator'],
    ['judge', { simulator: { model: user() } }, 'no model is configured for the judge'],
  ])('the %s', async (role, given, message) => {
    await using helpdesk = await openTestAgent(startHelpdesk())
    const { simulator: _, judge: __, ...options } = simulated()

    const error = await pass(helpdesk.agent, { ...options, ...given }).catch((thrown: unknown) => thrown)

    expect(error).toMatchObject({ name: 'A2AModelError', code: 'NO_MODEL' })
    expect((error as Error).message).toContain(message)
    expect((error as A2AModelError).fix).toContain(`A2A_${role.toUpperCase()}_MODEL`)
    expect(helpdesk.agent.exchanges).toEqual([])
  })

  test('a script that leaves no room for simulated turns needs no simulator', async () => {
    await using helpdesk = await openTestAgent(startHelpdesk())
    const { simulator: _, ...options } = simulated()

    const result = await pass(helpdesk.agent, { ...options, maxTurns: 1 })

    expect(result.outcome).toBe('passed')
  })
})

describe('a judge without a verdict', () => {
  const unavailable = new A2AModelError('MODEL_UNAVAILABLE', 'the judge answered HTTP 503, 5 tries', {
    fix: 'Try again later.',
  })
  const criteria = [
    { id: 'code', check: () => true, description: 'is fine' },
    { id: 'words', must: 'The agent refunds.' },
  ]

  test('keeps what code decided, with an error', async () => {
    await using helpdesk = await openTestAgent(startHelpdesk())

    const result = await pass(helpdesk.agent, {
      script: ['Hello'],
      successCriteria: criteria,
      judge: { model: scriptedModel([unavailable]) },
    })

    expect(result.outcome).toBe('error')
    expect(result.shown).toMatchObject({
      fault: { outcome: 'error', code: 'MODEL_UNAVAILABLE', fix: 'Try again later.' },
      judgement: {
        criteria: [
          { id: 'code', verdict: 'met' },
          { id: 'words', verdict: 'unknown', reason: 'not judged: the judge gave no verdict' },
        ],
      },
      run: { turns: 1 },
    })
    expect(result.trials).toHaveLength(1)
  })

  test('does not hide that the agent failed', async () => {
    await using bad = await answering(({ text }) =>
      text === 'Hello' ? 'Hi.' : [{ state: 'failed', text: 'The database is gone.' }],
    )

    const result = await pass(bad.agent, {
      script: ['Hello', 'Refund me.'],
      successCriteria: criteria,
      judge: { model: scriptedModel([unavailable]) },
    })

    expect(result.outcome).toBe('failed')
    expect(result.shown.fault?.code).toBe('TASK_FAILED')
  })
})

describe('an agent that fails', () => {
  test.each([
    ['fail', 'failed'],
    ['error', 'error'],
  ] as const)('is judged anyway: onAgentError %s', async (onAgentError, outcome) => {
    await using bad = await answering(({ text }) =>
      text === 'Hello' ? 'Hi.' : [{ state: 'failed', text: 'No.' }],
    )
    const model = judge()

    const result = await pass(bad.agent, {
      script: ['Hello', 'Refund me.'],
      successCriteria: ['The agent greets.'],
      judge: { model },
      onAgentError,
      maxInvalid: 0,
    })

    expect(result.outcome).toBe(outcome)
    expect(result.shown.judgement).toMatchObject({ criteria: [{ verdict: 'met' }] })
    expect(model.requests).toHaveLength(1)
  })

  test('at once is not judged', async () => {
    await using bad = await answering(() => 'never', {
      fault: { reply: (own, { method }) => (method === 'POST' ? { status: 500, text: 'oops' } : own) },
    })
    const model = judge()

    const result = await pass(bad.agent, {
      script: ['Hello'],
      successCriteria: ['The agent greets.'],
      judge: { model },
    })

    expect(result).toMatchObject({
      outcome: 'failed',
      shown: {
        fault: { outcome: 'failed', unanswered: true },
        judgement: { criteria: [{ verdict: 'unknown' }] },
      },
    })
    expect(model.requests).toHaveLength(0)
  })

  test('because it is down is an error, and is not retried', async () => {
    const gone = await answering(() => 'never')
    await gone.demo.close()

    const result = await pass(gone.agent, {
      script: ['Hello'],
      successCriteria: [{ check: () => true, description: 'is fine' }],
      trials: 3,
    })

    expect(result.outcome).toBe('error')
    expect(result.trials).toHaveLength(1)
    expect(result.shown.fault?.code).toBe('UNREACHABLE')
    await gone[Symbol.asyncDispose]()
  })
})

describe('the deadline', () => {
  test('before the judge decided: returns the conversation, and what code decided', async () => {
    await using echo = await answering(({ text }) => text)
    const time = new AbortController()
    const late = scriptedModel(() => {
      time.abort(new A2AConnectionError('DEADLINE', 'the deadline passed'))
      return new Promise<string>(() => {})
    })

    const result = await pass(
      echo.agent,
      { script: ['Hello'], successCriteria: ['The agent greets.'], judge: { model: late } },
      { signal: time.signal },
    )

    expect(result).toMatchObject({
      outcome: 'error',
      shown: {
        run: { endReason: 'script_end', turns: 1 },
        fault: {
          code: 'DEADLINE',
          message: 'the conversation finished, but the deadline passed before it was judged',
          fix: 'Raise the test timeout, e.g. it(name, fn, 60_000), or deadlineMs if it is set.',
        },
        judgement: { criteria: [{ verdict: 'unknown' }] },
      },
    })
  })

  test('reserves a quarter of the time for the judge, and not met becomes unknown', async () => {
    const clock = manualClock()
    let tell: () => void = () => {}
    const asked = new Promise<void>((resolve) => (tell = resolve))
    const slow = startAgentFrom({
      respond: ({ text }) => text,
      fault: {
        reply(own, { body }) {
          if (!body.includes('second')) return own
          tell()
          return { fail: 'hang' }
        },
      },
    })
    const deps = quietDeps({ clock })
    await using held = await openTestAgent(slow, {}, deps)
    const model = judge({ c1: 'not_met' })

    const passing = pass(
      held.agent,
      { script: ['first', 'second'], successCriteria: ['The agent refunds.'], judge: { model } },
      { deps, deadline: clock.now() + 4000 },
    )
    await asked
    await clock.advance(3000)
    const result = await passing

    expect(result.outcome).toBe('inconclusive')
    expect(result.shown.run).toMatchObject({ endReason: 'deadline', turns: 2, ms: 3000 })
    expect(result.shown.judgement).toMatchObject({ criteria: [{ verdict: 'unknown' }] })
    expect(model.requests).toHaveLength(1)
    expect(result.warnings.join()).toContain('Raise the test timeout')
  })
})
