import { judgeReserveMs } from '../core/deadline.ts'
import type { A2AAgent } from '../agent/types.ts'
import type { Deps } from '../core/deps.ts'
import { isA2AError } from '../core/errors.ts'
import { needsJudge, parseCriteria } from '../judge/criteria.ts'
import type { ParsedCriterion } from '../judge/types.ts'
import { configuration, testPlace, type TestPlace } from '../model/configuration.ts'
import { openModelCalls } from '../model/openModelCalls.ts'
import type { ModelCalls } from '../model/types.ts'
import { nthConversation } from './saveRun.ts'
import { usualFolder } from '../transcript/savedRun.ts'
import { needModel } from '../model/needModel.ts'
import { leakWarnings, planPass, type ConversationPlan, type TrialPlan } from './planConversation.ts'
import { chanceOfPassing } from './statistics.ts'
import { runTrial, type TrialContext } from './runTrial.ts'
import { runTrials, type TrialsResult } from './runTrials.ts'
import type { ConversationResult, PassConversationOptions, TrialResult } from './types.ts'

/** What a test provides for its conversations. */
export interface PassTools {
  deps: Deps
  /** Aborting it returns the conversation so far at once. */
  signal: AbortSignal
  /** When everything must be finished, in ms since the epoch. */
  deadline?: number | undefined
  /** The whole time in ms; part of it is reserved for the judge. Default: the time until `deadline`. */
  limitMs?: number
  /** How often the runner retries the test. */
  retries?: number | undefined
  /** The calling test. Default: the running test, if the set-up file of a runner reports it. */
  test?: Pick<TestPlace, 'name' | 'file'> | undefined
  /** The function in messages. Default `toPassConversation`. */
  owner?: string
}

/**
 * Runs a conversation, or several, and judges them. The result has the faults of the agent, of models and of the simulated user,
 * and what was said before the deadline. Throws A2AUsageError for wrong options and for functions of the test that
 * throw, and A2AModelError `NO_MODEL` before anything is sent to the agent.
 */
export async function passConversation(
  agent: A2AAgent,
  options: PassConversationOptions,
  tools: PassTools,
): Promise<ConversationResult> {
  const { deps, signal, owner = 'toPassConversation' } = tools
  const { plan, trials, warnings } = planPass(owner, options)
  const { criteria, warnings: criteriaWarnings } = parseCriteria(options.successCriteria, owner)
  const place = testPlace()
  const test = tools.test ?? place
  const calls = openModelCalls(options, agent, deps, options.name ?? test?.name)
  let result: ConversationResult | undefined
  try {
    await needModels(calls, plan, criteria)
    const context: TrialContext = {
      agent,
      options,
      plan,
      criteria,
      threshold: trials.threshold,
      calls,
      deps,
      conversationDeadline: conversationDeadline(tools, needsJudge(criteria)),
      ...fileOf(options, test, place, deps),
    }
    const finished = await runTrials<TrialResult>({
      ...trials,
      beforeTrial: options.beforeTrial,
      signal,
      worthAnother: ({ fault }) => fault === undefined || !hopeless.has(fault.code),
      run: (trial, stop) => runTrial(context, trial, stop),
    })
    result = resultOf(finished, calls, [
      ...warnings,
      ...criteriaWarnings,
      ...leakWarnings(plan, plan.simulates ? criteria : []),
      ...retryWarnings(tools.retries ?? place?.retries, trials),
      ...finished.warnings,
    ])
  } finally {
    await close(calls, result)
  }
  const { run, judgement } = result.shown
  const all = [...result.warnings, ...run.warnings, ...(judgement?.warnings ?? []), ...calls.warnings]
  return { ...result, warnings: [...new Set(all)] }
}

/** When conversations must end, so that the judge has time left. */
function conversationDeadline({ deadline, limitMs, deps }: PassTools, isJudged: boolean): number | undefined {
  if (deadline === undefined || !isJudged) return deadline
  return deadline - judgeReserveMs(limitMs ?? deadline - deps.clock.now())
}

/** Where the transcripts of a test are written. */
function fileOf(
  options: PassConversationOptions,
  test: PassTools['test'],
  place: TestPlace | undefined,
  { env }: Deps,
): Pick<TrialContext, 'name' | 'testFile' | 'nth' | 'folder'> {
  const { folder = usualFolder } = configuration(env)
  const name = options.name ?? test?.name ?? 'conversation'
  return {
    name,
    testFile: options.name === undefined ? test?.file : undefined,
    nth: nthConversation(name, place),
    folder: folder === false ? undefined : folder,
  }
}

function resultOf(
  { outcome, trials, statistics }: TrialsResult<TrialResult>,
  { usage, replay }: ModelCalls,
  warnings: string[],
): ConversationResult {
  return {
    schemaVersion: 1,
    outcome,
    shown: shownTrial(trials, outcome),
    trials,
    ...(statistics !== undefined && { statistics }),
    usage,
    replay,
    warnings,
  }
}

/** Faults that another trial would only repeat. */
const hopeless: ReadonlySet<string> = new Set([
  'NO_MODEL',
  'MODEL_UNAVAILABLE',
  'MODEL_REFUSED',
  'MODEL_ANSWER',
  'BUDGET',
  'CASSETTE_MISS',
  'CASSETTE',
  'DEADLINE',
  'ABORTED',
  'UNREACHABLE',
  'TLS',
  'REFUSED_BY_POLICY',
  'AGENT_DID_NOT_START',
])

async function needModels(
  calls: ModelCalls,
  plan: ConversationPlan,
  criteria: readonly ParsedCriterion[],
): Promise<void> {
  if (plan.simulates) await needModel(calls, 'simulator', 'persona or goal asks for a simulated user')
  const judged = criteria.find(({ kind }) => kind !== 'check')
  if (judged !== undefined) {
    await needModel(
      calls,
      'judge',
      `criterion ${judged.id} is decided by a model: ${JSON.stringify(judged.text)}`,
    )
  }
}

/** The trial that says most about the result. */
function shownTrial(trials: readonly TrialResult[], outcome: TrialResult['outcome']): TrialResult {
  const found =
    outcome === 'passed'
      ? trials.findLast((one) => one.outcome === 'passed')
      : (trials.find((one) => one.outcome === outcome) ?? trials.find((one) => one.outcome !== 'passed'))
  return (found ?? trials.at(-1)) as TrialResult
}

/** How retries of the runner distort a pass rate. */
function retryWarnings(retries: number | undefined, { trials, passRate }: TrialPlan): string[] {
  if (retries === undefined || retries < 1 || trials === 1) return []
  const once = chanceOfPassing(0.6, trials, passRate)
  const often = 1 - (1 - once) ** (retries + 1)
  const percent = (share: number): string => `${Math.round(share * 100)} %`
  return [
    `the runner retries this test ${retries === 1 ? 'once' : `${retries} times`} if it fails: an agent that does well in 60 % of its conversations passes ${trials} trials in ${percent(once)}, and with retries in ${percent(often)}; set retry to 0 if trials count.`,
  ]
}

/** Closes the calls. A cassette that cannot be written must not hide a conversation that did not pass. */
async function close(calls: ModelCalls, result: ConversationResult | undefined): Promise<void> {
  try {
    await calls.close(result?.outcome ?? 'error')
  } catch (error) {
    if (result?.outcome === 'passed' || !isA2AError(error)) throw error
    result?.warnings.push(error.message)
  }
}
