import type { Deps } from '../core/deps.ts'
import { openCalls, type OpenCallsOptions } from './calls.ts'
import type { ModelCalls } from './types.ts'

/** The model options of a matcher or function, next to options that have nothing to do with models. */
export type ModelCallOptions = Pick<
  OpenCallsOptions,
  'simulator' | 'judge' | 'cassette' | 'budget' | 'price' | 'redact'
>

/** Opens the models for a call by its options. `agent` has the secrets that no cassette may hold. */
export function openModelCalls(
  options: ModelCallOptions,
  agent: { readonly secrets: readonly string[] },
  deps: Deps,
  name: string | undefined,
): ModelCalls {
  const { simulator, judge, cassette, budget, price, redact } = options
  return openCalls({
    ...(simulator && { simulator }),
    ...(judge && { judge }),
    ...(cassette && { cassette }),
    ...(budget && { budget }),
    ...(price && { price }),
    ...(redact && { redact }),
    ...(name !== undefined && { name }),
    secrets: () => agent.secrets,
    deps,
  })
}
