import { orAborted } from '../core/abort.ts'
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Deps } from '../core/deps.ts'
import { A2AModelError, isA2AError } from '../core/errors.ts'
import { createBudget } from './budget.ts'
import { Cassette } from './cassette/cassette.ts'
import { claimFile } from './cassette/file.ts'
import { askedOf, saidToAgent, mapTexts, withoutNonce, type Recording } from './cassette/recording.ts'
import { modelOf } from './choose.ts'
import {
  cassetteOptions,
  checkModelOptions,
  configuration,
  judgeOptions,
  simulatorOptions,
  testPlace,
} from './configuration.ts'
import { createLimiter, type Limiter } from './limiter.ts'
import { roleNames, withRetries } from './retry.ts'
import type {
  BudgetOptions,
  CallPlace,
  CassetteMode,
  CassetteOptions,
  JudgeOptions,
  Model,
  ModelAnswer,
  ModelCalls,
  ModelChoice,
  ModelRequest,
  ModelRole,
  PriceFunction,
  ReplayCount,
  SimulatorOptions,
} from './types.ts'

/** What the models of one test are opened with: the options of a call. */
export interface OpenCallsOptions {
  simulator?: SimulatorOptions
  judge?: JudgeOptions
  cassette?: CassetteMode | CassetteOptions
  budget?: BudgetOptions
  price?: PriceFunction
  /** Default: the name of the running test. */
  name?: string
  redact?: (text: string) => string
  secrets?: () => readonly string[]
  deps: Pick<Deps, 'clock' | 'env'>
  /** For jitter, from 0 to 1. Default: chance. */
  random?: () => number
  /** Where workers agree on their limits. Default: in the temporary folder of the system. */
  lockFolder?: string
}

const chance = (): number => randomInt(2 ** 32) / 2 ** 32
const defaultConcurrency = 4
const defaultRetries = 4
const defaultFolder = 'a2a-cassettes'

/** The kinds of models: whoever checks the simulated user is the simulator's model. */
type Part = 'simulator' | 'judge'
const partOf = (role: ModelRole): Part => (role === 'judge' ? 'judge' : 'simulator')

/**
 * Opens the models of one test: each call within the budget, from the cassette or limited and tried again. Options of the call weigh most,
 * then the environment, then `configureA2A`. Nothing is loaded or sent before something is asked.
 * Throws A2AUsageError `BAD_OPTIONS`; `ask` throws what ModelCalls says.
 */
export function openCalls(options: OpenCallsOptions): ModelCalls {
  checkModelOptions(options)
  const { clock, env } = options.deps
  const random = options.random ?? chance
  const config = configuration(env)
  const budget = createBudget({ ...config.budget, ...options.budget }, options.price ?? config.price)
  const choices: Record<Part, ModelChoice | undefined> = {
    simulator: simulatorOptions(options.simulator, env).model,
    judge: judgeOptions(options.judge, env).model,
  }
  const cassette = cassetteOf(options)
  const models = new Map<Part, Model>()
  const limiters = new Map<string, Limiter>()
  const unanswered: string[] = []
  const replay: ReplayCount = { simulator: 0, judge: 0, check: 0, agent: 0, live: 0 }

  function modelFor(role: ModelRole): Model {
    const part = partOf(role)
    const choice = choices[part]
    if (choice === undefined) throw noModel(role)
    const model = models.get(part) ?? modelOf(choice, env)
    models.set(part, model)
    return model
  }

  /** Undefined where no model is given. A name alone needs no key and no package, as long as the cassette answers. */
  function idOf(role: ModelRole): string | undefined {
    const choice = choices[partOf(role)]
    if (choice === undefined) return undefined
    return typeof choice === 'string' ? choice : modelFor(role).id
  }

  function tapeFor(role: ModelRole): Cassette | undefined {
    if (!cassette.on?.covers(role)) return undefined
    const choice = choices[partOf(role)]
    const scripted = choice !== undefined && typeof choice !== 'string' && modelFor(role).scripted === true
    return scripted && !cassette.byCall ? undefined : cassette.on
  }

  function limiterFor(model: Model): Limiter | undefined {
    if (model.scripted === true) return undefined
    const provider = model.provider ?? model.id
    const limiter =
      limiters.get(provider) ??
      createLimiter({
        provider,
        concurrency: config.concurrency ?? defaultConcurrency,
        clock,
        random,
        folder: options.lockFolder,
      })
    limiters.set(provider, limiter)
    return limiter
  }

  async function askLive(request: ModelRequest): Promise<ModelAnswer> {
    const { role, signal } = request
    const model = modelFor(role)
    budget.check(role)
    const generate = async (): Promise<ModelAnswer> => model.generate(request)
    const limiter = limiterFor(model)
    const began = clock.now()
    let refusal: string | undefined
    const answer = await withRetries(
      () => (limiter === undefined ? orAborted(generate(), signal) : limiter.run(generate, signal)),
      {
        role,
        model: model.id,
        retries: config.retries ?? defaultRetries,
        clock,
        random,
        signal,
        onRetry: (why) => (refusal = why),
      },
    ).catch((error: unknown) => {
      if (isLate(signal)) {
        const why = refusal ?? `the model ${model.id} said nothing.`
        unanswered.push(
          `the ${roleNames[role]} gave no answer in ${Math.round(clock.now() - began)} ms: ${why}`,
        )
      }
      throw error
    })
    replay.live++
    budget.count(model.id, request, answer)
    return answer
  }

  return {
    async idOf(role) {
      try {
        return idOf(role) ?? (await tapeFor(role)?.modelOf(role))
      } catch (error) {
        if (isA2AError(error) && error.name === 'A2AUsageError') throw error
        // A cassette that cannot be read: the first call reports it.
        return undefined
      }
    },
    async ask(request, place) {
      request.signal.throwIfAborted()
      const { role } = request
      const tape = tapeFor(role)
      if (tape === undefined) return askLive(request)
      const call = callOf(role, idOf(role), place, askedOf(request, tape.clean))
      const played = await tape.play(call)
      if (played !== undefined && 'text' in played) {
        replay[role]++
        return played
      }
      const answer = await askLive(request)
      tape.keep({ ...call, answer: mapTexts(answer, (text) => withoutNonce(text, request.nonce)) })
      return answer
    },
    async hear<T>(place: CallPlace, message: unknown, live: () => Promise<T>): Promise<T> {
      const tape = cassette.on?.covers('agent') ? cassette.on : undefined
      if (tape === undefined) return live()
      const call = callOf('agent', undefined, place, saidToAgent(message, tape.clean))
      const played = await tape.play(call)
      if (played !== undefined && 'heard' in played) {
        replay.agent++
        return played.heard as T
      }
      const heard = await live()
      tape.keep({ ...call, answer: { heard } })
      return heard
    },
    get usage() {
      return budget.usage
    },
    replay,
    get warnings() {
      const replayed =
        replay.agent === 0
          ? []
          : [
              `the agent was not asked: ${replay.agent} of its answers ${replay.agent === 1 ? 'comes' : 'come'} from ${cassette.path}.`,
            ]
      return [
        ...new Set([
          ...replayed,
          ...(cassette.on?.warnings ?? []),
          ...budget.warnings,
          ...unanswered,
          ...[...limiters.values()].flatMap((limiter) => limiter.warnings),
        ]),
      ]
    },
    async close(outcome) {
      await cassette.on?.close(outcome)
    },
  }
}

