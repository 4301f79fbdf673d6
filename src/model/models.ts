import type { Deps } from '../core/deps.ts'
import { A2AModelError } from '../core/errors.ts'
import { modelOf } from './choose.ts'
import { judgeOptions, simulatorOptions } from './configuration.ts'
import { roleNames } from './retry.ts'
import type { JudgeOptions, Model, ModelChoice, ModelRole, SimulatorOptions } from './types.ts'

/** The simulator is checked by its own model. */
type Part = 'simulator' | 'judge'
const partOf = (role: ModelRole): Part => (role === 'judge' ? 'judge' : 'simulator')

/** The models of one test: each is made when it is first needed. */
export class Models {
  readonly #choices: Readonly<Record<Part, ModelChoice | undefined>>
  readonly #env: Deps['env']
  readonly #made = new Map<Part, Model>()

  constructor(
    options: { simulator?: SimulatorOptions | undefined; judge?: JudgeOptions | undefined },
    env: Deps['env'],
  ) {
    this.#env = env
    this.#choices = {
      simulator: simulatorOptions(options.simulator, env).model,
      judge: judgeOptions(options.judge, env).model,
    }
  }

  /** Throws A2AModelError `NO_MODEL`. */
  get(role: ModelRole): Model {
    const part = partOf(role)
    const choice = this.#choices[part]
    if (choice === undefined) throw noModel(role)
    const model = this.#made.get(part) ?? modelOf(choice, this.#env)
    this.#made.set(part, model)
    return model
  }

  /** Undefined if no model is configured. A name alone needs no key and no package, as long as a cassette answers. */
  idOf(role: ModelRole): string | undefined {
    const choice = this.#choices[partOf(role)]
    if (choice === undefined) return undefined
    return typeof choice === 'string' ? choice : this.get(role).id
  }

  isScripted(role: ModelRole): boolean {
    const choice = this.#choices[partOf(role)]
    return choice !== undefined && typeof choice !== 'string' && this.get(role).scripted === true
  }
}

/** Names every way to configure a model, because none of them was used. */
function noModel(role: ModelRole): A2AModelError {
  const part = partOf(role)
  const variable = part === 'judge' ? 'A2A_JUDGE_MODEL' : 'A2A_SIMULATOR_MODEL'
  const who = role === 'check' ? 'simulator check (it uses the model of the simulator)' : roleNames[role]
  return new A2AModelError(
    'NO_MODEL',
    `no model is configured for the ${who}: neither the option ${part}.model, nor the environment variable ${variable}, nor a model with configureA2A() is set.`,
    {
      fix:
        `Set one for all tests with configureA2A({ model: … }) in a set-up file, for one test with ${part}: { model: … }, or by ${variable}. ` +
        'A name stands for a model at OpenAI, with OPENAI_API_KEY, or at any compatible endpoint, with OPENAI_BASE_URL; ' +
        'a function, a model of the AI SDK and scriptedModel([…]) need neither.',
    },
  )
}
