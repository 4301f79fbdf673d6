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

/** Counts what calls take, and says when it is enough. */
export interface Budget {
  /** Throws A2AModelError `BUDGET` where it is used up. */
  check(role: ModelRole): void
  /** Throws A2AUsageError `BAD_OPTIONS` for a price that is none. */
  count(model: string, request: ModelRequest, answer: ModelAnswer): void
  readonly usage: UsageByRole
  readonly warnings: readonly string[]
}

const charactersOfAToken = 4
const roles: readonly ModelRole[] = ['simulator', 'judge', 'check']

/** Opens the budget of a test. Throws A2AUsageError `BAD_OPTIONS` for US dollars without a price. */
export function createBudget(limits: BudgetOptions, price: PriceFunction | undefined): Budget {
  if (limits.usd !== undefined && price === undefined) {
    throw new A2AUsageError(
      'BAD_OPTIONS',
      'a budget in US dollars (`budget.usd`) needs to know what calls cost.',
      {
        fix: 'Give `price`, a function of role, model and usage that returns US dollars, or limit `budget.tokens` instead.',
      },
    )
  }
  const usage: UsageByRole = { unreported: 0 }
  const warnings = new Set<string>()
  /** Known and estimated tokens, and dollars as far as known. */
  const spent: Record<ModelRole, { tokens: number; estimated: boolean; usd: number }> = {
    simulator: { tokens: 0, estimated: false, usd: 0 },
    judge: { tokens: 0, estimated: false, usd: 0 },
    check: { tokens: 0, estimated: false, usd: 0 },
  }
  let pricesKnown = price !== undefined

  function costOf(role: ModelRole, model: string, used: Usage, reported: boolean): void {
    if (price === undefined) return
    const usd = priceOf(price, role, model, used)
    if (usd === undefined || !reported) pricesKnown = false
    if (usd === undefined && limits.usd !== undefined) {
      warnings.add(`the budget in US dollars cannot be kept: \`price\` gives nothing for the model ${model}.`)
    }
    spent[role].usd += usd ?? 0
    const total = roles.reduce((sum, each) => sum + spent[each].usd, 0)
    if (pricesKnown) usage.usd = total
    else delete usage.usd
  }

  /** Each role that asked anything, with what it took. */
  function byRole(show: (role: ModelRole) => string): string {
    const asked = roles.filter((role) => spent[role].tokens > 0 || spent[role].usd > 0)
    return asked.map((role) => `${roleNames[role]} ${show(role)}`).join(', ') || 'nobody asked anything'
  }

  return {
    usage,
    get warnings() {
      return [...warnings]
    },
    check(role) {
      const tokens = roles.reduce((sum, each) => sum + spent[each].tokens, 0)
      if (limits.tokens !== undefined && tokens >= limits.tokens) {
        const shares = byRole((each) => `${spent[each].tokens}${spent[each].estimated ? ' (estimated)' : ''}`)
        throw usedUp(role, `${tokens} of ${limits.tokens} tokens`, shares, 'tokens')
      }
      const usd = roles.reduce((sum, each) => sum + spent[each].usd, 0)
      if (limits.usd !== undefined && usd >= limits.usd) {
        throw usedUp(
          role,
          `$${dollars(usd)} of $${dollars(limits.usd)}`,
          byRole((each) => `$${dollars(spent[each].usd)}`),
          'usd',
        )
      }
    },
    count(model, request, answer) {
      const { role } = request
      const reported = answer.usage !== undefined
      const used = answer.usage ?? estimate(request, answer)
      spent[role].tokens += used.inputTokens + used.outputTokens
      if (reported) usage[role] = sum(usage[role], used)
      else {
        usage.unreported++
        spent[role].estimated = true
        if (limits.tokens !== undefined || limits.usd !== undefined) {
          warnings.add(
            `a budget cannot be kept exactly: the model ${model} does not report usage; ` +
              `its tokens are estimated, at ${charactersOfAToken} characters each.`,
          )
        }
      }
      costOf(role, model, used, reported)
    },
  }
}

function usedUp(role: ModelRole, used: string, shares: string, option: keyof BudgetOptions): A2AModelError {
  return new A2AModelError(
    'BUDGET',
    `the budget is used up, so the ${roleNames[role]} was not asked: ${used} (${shares}).`,
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
    `\`price\` must return US dollars, a number of at least 0, or undefined, but returned ${String(usd)} for the model ${model}.`,
  )
}

function estimate({ system, messages, schema }: ModelRequest, answer: ModelAnswer): Usage {
  const input = [system, ...messages.map(({ content }) => content), JSON.stringify(schema?.definition ?? '')]
  const tokens = (texts: readonly string[]): number =>
    Math.ceil(texts.reduce((length, text) => length + text.length, 0) / charactersOfAToken)
  return { inputTokens: tokens(input), outputTokens: tokens([answer.text]) }
}

function sum(a: Usage | undefined, b: Usage): Usage {
  return {
    inputTokens: (a?.inputTokens ?? 0) + b.inputTokens,
    outputTokens: (a?.outputTokens ?? 0) + b.outputTokens,
  }
}

/** Fractions of a cent count: `0.0042`. */
function dollars(usd: number): string {
  return usd >= 0.1 ? usd.toFixed(2) : String(Number(usd.toPrecision(2)))
}
