import { isRecord } from '../core/guards.ts'
import {
  badOption,
  checkArguments,
  checkOptions,
  countingNumber,
  record,
  show,
  type OptionsSpec,
} from '../core/validate.ts'
import { conversationOptions, messageKind, passConversationOptions } from './optionSpecs.ts'
import type { ConversationOptions, PassConversationOptions, ScriptedTurn } from './types.ts'
import { keyOf } from '../simulator/normalizeText.ts'

/** Options that are used as they are. */
type Unchanged =
  'persona' | 'goal' | 'openingMessage' | 'language' | 'stopWhen' | 'onTurn' | 'metadata' | 'configuration'

/** The options of a conversation with every default filled in. */
export interface ConversationPlan
  extends
    Readonly<{ [Key in Unchanged]?: ConversationOptions[Key] | undefined }>,
    Required<Pick<ConversationOptions, 'maxTurns' | 'minTurns' | 'turnTimeoutMs' | 'onAgentError'>> {
  facts: string[]
  script: readonly ScriptedTurn[]
  temperature?: number | undefined
  /** The simulated user continues after the script. */
  simulatesOn: boolean
  /** There can be simulated turns, so a model is needed. */
  simulates: boolean
}

/** Trials, as `toPassConversation()` takes them. */
export interface TrialPlan {
  trials: number
  passRate: number
  trialConcurrency: number
  maxInvalid: number
  threshold: number
}

const usualTurns = 10
const usualTurnTimeoutMs = 60_000

/** Simulated turns of a script. */
export function isSimulate(turn: ScriptedTurn): turn is { readonly simulate: number } {
  return typeof turn === 'object' && !Array.isArray(turn)
}

/**
 * Checks the options of a conversation and fills in the defaults; the options are left as they are. `owner` is the function they were
 * passed to, such as `converse`. Throws A2AUsageError `BAD_OPTIONS` that says what to write instead.
 */
export function planConversation(
  owner: string,
  options: ConversationOptions,
  spec: OptionsSpec = conversationOptions,
): { plan: ConversationPlan; warnings: string[] } {
  checkArguments(owner, [options], [{ name: 'options', kind: record }])
  checkOptions(owner, options, spec)
  checkSpeaker(owner, options)
  const { persona, goal, openingMessage, script = [] } = options
  const simulatesOn = isDescribed(options) && !script.some(isSimulate)
  const planned = plannedTurns(options)
  const { maxTurns = simulatesOn ? Math.max(usualTurns, planned) : planned, minTurns = 1 } = options
  checkTurns(owner, maxTurns, minTurns)
  const simulates = simulatesOn ? maxTurns > planned : simulatesWithin(maxTurns, options)
  return {
    plan: {
      persona,
      goal,
      openingMessage,
      language: options.language,
      stopWhen: options.stopWhen,
      onTurn: options.onTurn,
      metadata: options.metadata,
      configuration: options.configuration,
      temperature: options.simulator?.temperature,
      facts: factsOf(options.facts),
      script: [...script],
      maxTurns,
      minTurns,
      turnTimeoutMs: options.turnTimeoutMs ?? usualTurnTimeoutMs,
      onAgentError: options.onAgentError ?? 'fail',
      simulatesOn,
      simulates,
    },
    warnings: [...scriptWarnings(options, planned, maxTurns), ...(simulates ? [] : unusedWarnings(options))],
  }
}

/** True if something says who the simulated user is. */
function isDescribed({ persona, goal }: ConversationOptions): boolean {
  return persona !== undefined || goal !== undefined
}

/** Turns that are written down, and simulated ones with a number. */
function plannedTurns({ openingMessage, script = [] }: ConversationOptions): number {
  const opening = openingMessage === undefined ? 0 : 1
  return script.reduce((sum, turn) => sum + (isSimulate(turn) ? turn.simulate : 1), opening)
}

/** Checks that the user has something to say. */
function checkSpeaker(owner: string, options: ConversationOptions): void {
  const { openingMessage, script = [] } = options
  for (const [at, turn] of script.entries()) checkTurn(owner, turn, at)
  if (isDescribed(options)) return
  if (openingMessage === undefined && script.length === 0) {
    throw badOption(
      owner,
      'there is nothing to say: `persona`, `goal`, `openingMessage` and `script` are all missing.',
      'Give a persona and a goal for a simulated user, or a script of fixed messages.',
    )
  }
  const simulated = script.find(isSimulate)
  if (simulated === undefined) return
  throw badOption(
    owner,
    `\`script\` has { simulate: ${simulated.simulate} }, but nothing describes the simulated user.`,
    'Give persona or goal as well.',
  )
}

function scriptWarnings(
  { openingMessage }: ConversationOptions,
  planned: number,
  maxTurns: number,
): string[] {
  if (planned <= maxTurns) return []
  const opening = openingMessage === undefined ? '' : ', the opening included'
  return [
    `maxTurns ${maxTurns} ends the conversation before its script is over: that has ${planned} turns${opening}.`,
  ]
}

