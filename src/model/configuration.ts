import type { Deps } from '../core/deps.ts'
import { A2AUsageError } from '../core/errors.ts'
import {
  checkArguments,
  checkOptions,
  countingNumber,
  either,
  filledText,
  flag,
  fn,
  oneOf,
  optionsOf,
  record,
  wholeNumber,
  type Kind,
  type OptionsSpec,
} from '../core/validate.ts'
import type {
  A2AConfiguration,
  CassetteMode,
  CassetteOptions,
  JudgeOptions,
  SimulatorOptions,
} from './types.ts'

/** The running test, as the runner's set-up reports it. */
export interface TestPlace {
  /** With the names of the suites around it. */
  name: string
  file?: string
  /** Distinguishes it from every other test, even one of the same name. Default: file and name. */
  id?: string
  /** Distinguishes this try from the next one, if the runner repeats a test. */
  run?: string
  /** How often the runner may repeat the test. */
  retries?: number
  /** When the runner ends it, in milliseconds since the epoch. */
  deadline?: number
  signal?: AbortSignal
}

const cassetteModes: readonly CassetteMode[] = ['off', 'record', 'replay', 'refresh-misses']
const cassetteMode = oneOf(...cassetteModes)

const model: Kind = {
  what: 'a model: the name of one, a function, a model of the AI SDK, or an object with id and generate()',
  accepts: (value) =>
    (typeof value === 'string' && value.trim() !== '') ||
    typeof value === 'function' ||
    (typeof value === 'object' && value !== null && ('generate' in value || 'doGenerate' in value)),
}
const temperature: Kind = {
  what: 'a number from 0 to 2',
  accepts: (value) => typeof value === 'number' && value >= 0 && value <= 2,
}
const amount: Kind = {
  what: 'a number above 0',
  accepts: (value) => typeof value === 'number' && value > 0,
}
const votes: Kind = {
  what: '"auto", 1, 3 or 5',
  accepts: (value) => value === 'auto' || value === 1 || value === 3 || value === 5,
}

const simulatorSpec: OptionsSpec = { model, temperature, check: oneOf('on-failure', 'always', 'never') }
const judgeSpec: OptionsSpec = { model, temperature, votes, counterfactual: flag }
const budgetSpec: OptionsSpec = { tokens: countingNumber, usd: amount }
const cassetteSpec: OptionsSpec = {
  mode: cassetteMode,
  folder: filledText,
  file: filledText,
  agent: flag,
  judge: oneOf('live'),
  redact: fn,
}

const cassette: Kind = either(cassetteMode, optionsOf(cassetteSpec))

/** The options about models, the same for a call and for `configureA2A`. */
export const modelOptions: Record<'simulator' | 'judge' | 'budget' | 'price' | 'cassette', Kind> = {
  simulator: optionsOf(simulatorSpec),
  judge: optionsOf(judgeSpec),
  budget: optionsOf(budgetSpec),
  price: fn,
  cassette,
}

const { cassette: cassettes, ...sharedOptions } = modelOptions
const configurationSpec: OptionsSpec = {
  ...sharedOptions,
  model,
  cassettes,
  concurrency: countingNumber,
  retries: wholeNumber,
  folder: {
    what: 'the path of a folder or false',
    accepts: (value) => value === false || filledText.accepts(value),
  },
}

interface Shared {
  options: A2AConfiguration
  place?: () => TestPlace | undefined
}

/** On the global object: the entries for `import` and `require` are two copies of this module. */
const key = Symbol.for('expect-a2a.configuration')

function shared(): Shared {
  const holder = globalThis as unknown as Record<symbol, Shared | undefined>
  return (holder[key] ??= { options: {} })
}

/**
 * Sets the models, limits and folders of conversation tests, in a set-up file: `configureA2A({ model: 'gpt-5-mini' })`. Further calls
 * add to what is set. Environment variables (`A2A_SIMULATOR_MODEL`, `A2A_JUDGE_MODEL`, `A2A_CASSETTES`) override it, and options of a
 * call override both.
 * Throws A2AUsageError `BAD_OPTIONS`.
 */
export function configureA2A(options: A2AConfiguration): void {
  checkArguments('configureA2A', [options], [{ name: 'options', kind: record }])
  checkOptions('configureA2A', options, configurationSpec)
  const { cassettes, ...rest } = options
  const state = shared()
  const { simulator, judge, budget } = state.options
  state.options = {
    ...state.options,
    ...given(rest),
    ...(options.simulator && { simulator: { ...simulator, ...given(options.simulator) } }),
    ...(options.judge && { judge: { ...judge, ...given(options.judge) } }),
    ...(options.budget && { budget: { ...budget, ...given(options.budget) } }),
    ...(cassettes !== undefined && {
      cassettes: { ...cassetteOptions(state.options.cassettes), ...given(cassetteOptions(cassettes)) },
    }),
  }
}

/** What is set, with the environment. Throws A2AUsageError `BAD_OPTIONS` if an environment variable is wrong. */
export function configuration(env: Deps['env'] = process.env): A2AConfiguration {
  const { options } = shared()
  const simulator = simulatorOptions(undefined, env)
  const judge = judgeOptions(undefined, env)
  const mode = environmentMode(env)
  const cassettes = { ...cassetteOptions(options.cassettes), ...(mode !== undefined && { mode }) }
  return { ...options, simulator, judge, cassettes }
}

/** The options of a simulator: those of a call, else of the environment, else of `configureA2A`. */
export function simulatorOptions(
  call: SimulatorOptions = {},
  env: Deps['env'] = process.env,
): SimulatorOptions {
  const { model, simulator } = shared().options
  return {
    ...(model && { model }),
    ...simulator,
    ...fromEnvironment(env['A2A_SIMULATOR_MODEL']),
    ...given(call),
  }
}

/** The options of a judge: those of a call, else of the environment, else of `configureA2A`. */
export function judgeOptions(call: JudgeOptions = {}, env: Deps['env'] = process.env): JudgeOptions {
  const { model, judge } = shared().options
  return { ...(model && { model }), ...judge, ...fromEnvironment(env['A2A_JUDGE_MODEL']), ...given(call) }
}

/** A mode alone stands for the options with that mode. */
export function cassetteOptions(value: CassetteMode | CassetteOptions = {}): CassetteOptions {
  return typeof value === 'string' ? { mode: value } : value
}

/** The running test; undefined without a set-up. */
export function testPlace(): TestPlace | undefined {
  return shared().place?.()
}

/** For set-ups: tells which test is running. */
export function provideTestPlace(place: () => TestPlace | undefined): void {
  shared().place = place
}

function environmentMode(env: Deps['env']): CassetteMode | undefined {
  const value = env['A2A_CASSETTES']?.trim() ?? ''
  if (value === '') return undefined
  if (cassetteMode.accepts(value)) return value as CassetteMode
  throw new A2AUsageError(
    'BAD_OPTIONS',
    `the environment variable A2A_CASSETTES must be ${cassetteMode.what}; received ${JSON.stringify(value)}.`,
  )
}

function fromEnvironment(value: string | undefined): { model?: string } {
  const name = value?.trim() ?? ''
  return name === '' ? {} : { model: name }
}

/** Without the options that are undefined: they are not set. */
function given<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T
}
