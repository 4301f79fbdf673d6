import { beforeEach, describe, expect, test } from 'vitest'
import { openCalls, type OpenCallsOptions } from '../../src/model/calls.ts'
import { checkOptions } from '../../src/core/validate.ts'
import { configureA2A, modelOptions } from '../../src/model/configuration.ts'
import { scriptedModel } from '../../src/model/scripted.ts'
import type { BudgetOptions, ModelCalls, ModelRole, PriceFunction, Usage } from '../../src/model/types.ts'
import { resetConfiguration } from '../support/configuration.ts'
import { manualClock } from '../support/manualClock.ts'
import { request, thrown } from './request.ts'

beforeEach(resetConfiguration)

const place = { trial: 1, turn: 1, attempt: 1 }

function open(
  budget: BudgetOptions | undefined,
  usage: Usage | undefined,
  price?: PriceFunction,
  options: Partial<OpenCallsOptions> = {},
): ModelCalls {
  const model = scriptedModel(() => 'four', { id: 'm', ...(usage && { usage }) })
  return openCalls({
    simulator: { model },
    judge: { model },
    ...(budget && { budget }),
    ...(price && { price }),
    deps: { clock: manualClock(), env: {} },
    ...options,
  })
}

const ask = (calls: ModelCalls, role: ModelRole = 'simulator'): Promise<unknown> =>
  calls.ask(request({ role, system: 'x'.repeat(40), messages: [] }), place)

describe('usage', () => {
  test('is counted by role', async () => {
    const calls = open(undefined, { inputTokens: 3, outputTokens: 2 })
    for (const role of ['simulator', 'simulator', 'judge', 'check'] as const) await ask(calls, role)
    expect(calls.usage).toEqual({
      simulator: { inputTokens: 6, outputTokens: 4 },
      judge: { inputTokens: 3, outputTokens: 2 },
      check: { inputTokens: 3, outputTokens: 2 },
      unreported: 0,
    })
    expect(calls.replay).toEqual({ simulator: 0, judge: 0, check: 0, agent: 0, live: 4 })
    expect(calls.warnings).toEqual([])
  })

  test('that is not reported is not counted as 0', async () => {
    const calls = open(undefined, undefined)
    await ask(calls)
    await ask(calls, 'judge')
    expect(calls.usage).toEqual({ unreported: 2 })
    expect(calls.warnings).toEqual([])
  })

  test('has a price if `price` is set', async () => {
    const price: PriceFunction = ({ role, model, usage }) =>
      model === 'm' ? (role === 'judge' ? 0.01 : 0.001) * usage.inputTokens : undefined
    const calls = open(undefined, { inputTokens: 10, outputTokens: 1 }, price)
    await ask(calls)
    await ask(calls, 'judge')
    expect(calls.usage.usd).toBeCloseTo(0.11)
  })

  test('has no price if that of one call is unknown', async () => {
    let known = true
    const calls = open(undefined, { inputTokens: 10, outputTokens: 1 }, () => (known ? 1 : undefined))
    await ask(calls)
    expect(calls.usage.usd).toBe(1)
    known = false
    await ask(calls)
    known = true
    await ask(calls)
    expect(calls.usage).not.toHaveProperty('usd')
    expect(calls.warnings).toEqual([])
  })

  test('has no price if the usage is unknown', async () => {
    const calls = open(undefined, undefined, () => 1)
    await ask(calls)
    expect(calls.usage).toEqual({ unreported: 1 })
  })
})