/** Options without effect, as no turn is simulated. */
function unusedWarnings(options: ConversationOptions): string[] {
  const keys = ['facts', 'language', 'simulator', 'minTurns'] as const
  const unused = keys.filter((key) => options[key] !== undefined)
  if (unused.length === 0) return []
  const have = unused.length === 1 ? 'has' : 'have'
  const why = isDescribed(options)
    ? 'the fixed turns leave no room for simulated ones'
    : 'give persona or goal for a simulated user'
  return [`no user is simulated, so ${unused.join(', ')} ${have} no effect: ${why}.`]
}

/** The same for `toPassConversation()`; the criteria are read by `parseCriteria`. */
export function planPass(
  owner: string,
  options: PassConversationOptions,
): { plan: ConversationPlan; trials: TrialPlan; warnings: string[] } {
  checkArguments(owner, [options], [{ name: 'options', kind: record }])
  checkOptions(owner, options, passConversationOptions)
  const { threshold = 1, trials = 1, passRate = 1, trialConcurrency = 1 } = options
  const { plan, warnings } = planConversation(owner, options, passConversationOptions)
  if (options.passRate !== undefined && trials === 1) {
    warnings.push('passRate has no effect on one trial: set trials.')
  }
  const needed = Math.ceil(passRate * trials - 1e-9)
  if (passRate < 1 && trials > 1 && needed === trials) {
    warnings.push(
      `passRate ${passRate} of ${trials} trials needs all ${trials} of them: raise trials, or lower passRate to ${Math.floor(((trials - 1) / trials) * 100) / 100}.`,
    )
  }
  if (trialConcurrency > 1 && trials === 1) {
    warnings.push('trialConcurrency has no effect on one trial: set trials.')
  }
  return {
    plan,
    trials: { threshold, trials, passRate, trialConcurrency, maxInvalid: options.maxInvalid ?? trials },
    warnings,
  }
}

/** Warnings about a goal, persona or fact that contains a criterion word for word: the simulated user would give it away. */
export function leakWarnings(
  { persona, goal, facts }: Pick<ConversationPlan, 'persona' | 'goal' | 'facts'>,
  criteria: readonly { id: string; text: string }[],
): string[] {
  const texts = [
    ...(goal === undefined ? [] : [['goal', ` ${keyOf(goal)} `] as const]),
    ...(persona === undefined ? [] : [['persona', ` ${keyOf(persona)} `] as const]),
    ...facts.map((fact) => ['facts', ` ${keyOf(fact)} `] as const),
  ]
  return criteria.flatMap(({ id, text }) => {
    const key = ` ${keyOf(text)} `
    const within = texts.find(([, words]) => words.includes(key))
    return within === undefined
      ? []
      : [
          `${within[0]} repeats criterion ${id} word for word: the simulated user may say it to the agent, and then the agent is no longer judged on its own words.`,
        ]
  })
}

function checkTurn(owner: string, turn: unknown, at: number): void {
  const name = `script[${at}]`
  if (typeof turn === 'function' || messageKind.accepts(turn)) return
  if (typeof turn === 'string' || Array.isArray(turn)) {
    throw badOption(owner, `\`${name}\` is empty: an empty message is never sent.`, 'Leave the turn out.')
  }
  if (!isRecord(turn) || !('simulate' in turn)) {
    throw badOption(
      owner,
      `\`${name}\` must be a message, a function or { simulate: 3 }; received ${show(turn)}.`,
      "Write a string, or an array of parts such as [{ kind: 'data', data: {} }].",
    )
  }
  const { simulate, ...rest } = turn
  const [other] = Object.keys(rest)
  if (other !== undefined) {
    throw badOption(owner, `\`${name}\` has no key \`${other}\`.`, 'Write { simulate: 3 } and nothing else.')
  }
  if (countingNumber.accepts(simulate)) return
  throw badOption(
    owner,
    `\`${name}.simulate\` must be ${countingNumber.what}; received ${show(simulate)}.`,
    'Give the number of simulated turns, as in { simulate: 3 }.',
  )
}

function checkTurns(owner: string, maxTurns: number, minTurns: number): void {
  if (minTurns <= maxTurns) return
  throw badOption(
    owner,
    `\`minTurns\` (${minTurns}) is more than \`maxTurns\` (${maxTurns}).`,
    `Set maxTurns to ${minTurns} or more, or minTurns to ${maxTurns} or less.`,
  )
}

/** Whether the script reaches a simulated turn within `maxTurns`. */
function simulatesWithin(maxTurns: number, { openingMessage, script = [] }: ConversationOptions): boolean {
  let before = openingMessage === undefined ? 0 : 1
  for (const turn of script) {
    if (isSimulate(turn)) return before < maxTurns
    before += 1
  }
  return false
}

function factsOf(facts: ConversationOptions['facts']): string[] {
  if (facts === undefined) return []
  if (Array.isArray(facts)) return [...(facts as readonly string[])]
  return Object.entries(facts).map(([name, value]) => `${name}: ${value}`)
}
