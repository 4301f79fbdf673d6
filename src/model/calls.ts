import { randomInt } from 'node:crypto'
import { orAborted, throwIfAborted } from '../core/abort.ts'
import type { Deps } from '../core/deps.ts'
import { isA2AError } from '../core/errors.ts'
import { Budget } from './budget.ts'
import type { Cassette } from './cassette/cassette.ts'
import { openCassette } from './cassette/open.ts'
import { askedOf, mapTexts, saidToAgent, withoutNonce, type Recording } from './cassette/recording.ts'
import { configuration } from './configuration.ts'
import { limiterOf, type Limiter } from './limiter.ts'
import { Models } from './models.ts'
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
  ModelRequest,
  ModelRole,
  PriceFunction,
  ReplayCount,
  SimulatorOptions,
  UsageByRole,
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
}

const chance = (): number => randomInt(2 ** 32) / 2 ** 32
const defaultConcurrency = 4
const defaultRetries = 4

/**
 * Opens the models of one test: each call within the budget, from the cassette or limited and repeated. Options of the call weigh most,
 * then the environment, then `configureA2A`. Nothing is loaded or sent before the first call.
 * Throws A2AUsageError `BAD_OPTIONS`; `ask` throws what ModelCalls says.
 */
export function openCalls(options: OpenCallsOptions): ModelCalls {
  return new Calls(options)
}

class Calls implements ModelCalls {
  readonly replay: ReplayCount = { simulator: 0, judge: 0, check: 0, agent: 0, live: 0 }
  readonly #models: Models
  readonly #budget: Budget
  readonly #cassette: Cassette | undefined
  /** Whether the call has an option `cassette`: only then are scripted models recorded. */
  readonly #cassetteByCall: boolean
  readonly #clock: Deps['clock']
  readonly #random: () => number
  readonly #concurrency: number
  readonly #retries: number
  readonly #unanswered: string[] = []

  constructor({ simulator, judge, budget, price, random = chance, deps, ...options }: OpenCallsOptions) {
    const config = configuration(deps.env)
    this.#budget = new Budget({ ...config.budget, ...budget }, price ?? config.price)
    this.#models = new Models({ simulator, judge }, deps.env)
    this.#cassette = openCassette({ ...options, env: deps.env })
    this.#cassetteByCall = options.cassette !== undefined
    this.#clock = deps.clock
    this.#random = random
    this.#concurrency = config.concurrency ?? defaultConcurrency
    this.#retries = config.retries ?? defaultRetries
  }

  get usage(): UsageByRole {
    return this.#budget.usage
  }

  get warnings(): readonly string[] {
    const { agent } = this.replay
    const replayed =
      agent === 0
        ? []
        : [
            `the agent was not called: ${agent} of its answers ${agent === 1 ? 'comes' : 'come'} from ${this.#cassette?.path}.`,
          ]
    const cassette = this.#cassette?.warnings ?? []
    return [...new Set([...replayed, ...cassette, ...this.#budget.warnings, ...this.#unanswered])]
  }

  async idOf(role: ModelRole): Promise<string | undefined> {
    try {
      return this.#models.idOf(role) ?? (await this.#cassetteFor(role)?.modelOf(role))
    } catch (error) {
      if (isA2AError(error) && error.name === 'A2AUsageError') throw error
      // A cassette that cannot be read: the first call reports it.
      return undefined
    }
  }

  async ask(request: ModelRequest, place: CallPlace): Promise<ModelAnswer> {
    throwIfAborted(request.signal)
    const { role } = request
    const cassette = this.#cassetteFor(role)
    if (cassette === undefined) return this.#askLive(request)
    const call = recordingOf(role, this.#models.idOf(role), place, askedOf(request, cassette.clean))
    const recorded = await cassette.play(call)
    if (recorded !== undefined && 'text' in recorded) {
      this.replay[role]++
      return recorded
    }
    const answer = await this.#askLive(request)
    cassette.keep({ ...call, answer: mapTexts(answer, (text) => withoutNonce(text, request.nonce)) })
    return answer
  }

  async agentAnswer<T>(place: CallPlace, message: unknown, live: () => Promise<T>): Promise<T> {
    const cassette = this.#cassette
    if (!cassette?.covers('agent')) return live()
    const call = recordingOf('agent', undefined, place, saidToAgent(message, cassette.clean))
    const recorded = await cassette.play(call)
    if (recorded !== undefined && 'heard' in recorded) {
      this.replay.agent++
      return recorded.heard as T
    }
    const answer = await live()
    cassette.keep({ ...call, answer: { heard: answer } })
    return answer
  }

  async close(outcome: string): Promise<void> {
    await this.#cassette?.close(outcome)
  }

  #cassetteFor(role: ModelRole): Cassette | undefined {
    if (!this.#cassette?.covers(role)) return undefined
    return this.#models.isScripted(role) && !this.#cassetteByCall ? undefined : this.#cassette
  }

  async #askLive(request: ModelRequest): Promise<ModelAnswer> {
    const { role, signal } = request
    const model = this.#models.get(role)
    this.#budget.check(role)
    const limiter = this.#limiterFor(model)
    const startedAt = this.#clock.now()
    let refusal: string | undefined
    try {
      const answer = await withRetries(async () => model.generate(request), {
        role,
        model: model.id,
        retries: this.#retries,
        clock: this.#clock,
        random: this.#random,
        signal,
        run: (call) =>
          limiter === undefined ? orAborted(call(), signal) : limiter.run(this.#concurrency, call, signal),
        onRetry: (why) => (refusal = why),
      })
      this.replay.live++
      this.#budget.count(model.id, request, answer)
      return answer
    } catch (error) {
      if (isLate(signal)) {
        const why = refusal ?? limiter?.pauseReason ?? `the model ${model.id} did not answer.`
        const ms = Math.round(this.#clock.now() - startedAt)
        this.#unanswered.push(`the ${roleNames[role]} gave no answer in ${ms} ms: ${why}`)
      }
      throw error
    }
  }

  #limiterFor(model: Model): Limiter | undefined {
    if (model.scripted === true) return undefined
    return limiterOf(model.provider ?? model.id, { clock: this.#clock, random: this.#random })
  }
}

/** Whether the deadline passed: a call that ends for another reason needs no explanation. */
function isLate({ aborted, reason }: AbortSignal): boolean {
  return aborted && isA2AError(reason) && (reason.code === 'DEADLINE' || reason.code === 'TIMEOUT')
}

function recordingOf(
  role: Recording['role'],
  model: string | undefined,
  { trial, turn, attempt }: CallPlace,
  asked: Recording['asked'],
): Omit<Recording, 'answer'> {
  return { role, ...(model !== undefined && { model }), place: { trial, turn, attempt }, asked }
}
