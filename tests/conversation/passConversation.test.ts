import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startAgentFrom } from '../../examples/agents/agentFrom.ts'
import { startHelpdesk } from '../../examples/agents/helpdesk.ts'
import type { PassConversationOptions } from '../../src/conversation/types.ts'
import { A2AConnectionError, A2AModelError } from '../../src/errors.ts'
import { configureA2A } from '../../src/model/configuration.ts'
import { scriptedModel } from '../../src/model/scripted.ts'
import type { ModelRequest } from '../../src/model/types.ts'
import { inTest, resetConfiguration } from '../support/configuration.ts'
import { manualClock } from '../support/manualClock.ts'
import { temporaryFolder } from '../support/temporaryFolder.ts'
import { answering, desk, judge, pass, quietDeps, user } from './talks.ts'

beforeEach(() => configureA2A({ folder: false }))
afterEach(resetConfiguration)

const simulated = (): PassConversationOptions => ({
  goal: 'Get the duplicate charge refunded.',
  openingMessage: 'I was charged twice.',
  successCriteria: ['The agent says that the money comes back.'],
  simulator: { model: user() },
  judge: { model: judge() },
})

describe('one talk', () => {
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

  test('that does not meet its criteria in code fails', async () => {
    await using echo = await answering(({ text }) => text)

    const result = await pass(echo.agent, {
      script: ['Refund me.'],
      successCriteria: [{ check: (talk) => /refunded/.test(talk.lastAgentText), says: 'refunds the charge' }],
    })

    expect(result.outcome).toBe('failed')
    expect(result.shown.fault).toBeUndefined()
  })

  test('simulated and judged: so many calls and no more', async () => {
    await using helpdesk = await desk(startHelpdesk())
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
    await using helpdesk = await desk(startHelpdesk())
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

describe('a missing model is told before the agent is called', () => {
  test.each<[string, Partial<PassConversationOptions>, string]>([
    ['simulator', { judge: { model: judge() } }, 'no model is given for the simulator'],
    ['judge', { simulator: { model: user() } }, 'no model is given for the judge'],
  ])('the %s', async (role, given, message) => {
    await using helpdesk = await desk(startHelpdesk())
    const { simulator: _, judge: __, ...options } = simulated()

    const error = await pass(helpdesk.agent, { ...options, ...given }).catch((thrown: unknown) => thrown)

    expect(error).toMatchObject({ name: 'A2AModelError', code: 'NO_MODEL' })
    expect((error as Error).message).toContain(message)
    expect((error as A2AModelError).mend).toContain(`A2A_${role.toUpperCase()}_MODEL`)
    expect(helpdesk.agent.exchanges).toEqual([])
  })

  test('a script that leaves no room for simulated turns needs no simulator', async () => {
    await using helpdesk = await desk(startHelpdesk())
    const { simulator: _, ...options } = simulated()

    const result = await pass(helpdesk.agent, { ...options, maxTurns: 1 })

    expect(result.outcome).toBe('passed')
  })
})

describe('a judge that gives no verdict', () => {
  const unavailable = new A2AModelError('MODEL_UNAVAILABLE', 'the judge answered HTTP 503, 5 tries', {
    mend: 'Try again later.',
  })
  const criteria = [
    { id: 'code', check: () => true, says: 'is fine' },
    { id: 'words', must: 'The agent refunds.' },
  ]

  test('leaves what code decided, and an error', async () => {
    await using helpdesk = await desk(startHelpdesk())

    const result = await pass(helpdesk.agent, {
      script: ['Hello'],
      successCriteria: criteria,
      judge: { model: scriptedModel([unavailable]) },
    })

    expect(result.outcome).toBe('error')
    expect(result.shown).toMatchObject({
      fault: { outcome: 'error', code: 'MODEL_UNAVAILABLE', mend: 'Try again later.' },
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
  ] as const)('is judged all the same: onAgentError %s', async (onAgentError, outcome) => {
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

  test('at once is not judged: there is nothing to judge', async () => {
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

  test('by being down is an error, and is not tried again', async () => {
    const gone = await answering(() => 'never')
    await gone.demo.close()

    const result = await pass(gone.agent, {
      script: ['Hello'],
      successCriteria: [{ check: () => true, says: 'is fine' }],
      trials: 3,
    })

    expect(result.outcome).toBe('error')
    expect(result.trials).toHaveLength(1)
    expect(result.shown.fault?.code).toBe('UNREACHABLE')
    await gone[Symbol.asyncDispose]()
  })
})

describe('time', () => {
  test('that is up before the judge decided: the talk, and what code decided', async () => {
    await using echo = await answering(({ text }) => text)
    const time = new AbortController()
    const late = scriptedModel(() => {
      time.abort(new A2AConnectionError('DEADLINE', 'time was up'))
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
          message: 'the talk was held, but time was up before it was judged',
          mend: 'Raise the test timeout, e.g. it(name, fn, 60_000), or deadlineMs where that is set.',
        },
        judgement: { criteria: [{ verdict: 'unknown' }] },
      },
    })
  })

  test('a quarter of it is kept for the judge, who then judges a part: not met is unknown', async () => {
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
    await using held = await desk(slow, {}, deps)
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

describe('a second look at the simulated user', () => {
  const looked = (hindered: boolean, options: Partial<PassConversationOptions>) => {
    const model = scriptedModel((request) => played(request, { hindered }))
    return { model, options: { ...simulated(), simulator: { model }, maxInvalid: 0, ...options } }
  }

  test.each([
    [true, 'invalid'],
    [false, 'failed'],
  ])('is taken where a talk fails; hindered: %s', async (hindered, outcome) => {
    await using helpdesk = await desk(startHelpdesk())
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

  test('is not taken where the talk passes, nor of a script', async () => {
    await using helpdesk = await desk(startHelpdesk())
    const { model, options } = looked(true, {})

    expect((await pass(helpdesk.agent, options)).outcome).toBe('passed')
    const scripted = { ...options, maxTurns: 1, judge: { model: judge({ c1: 'not_met' }) } }
    expect((await pass(helpdesk.agent, scripted)).outcome).toBe('failed')
    expect(model.requests.filter(({ role }) => role === 'check')).toEqual([])
  })

  test('is not taken where nobody wants it', async () => {
    await using helpdesk = await desk(startHelpdesk())
    const { model, options } = looked(true, { judge: { model: judge({ c1: 'not_met' }) } })
    const result = await pass(helpdesk.agent, { ...options, simulator: { model, check: 'never' } })
    expect(result.outcome).toBe('failed')
  })
})

describe('several talks', () => {
  const flaky = () => {
    let talks = 0
    return answering(() => (++talks % 3 === 0 ? 'No.' : 'Refunded.'))
  }
  const options: PassConversationOptions = {
    script: ['Refund me.'],
    successCriteria: [{ check: (talk) => talk.lastAgentText === 'Refunded.', says: 'refunds' }],
    trials: 5,
    passRate: 0.6,
  }

  test('stop when the result is certain, each in a context of its own', async () => {
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

  test('under a runner that tries again: what that makes of the pass rate', async () => {
    await using agent = await answering(() => 'Refunded.')

    const result = await pass(agent.agent, { ...options, trials: 3, passRate: 1 }, { retries: 2 })
    const alone = await pass(agent.agent, { ...options, trials: 1, passRate: 1 }, { retries: 2 })

    expect(result.warnings).toEqual([
      'the runner tries this test 2 times more when it fails: an agent that does well in 60 % of its talks passes 3 trials in 22 %, and with the tries in 52 %; set retry to 0 where trials count.',
    ])
    expect(alone.warnings.join()).not.toContain('tries this test')
  })

  test('usage is told for each and for all', async () => {
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

describe('files', () => {
  test('one a trial, named after test and trial, without secrets', async () => {
    const folder = join(temporaryFolder(), 'talks')
    configureA2A({ folder })
    inTest({ name: 'moves a booking', id: 'x' })
    await using echo = await desk(
      startAgentFrom({
        token: 'tok-secret-1',
        respond: ({ text }) => `${text} tok-secret-1`,
      }),
      { headers: { authorization: 'Bearer tok-secret-1' } },
    )

    const result = await pass(echo.agent, {
      script: ['My card is 4000-1234.'],
      successCriteria: [
        { check: (talk) => talk.agentText.includes('4000-1234'), says: 'repeats the number' },
      ],
      trials: 2,
      redact: (text) => text.replaceAll('4000-1234', '[card]'),
    })

    expect(result.outcome).toBe('passed')
    expect(readdirSync(folder).sort()).toEqual(['moves-a-booking.1.json', 'moves-a-booking.2.json'])
    const text = readFileSync(result.shown.file ?? '', 'utf8')
    expect(text).not.toContain('tok-secret-1')
    expect(text).not.toContain('4000-1234')
    expect(JSON.parse(text)).toMatchObject({
      schemaVersion: 1,
      trial: 2,
      outcome: 'passed',
      run: { name: 'moves a booking', entries: [{ text: 'My card is [card].' }, { from: 'agent' }] },
      judgement: { outcome: 'passed' },
    })
    expect(JSON.stringify(result)).not.toContain('4000-1234')
  })

  test('that cannot be written are a warning', async () => {
    const folder = join(temporaryFolder(), 'file')
    writeFileSync(folder, 'no folder')
    configureA2A({ folder })
    await using echo = await answering(({ text }) => text)

    const result = await pass(echo.agent, {
      script: ['Hello'],
      successCriteria: [{ check: () => true, says: 'is fine' }],
    })

    expect(result.outcome).toBe('passed')
    expect(result.warnings.join()).toMatch(/^the transcript was not written: /)
    expect(result.shown).not.toHaveProperty('file')
  })
})

describe('functions of the test', () => {
  test('a check that throws is named', async () => {
    await using echo = await answering(({ text }) => text)
    const options = {
      script: ['Hello'],
      successCriteria: [
        {
          id: 'ref',
          check: () => {
            throw new TypeError('no ref')
          },
          says: 'has a ref',
        },
      ],
    }

    await expect(pass(echo.agent, options)).rejects.toMatchObject({
      name: 'A2AUsageError',
      message: expect.stringContaining('the check of criterion "ref" threw TypeError: no ref'),
    })
  })

  test('what is given is left as it is', async () => {
    await using echo = await answering(({ text }) => text)
    const frozen = deepFreeze({
      script: ['Hello', [{ kind: 'data' as const, data: { a: [1] } }]],
      facts: { a: 1 },
      successCriteria: [{ check: () => true, says: 'is fine' }],
      judge: { model: judge() },
    })
    expect((await pass(echo.agent, frozen)).outcome).toBe('passed')
  })
})

function deepFreeze<T extends object>(value: T): T {
  for (const one of Object.values(value))
    if (typeof one === 'object' && one !== null && !('generate' in one)) deepFreeze(one)
  return Object.freeze(value)
}
