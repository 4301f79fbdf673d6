import { beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { openCalls } from '../../src/model/calls.ts'
import {
  configuration,
  configureA2A,
  judgeOptions,
  provideTestPlace,
  simulatorOptions,
  testPlace,
} from '../../src/model/configuration.ts'
import type { A2AConfiguration, ModelRole } from '../../src/model/types.ts'
import { resetConfiguration } from '../support/configuration.ts'

beforeEach(resetConfiguration)

const idOf = (
  role: ModelRole,
  options: Pick<Parameters<typeof openCalls>[0], 'simulator' | 'judge'> = {},
  env: Record<string, string> = {},
): Promise<string | undefined> => openCalls({ ...options, deps: { clock: systemClock, env } }).idOf(role)

describe('the model of a role is', () => {
  const env = { A2A_SIMULATOR_MODEL: 'from-env-s', A2A_JUDGE_MODEL: 'from-env-j' }
  const parts: A2AConfiguration = { simulator: { model: 'from-part-s' }, judge: { model: 'from-part-j' } }

  test('none if none is configured', async () => {
    expect(await Promise.all([idOf('simulator'), idOf('judge'), idOf('check')])).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('the one for all if nothing else is configured', async () => {
    configureA2A({ model: 'for-all' })
    expect(await Promise.all([idOf('simulator'), idOf('judge'), idOf('check')])).toEqual([
      'for-all',
      'for-all',
      'for-all',
    ])
  })

  test('the one of the part, which overrides the one for all', async () => {
    configureA2A({ model: 'for-all', ...parts })
    expect(await Promise.all([idOf('simulator'), idOf('judge')])).toEqual(['from-part-s', 'from-part-j'])
  })

  test('the one of the environment, which overrides those', async () => {
    configureA2A({ model: 'for-all', ...parts })
    expect(await Promise.all([idOf('simulator', {}, env), idOf('judge', {}, env)])).toEqual([
      'from-env-s',
      'from-env-j',
    ])
  })

  test('the one of the call, which overrides all of them', async () => {
    configureA2A({ model: 'for-all', ...parts })
    const call = { simulator: { model: 'call-s' }, judge: { model: 'call-j' } }
    expect(await Promise.all([idOf('simulator', call, env), idOf('judge', call, env)])).toEqual([
      'call-s',
      'call-j',
    ])
  })

  test('that of the simulator for its check', async () => {
    expect(await idOf('check', { simulator: { model: 's' }, judge: { model: 'j' } })).toBe('s')
  })

  test('not changed by an empty variable or an undefined option', async () => {
    configureA2A({ model: 'for-all' })
    const simulator = { model: undefined } as object
    expect(await idOf('simulator', { simulator }, { A2A_SIMULATOR_MODEL: ' ' })).toBe('for-all')
  })
})

describe('configureA2A', () => {
  test('adds to what was set, down to the parts', () => {
    configureA2A({
      model: 'a',
      judge: { votes: 3, temperature: 0.2 },
      budget: { tokens: 9 },
      cassettes: 'record',
    })
    configureA2A({ judge: { temperature: 0 }, concurrency: 2, cassettes: { folder: 'tapes' } })
    configureA2A({})
    expect(configuration({})).toEqual({
      model: 'a',
      simulator: { model: 'a' },
      judge: { model: 'a', votes: 3, temperature: 0 },
      budget: { tokens: 9 },
      concurrency: 2,
      cassettes: { mode: 'record', folder: 'tapes' },
    })
  })

  test('is shared with another copy of this package', async () => {
    configureA2A({ model: 'shared' })
    const copy = '../../src/model/configuration.ts?copy'
    const other = (await import(/* @vite-ignore */ copy)) as typeof import('../../src/model/configuration.ts')
    expect(other.configureA2A).not.toBe(configureA2A)
    expect(other.configuration({})).toMatchObject({ model: 'shared' })
  })

  test.each<[object, string]>([
    [{ modell: 'x' }, 'configureA2A(): there is no option `modell`. Did you mean `model`?'],
    [
      { model: '' },
      'configureA2A(): `model` must be a model: the name of one, a function, a model of the AI SDK, or an object with id and generate(); received "".',
    ],
    [{ judge: { votes: 2 } }, 'configureA2A(): `judge.votes` must be "auto", 1, 3 or 5; received 2.'],
    [
      { judge: { model: 5 } },
      'configureA2A(): `judge.model` must be a model: the name of one, a function, a model of the AI SDK, or an object with id and generate(); received 5.',
    ],
    [
      { simulator: { check: 'sometimes' } },
      'configureA2A(): `simulator.check` must be "on-failure", "always" or "never"; received "sometimes".',
    ],
    [
      { simulator: { temperature: 3 } },
      'configureA2A(): `simulator.temperature` must be a number from 0 to 2; received 3.',
    ],
    [
      { budget: { token: 5 } },
      'configureA2A(): there is no option `budget.token`. Did you mean `budget.tokens`?',
    ],
    [{ budget: { usd: 0 } }, 'configureA2A(): `budget.usd` must be a number above 0; received 0.'],
    [
      { cassettes: 'auto' },
      'configureA2A(): `cassettes` must be "off", "record", "replay" or "refresh-misses" or an object; received "auto".',
    ],
    [
      { cassettes: { mode: 'auto' } },
      'configureA2A(): `cassettes.mode` must be "off", "record", "replay" or "refresh-misses"; received "auto".',
    ],
    [{ concurrency: 0 }, 'configureA2A(): `concurrency` must be a whole number of at least 1; received 0.'],
    [{ folder: true }, 'configureA2A(): `folder` must be the path of a folder or false; received true.'],
  ])('reports what is wrong with %j', (options, message) => {
    expect(() => configureA2A(options)).toThrow(message)
    expect(() => configureA2A(options)).toThrow(expect.objectContaining({ code: 'BAD_OPTIONS' }))
    expect(configuration({})).toEqual({ simulator: {}, judge: {}, cassettes: {} })
  })

  test('needs its options', () => {
    expect(() => configureA2A(undefined as never)).toThrow(
      'configureA2A(): `options` must be an object; received undefined.',
    )
  })
})

describe('the parts', () => {
  test('have the options of the call before those of the set-up', () => {
    configureA2A({ simulator: { model: 'm', temperature: 1, check: 'never' }, judge: { votes: 5 } })
    expect(simulatorOptions({ temperature: 0.5 }, {})).toEqual({
      model: 'm',
      temperature: 0.5,
      check: 'never',
    })
    expect(judgeOptions({ votes: 1 }, { A2A_JUDGE_MODEL: 'j' })).toEqual({ model: 'j', votes: 1 })
  })

  test('have the cassette mode of the environment before that of the set-up', () => {
    configureA2A({ cassettes: { mode: 'off', folder: 'tapes' } })
    expect(configuration({ A2A_CASSETTES: 'record' }).cassettes).toEqual({ mode: 'record', folder: 'tapes' })
  })

  test('report an unknown cassette mode in the environment', () => {
    expect(() => configuration({ A2A_CASSETTES: 'auto' })).toThrow(
      'the environment variable A2A_CASSETTES must be "off", "record", "replay" or "refresh-misses"; received "auto".',
    )
  })
})

test('the running test comes from the set-up', () => {
  expect(testPlace()).toBeUndefined()
  provideTestPlace(() => ({ name: 'suite > works', file: 'a.test.ts' }))
  expect(testPlace()).toEqual({ name: 'suite > works', file: 'a.test.ts' })
})