/** The cassette of a call, and whether the call itself names it. Throws A2AUsageError `BAD_OPTIONS`. */
function cassetteOf(options: OpenCallsOptions): { on?: Cassette; path?: string; byCall: boolean } {
  const { env } = options.deps
  const byCall = options.cassette !== undefined
  const call = cassetteOptions(options.cassette)
  const merged: CassetteOptions = { ...cassetteOptions(configuration(env).cassettes), ...call }
  const { folder = defaultFolder, file, mode = modeHere(env, folder, file) } = merged
  if (mode === 'off') return { byCall }
  const claimed = claimFile({ folder, file, name: options.name, writes: mode !== 'replay' }, testPlace())
  const key = env['OPENAI_API_KEY'] ?? ''
  const secrets = (): string[] => [...(options.secrets?.() ?? []), ...(key === '' ? [] : [key])]
  const on = new Cassette({
    mode,
    byCall: call.mode !== undefined,
    options: merged,
    file: claimed,
    secrets,
    redact: options.redact,
  })
  return { on, path: claimed.path, byCall }
}

/** Whether time was up; what ends for another reason is missed by nobody. */
function isLate({ aborted, reason }: AbortSignal): boolean {
  return aborted && isA2AError(reason) && (reason.code === 'DEADLINE' || reason.code === 'TIMEOUT')
}

/** In CI nothing is asked live where recordings are there to be played. */
function modeHere(env: Deps['env'], folder: string, file: string | undefined): CassetteMode {
  const ci = env['CI'] ?? ''
  if (ci === '' || ci === 'false' || ci === '0') return 'off'
  return existsSync(folder) || (file !== undefined && existsSync(join(folder, file))) ? 'replay' : 'off'
}

function callOf(
  role: Recording['role'],
  model: string | undefined,
  { trial, turn, attempt }: CallPlace,
  asked: Recording['asked'],
): Omit<Recording, 'answer'> {
  return { role, ...(model !== undefined && { model }), place: { trial, turn, attempt }, asked }
}

/** Every way to give a model, because whoever has none has found none of them. */
function noModel(role: ModelRole): A2AModelError {
  const part = partOf(role)
  const variable = part === 'judge' ? 'A2A_JUDGE_MODEL' : 'A2A_SIMULATOR_MODEL'
  const who = role === 'check' ? 'simulator check (it is the model of the simulator)' : roleNames[role]
  return new A2AModelError(
    'NO_MODEL',
    `no model is given for the ${who}: the option ${part}.model is not set, nor is the environment variable ${variable}, nor a model with configureA2A().`,
    {
      fix:
        `Give one for all tests with configureA2A({ model: … }) in a set-up file, for one with ${part}: { model: … }, or by ${variable}. ` +
        'A name stands for a model at OpenAI, with OPENAI_API_KEY, or at any compatible endpoint, with OPENAI_BASE_URL; ' +
        'a function, a model of the AI SDK and scriptedModel([…]) need neither.',
    },
  )
}
