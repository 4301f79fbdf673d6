import type { A2AAgent } from '../agent/types.ts'
import type { Deps } from '../core/deps.ts'
import { isA2AError } from '../core/errors.ts'
import type { ParsedCriterion } from '../judge/types.ts'
import { simulatorOptions } from '../model/configuration.ts'
import type { ModelCalls } from '../model/types.ts'
import { checkSimulator } from './checkSimulator.ts'
import { writeRun } from './saveRun.ts'
import { runConversation } from './runConversation.ts'
import { judgeRun } from '../judge/judgeRun.ts'
import type { ConversationPlan } from './planConversation.ts'
import { withOwnRedaction } from './redaction.ts'
import { startUsageMeter } from './usageMeter.ts'
import type { PassConversationOptions, TrialResult } from './types.ts'
import type { ConversationRun, EndReason, ConversationFault } from '../transcript/types.ts'

/** What all trials of a test share. */
export interface TrialContext {
  agent: A2AAgent
  options: PassConversationOptions
  plan: ConversationPlan
  criteria: readonly ParsedCriterion[]
  threshold: number
  calls: ModelCalls
  deps: Deps
  /** When a conversation must end, so that the judge has time left. */
  conversationDeadline: number | undefined
  name: string
  /** The file of the test that the name comes from. */
  testFile: string | undefined
  /** Which conversation of that name it is within the test, from 1. */
  nth: number
  folder: string | undefined
}

/** Runs one conversation, judges it, reviews the simulated user if necessary, and saves the run. */
export async function runTrial(
  context: TrialContext,
  trial: number,
  signal: AbortSignal,
): Promise<TrialResult> {
  const { agent, options, plan, criteria, calls, deps } = context
  const meter = startUsageMeter(calls)
  const { run } = await runConversation(agent, plan, {
    calls,
    trial,
    deps,
    signal,
    deadline: context.conversationDeadline,
    criteria: criteria.filter(({ kind }) => kind !== 'check').map(({ text }) => text),
  })
  run.name = context.name
  const { judgement, fault: judgeFault } = await judgeRun(run, {
    criteria,
    threshold: context.threshold,
    unknownAs: options.unknownAs,
    judge: options.judge,
    calls,
    deps,
    trial,
    signal,
  })
  const fault = run.fault ?? judgeFault
  let result: TrialResult = {
    run,
    ...(judgement !== undefined && { judgement }),
    outcome: fault?.outcome ?? judgement?.outcome ?? 'error',
    ...(fault !== undefined && { fault }),
  }
  result = await reviewed(result, context, { trial, signal })
  const { usage, replay } = meter.used()
  Object.assign(run, { usage, replay })
  if (judgement?.model !== undefined) run.models.judge = judgement.model
  if (judgement?.promptVersion !== undefined) run.promptVersions.judge = judgement.promptVersion
  return written(redacted(result, options), context, trial)
}

const endedByUser: ReadonlySet<EndReason> = new Set(['goal', 'gave_up', 'cannot_answer', 'user_ended'])

/** Reviews the simulated user of a conversation that did not pass: if it broke its role, the conversation says nothing about the agent. */
async function reviewed(
  result: TrialResult,
  { options, calls, deps }: TrialContext,
  { trial, signal }: { trial: number; signal: AbortSignal },
): Promise<TrialResult> {
  const { run, outcome } = result
  const { check: when = 'on-failure' } = simulatorOptions(options.simulator, deps.env)
  // A simulated user that ended the conversation too early may never have said a word.
  const isPlayed = run.entries.some(({ by }) => by === 'simulator') || endedByUser.has(run.endReason)
  if (!isPlayed || when === 'never' || outcome === 'invalid' || outcome === 'error') return result
  if (outcome === 'passed' && when === 'on-failure') return result
  const skipped = (why: string): TrialResult => {
    run.warnings.push(`the simulated user was not reviewed: ${why}`)
    return result
  }
  if (signal.aborted) return skipped('the deadline passed')
  let check: TrialResult['check']
  try {
    check = await checkSimulator(run, {
      calls,
      id: deps.id,
      trial,
      signal,
      warn: (warning) => run.warnings.push(warning),
    })
  } catch (error) {
    if (signal.aborted) return skipped('the deadline passed')
    if (!isA2AError(error) || error.name !== 'A2AModelError') throw error
    const { code, message, fix } = error
    const fault: ConversationFault = { outcome: 'error', code, message, fix }
    return { ...result, outcome: 'error', fault }
  }
  if (check === undefined) return result
  if (check.severity !== 'helped' && check.severity !== 'hindered') return { ...result, check }
  const where = check.turn === undefined ? '' : ` in turn ${check.turn}`
  const fault: ConversationFault = {
    outcome: 'invalid',
    code: 'INVALID',
    message: `the simulated user ${check.severity} the agent${where}: ${check.why.replace(/\.$/, '')}`,
  }
  return { ...result, outcome: 'invalid', check, fault }
}

/** The result after the option `redact`. It keeps the secrets, which messages need for their own redaction. */
function redacted(result: TrialResult, { redact }: PassConversationOptions): TrialResult {
  if (redact === undefined) return result
  const { secrets } = result.run
  const clean = withOwnRedaction(result, redact)
  return { ...clean, run: { ...clean.run, secrets } satisfies ConversationRun }
}

/** The result with the path of its file; a file that cannot be written is a warning. */
async function written(result: TrialResult, context: TrialContext, trial: number): Promise<TrialResult> {
  const { name, nth, folder, testFile } = context
  if (folder === undefined) return result
  try {
    return {
      ...result,
      file: await writeRun(result, { name, nth, trial, folder, testFile }),
    }
  } catch (error) {
    result.run.warnings.push(`the transcript was not written: ${(error as Error).message}`)
    return result
  }
}
