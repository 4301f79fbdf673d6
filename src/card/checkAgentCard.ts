import { finding } from '../findings/finding.ts'
import type { Finding, Level } from '../findings/types.ts'
import type { Reading } from './normalise.ts'
import { checkCardOptions } from './options.ts'
import { readCard } from './readCard.ts'
import { checkRuleIds } from './ruleIds.ts'
import { rules } from './rules/index.ts'
import type {
  CardContext,
  CardObject,
  CardOptions,
  CardReport,
  CardShape,
  CardVersion,
  Rule,
  RuleContext,
} from './types.ts'
import { show } from './values.ts'

/**
 * Judges an agent card, given as an object or as JSON text: which version's rules apply, what breaks them, and how the agent can be
 * called. Pure and synchronous; findings never throw. Throws A2AUsageError `BAD_OPTIONS` for wrong options.
 */
export function checkAgentCard(card: unknown, options: CardOptions & CardContext = {}): CardReport {
  checkCardOptions(options)
  checkRuleIds('checkAgentCard', options.rules)
  const parsed = typeof card === 'string' ? parse(card) : { document: card }
  if (parsed.problem !== undefined) return notACard({ kind: 'not-a2a', looksLike: parsed.problem })
  const { shape, reading, interfaces } = readCard(parsed.document, options)
  if (shape.kind === 'not-a2a' || reading === undefined) {
    return notACard(shape as CardShape & { kind: 'not-a2a' })
  }
  if (shape.kind === 'ambiguous') {
    return report(shape, [ambiguity(shape)], { card: reading.card, interfaces, rulesApplied: 0 })
  }
  const applied = rules.filter((rule) => levelOf(rule, shape.version, options) !== undefined)
  const context = ruleContext(shape.version, parsed.document as CardObject, reading, options)
  const findings = applied.flatMap((rule) => apply(rule, reading, context, options))
  return report(shape, findings, { card: reading.card, interfaces, rulesApplied: applied.length })
}

function parse(text: string): { document: unknown; problem?: string } {
  try {
    return { document: JSON.parse(text.replace(/^\uFEFF/, '')) }
  } catch (error) {
    const why = (error as Error).message
    const html = /^\s*</.test(text) ? 'an HTML page' : 'text that is not JSON'
    return { document: undefined, problem: `${html} (${show(text.trim())}: ${why})` }
  }
}

function ruleContext(
  version: CardVersion,
  raw: Record<string, unknown>,
  reading: Reading,
  options: CardOptions & CardContext,
): RuleContext {
  const { typedUrl, cardUrl, response, served, trustedOrigins, bindings } = options
  return {
    version,
    raw,
    reading,
    bindings: bindings ?? ['JSONRPC'],
    ...(typedUrl === undefined ? {} : { typedUrl }),
    ...(cardUrl === undefined ? {} : { cardUrl }),
    ...(response === undefined ? {} : { response }),
    ...(served === undefined ? {} : { served }),
    ...(trustedOrigins === undefined ? {} : { trustedOrigins }),
  }
}

/** The level of a rule for a card: undefined if it is off, or if the version does not have it. */
function levelOf(rule: Rule, version: CardVersion, options: CardOptions): Level | undefined {
  const level = rule.levels[version]
  const wanted = options.rules?.[rule.id]
  if (level === undefined || wanted === 'off') return undefined
  return wanted ?? level
}

function apply(rule: Rule, reading: Reading, context: RuleContext, options: CardOptions): Finding[] {
  const findings: Finding[] = []
  const level = levelOf(rule, context.version, options) ?? 'note'
  // The level that the user sets applies to every breach of the rule, including those with a level of their own.
  const set = options.rules?.[rule.id] !== undefined
  const source = typeof rule.source === 'string' ? rule.source : rule.source[context.version]
  rule.check(
    reading.card,
    (path, message, more = {}) => {
      findings.push({
        id: rule.id,
        level: set ? level : (more.level ?? level),
        ...(path === undefined ? {} : { path }),
        message,
        fix: more.fix ?? rule.fix,
        ...(source === undefined ? {} : { source }),
      })
    },
    context,
  )
  return findings
}

function notACard(shape: CardShape & { kind: 'not-a2a' }): CardReport {
  const failure = finding('card/not-a2a', `this is not an A2A agent card: it looks like ${shape.looksLike}`)
  return report(shape, [failure], { interfaces: [], rulesApplied: 0 })
}

function ambiguity(shape: CardShape & { kind: 'ambiguous' }): Finding {
  return finding(
    'card/ambiguous',
    `cannot tell which A2A version this card follows: ${shape.why}; ` +
      "the option version: '0.3' | '1.0' decides by which rules it is judged",
  )
}

function report(
  shape: CardShape,
  unsorted: Finding[],
  rest: Pick<CardReport, 'card' | 'interfaces' | 'rulesApplied'>,
): CardReport {
  const findings = unsorted.sort(worstFirst)
  const errors = findings.filter(({ level }) => level === 'error')
  const warnings = findings.filter(({ level }) => level === 'warning')
  return { shape, findings, errors, warnings, scores: { card: errors.length === 0 ? 1 : 0 }, ...rest }
}

const weights: Readonly<Record<Level, number>> = { error: 0, warning: 1, note: 2 }
let collator: Intl.Collator | undefined

/** The first collator costs more than all that is loaded here, so it is not made before two findings have to be compared. */
function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator('en', { numeric: true })
  return collator.compare(a, b)
}

function worstFirst(a: Finding, b: Finding): number {
  return (
    weights[a.level] - weights[b.level] ||
    compareNames(a.path ?? '', b.path ?? '') ||
    compareNames(a.id, b.id) ||
    compareNames(a.message, b.message)
  )
}
