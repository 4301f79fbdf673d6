import { A2AModelError, A2AUsageError } from '../core/errors.ts'
import { roleNames } from './retry.ts'
import type {
  BudgetOptions,
  ModelAnswer,
  ModelRequest,
  ModelRole,
  PriceFunction,
  Usage,
  UsageByRole,
} from './types.ts'

interface Spent {
  /** Known and estimated ones. */
  tokens: number
  isEstimated: boolean
  /** As far as known. */
  usd: number
}

const charactersPerToken = 4
const roles: readonly ModelRole[] = ['simulator', 'judge', 'check']

/** Counts what the calls of one test use, and stops them when it is too much. */
export class Budget {
  readonly usage: UsageByRole = { unreported: 0 }
  readonly #limits: BudgetOptions
  readonly #price: PriceFunction | undefined
  readonly #warnings = new Set<string>()
  readonly #spent: Record<ModelRole, Spent> = {
    simulator: { tokens: 0, isEstimated: false, usd: 0 },
    judge: { tokens: 0, isEstimated: false, usd: 0 },
    check: { tokens: 0, isEstimated: false, usd: 0 },
  }
  #isPriceKnown: boolean

  /** Throws A2AUsageError `BAD_OPTIONS` for a limit in US dollars without a price. */
  constructor(limits: BudgetOptions, price: PriceFunction | undefined) {
    if (limits.usd !== undefined && price === undefined) {
      throw new A2AUsageError('BAD_OPTIONS', 'a budget in US dollars (`budget.usd`) needs `price`.', {
        fix: 'Pass `price`, a function of role, model and usage that returns US dollars, or limit `budget.tokens` instead.',
      })
    }
    this.#limits = limits
    this.#price = price
    this.#isPriceKnown = price !== undefined
  }

  get warnings(): readonly string[] {
    return [...this.#warnings]
  }

  /** Throws A2AModelError `BUDGET` if it is used up. */
  check(role: ModelRole): void {
    const { tokens, usd } = this.#limits
    const spentTokens = this.#total('tokens')
    if (tokens !== undefined && spentTokens >= tokens) {
      const shares = this.#byRole((each) => `${each.tokens}${each.isEstimated ? ' (estimated)' : ''}`)
      throw usedUp(role, `${spentTokens} of ${tokens} tokens`, shares, 'tokens')
    }
    const spentUsd = this.#total('usd')
    if (usd !== undefined && spentUsd >= usd) {
      const shares = this.#byRole((each) => `$${dollars(each.usd)}`)
      throw usedUp(role, `$${dollars(spentUsd)} of $${dollars(usd)}`, shares, 'usd')
    }
  }

  /** Counts an answer. Throws A2AUsageError `BAD_OPTIONS` if `price` returns something else than a price. */
  count(model: string, request: ModelRequest, answer: ModelAnswer): void {
    const { role } = request
    const used = answer.usage ?? estimate(request, answer)
    const spent = this.#spent[role]
    spent.tokens += used.inputTokens + used.outputTokens
    if (answer.usage === undefined) {
      this.usage.unreported++
      spent.isEstimated = true
      this.#warnOfEstimate(model)
    } else this.usage[role] = sum(this.usage[role], used)
    this.#countCost(role, model, used, answer.usage !== undefined)
  }

  #countCost(role: ModelRole, model: string, used: Usage, isReported: boolean): void {
    if (this.#price === undefined) return
    const usd = priceOf(this.#price, role, model, used)
    if (usd === undefined || !isReported) this.#isPriceKnown = false
    if (usd === undefined && this.#limits.usd !== undefined) {
      this.#warnings.add(
        `the budget in US dollars cannot be enforced: \`price\` returns nothing for the model ${model}.`,
      )
    }
    this.#spent[role].usd += usd ?? 0
    if (this.#isPriceKnown) this.usage.usd = this.#total('usd')
    else delete this.usage.usd
  }

  #warnOfEstimate(model: string): void {
    if (this.#limits.tokens === undefined && this.#limits.usd === undefined) return
    this.#warnings.add(
      `the budget is only approximate: the model ${model} does not report usage, ` +
        `so its tokens are estimated at ${charactersPerToken} characters each.`,
    )
  }

  #total(what: 'tokens' | 'usd'): number {
    return roles.reduce((sum, role) => sum + this.#spent[role][what], 0)
  }

  /** What each role used that made a call. */
  #byRole(show: (spent: Spent) => string): string {
    const active = roles.filter((role) => this.#spent[role].tokens > 0 || this.#spent[role].usd > 0)
    return active.map((role) => `${roleNames[role]} ${show(this.#spent[role])}`).join(', ') || 'no calls'
  }
}

function usedUp(role: ModelRole, used: string, shares: string, option: keyof BudgetOptions): A2AModelError {
  return new A2AModelError(
    'BUDGET',
    `the budget is used up, so the ${roleNames[role]} was not called: ${used} (${shares}).`,
    { fix: `Raise \`budget.${option}\`, or make the conversation shorter: fewer turns, trials or votes.` },
  )
}

function priceOf(price: PriceFunction, role: ModelRole, model: string, usage: Usage): number | undefined {
  let usd: unknown
  try {
    usd = price({ role, model, usage })
  } catch (error) {
    throw new A2AUsageError('BAD_OPTIONS', `\`price\` threw for the model ${model}: ${String(error)}`, {
      cause: error,
    })
  }
  if (usd === undefined || (typeof usd === 'number' && usd >= 0 && Number.isFinite(usd))) return usd
  throw new A2AUsageError(
    'BAD_OPTIONS',
    `\`price\` must return US dollars (a number of at least 0) or undefined; for the model ${model} it returned ${String(usd)}.`,
  )
}

function estimate({ system, messages, schema }: ModelRequest, answer: ModelAnswer): Usage {
  const input = [system, ...messages.map(({ content }) => content), JSON.stringify(schema?.definition ?? '')]
  const tokens = (texts: readonly string[]): number =>
    Math.ceil(texts.reduce((length, text) => length + text.length, 0) / charactersPerToken)
  return { inputTokens: tokens(input), outputTokens: tokens([answer.text]) }
}

function sum(a: Usage | undefined, b: Usage): Usage {
  return {
    inputTokens: (a?.inputTokens ?? 0) + b.inputTokens,
    outputTokens: (a?.outputTokens ?? 0) + b.outputTokens,
  }
}

/** Fractions of a cent are shown: `0.0042`. */
function dollars(usd: number): string {
  return usd >= 0.1 ? usd.toFixed(2) : String(Number(usd.toPrecision(2)))
}