describe('a budget of tokens', () => {
  test('stops the next call when it is used up', async () => {
    const calls = open({ tokens: 30 }, { inputTokens: 10, outputTokens: 2 })
    await ask(calls)
    await ask(calls)
    await ask(calls, 'judge')
    const error = await thrown(ask(calls, 'judge'))
    expect(error).toMatchObject({
      name: 'A2AModelError',
      code: 'BUDGET',
      message:
        'the budget is used up, so the judge was not called: 36 of 30 tokens (simulator 24, judge 12).',
      fix: 'Raise `budget.tokens`, or make the conversation shorter: fewer turns, trials or votes.',
    })
    expect(calls.replay.live).toBe(3)
  })

  test('is used up at exactly that number', async () => {
    const calls = open({ tokens: 12 }, { inputTokens: 10, outputTokens: 2 })
    await ask(calls)
    await expect(ask(calls)).rejects.toThrow('12 of 12 tokens (simulator 12)')
  })

  test('is estimated, with a warning, if the model does not report usage', async () => {
    const calls = open({ tokens: 11 }, undefined)
    await ask(calls)
    // 40 characters of the prompt and 2 of a missing schema, 4 of the answer.
    await expect(ask(calls)).rejects.toThrow('12 of 11 tokens (simulator 12 (estimated)).')
    expect(calls.warnings).toEqual([
      'the budget is only approximate: the model m does not report usage, so its tokens are estimated at 4 characters each.',
    ])
    expect(calls.usage).toEqual({ unreported: 1 })
  })

  test('comes from the configuration, and the call overrides it', async () => {
    configureA2A({ budget: { tokens: 5 } })
    const usage = { inputTokens: 10, outputTokens: 0 }
    const configured = open(undefined, usage)
    await ask(configured)
    await expect(ask(configured)).rejects.toThrow('10 of 5 tokens')
    const own = open({ tokens: 15 }, usage)
    await ask(own)
    await ask(own)
    await expect(ask(own)).rejects.toThrow('20 of 15 tokens')
  })
})

describe('a budget in dollars', () => {
  const usage = { inputTokens: 10, outputTokens: 2 }

  test('stops the next call when it is used up', async () => {
    const calls = open({ usd: 0.25 }, usage, ({ role }) => (role === 'judge' ? 0.2 : 0.0501))
    await ask(calls)
    await ask(calls, 'judge')
    await expect(ask(calls, 'judge')).rejects.toThrow(
      'the budget is used up, so the judge was not called: $0.25 of $0.25 (simulator $0.05, judge $0.20).',
    )
  })

  test('needs a price', () => {
    expect(() => open({ usd: 1 }, usage)).toThrow(
      expect.objectContaining({
        name: 'A2AUsageError',
        code: 'BAD_OPTIONS',
        message: 'a budget in US dollars (`budget.usd`) needs `price`.',
      }),
    )
    configureA2A({ price: () => 1 })
    expect(() => open({ usd: 1 }, usage)).not.toThrow()
  })

  test('warns that it cannot be enforced if a price is not known', async () => {
    const calls = open({ usd: 1 }, usage, () => undefined)
    await ask(calls)
    expect(calls.warnings).toEqual([
      'the budget in US dollars cannot be enforced: `price` returns nothing for the model m.',
    ])
  })

  test.each<[string, PriceFunction, string]>([
    [
      'not a number',
      () => Number.NaN,
      '`price` must return US dollars (a number of at least 0) or undefined; for the model m it returned NaN.',
    ],
    ['a negative number', () => -1, 'for the model m it returned -1.'],
    [
      'an error',
      () => {
        throw new Error('no table')
      },
      '`price` threw for the model m: Error: no table',
    ],
  ])('reports a wrong price: %s', async (_, price, message) => {
    const error = await thrown(ask(open(undefined, usage, price)))
    expect(error).toMatchObject({ name: 'A2AUsageError', code: 'BAD_OPTIONS' })
    expect(error['message']).toContain(message)
  })

  test.each<[object, string]>([
    [{ tokens: 0 }, 'converse(): `budget.tokens` must be a whole number of at least 1; received 0.'],
    [{ dollars: 1 }, 'converse(): there is no option `budget.dollars`.'],
  ])('reports what is wrong with %j', (budget, message) => {
    expect(() => checkOptions('converse', { budget }, modelOptions)).toThrow(message)
  })
})
