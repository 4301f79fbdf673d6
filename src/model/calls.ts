import type { Deps } from '../deps.ts'
import { A2AModelError } from '../errors.ts'
import { modelOf } from './choose.ts'
import { checkModelOptions, judgeOptions, simulatorOptions } from './configuration.ts'
import type {
  BudgetOptions,
  CassetteMode,
  CassetteOptions,
  JudgeOptions,
  Model,
  ModelCalls,
  ModelChoice,
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
}

export function openCalls(options: OpenCallsOptions): ModelCalls {
  checkModelOptions(options)
  const { env } = options.deps
  const choices: Record<'simulator' | 'judge', ModelChoice | undefined> = {
    simulator: simulatorOptions(options.simulator, env).model,
    judge: judgeOptions(options.judge, env).model,
  }
  const models = new Map<string, Model>()
  const usage: UsageByRole = { unreported: 0 }
  const replay: ReplayCount = { simulator: 0, judge: 0, check: 0, agent: 0, live: 0 }

  function modelFor(role: ModelRole): Model {
    const kind = role === 'judge' ? 'judge' : 'simulator'
    const choice = choices[kind]
    if (choice === undefined) throw new A2AModelError('NO_MODEL', `no model is given for the ${role}.`)
    const model = models.get(kind) ?? modelOf(choice, env)
    models.set(kind, model)
    return model
  }

  return {
    idOf(role) {
      const choice = choices[role === 'judge' ? 'judge' : 'simulator']
      return typeof choice === 'string' ? choice : choice && modelFor(role).id
    },
    async ask(request) {
      const model = modelFor(request.role)
      const answer = await model.generate(request)
      replay.live++
      if (answer.usage === undefined) usage.unreported++
      else {
        const before = usage[request.role] ?? { inputTokens: 0, outputTokens: 0 }
        usage[request.role] = {
          inputTokens: before.inputTokens + answer.usage.inputTokens,
          outputTokens: before.outputTokens + answer.usage.outputTokens,
        }
      }
      return answer
    },
    hear: (_place, _message, live) => live(),
    usage,
    replay,
    warnings: [],
    close: () => Promise.resolve(),
  }
}
