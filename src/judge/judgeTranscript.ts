import { systemDeps, type Deps } from '../core/deps.ts'
import { A2AModelError, A2AConnectionError, type A2AError, type A2AErrorCode } from '../core/errors.ts'
import { needsJudge, parseCriteria } from './criteria.ts'
import type { Criterion, Judgement, UnknownAs } from './types.ts'
import { testPlace } from '../model/configuration.ts'
import type {
  BudgetOptions,
  CassetteMode,
  CassetteOptions,
  JudgeOptions,
  PriceFunction,
  ReplayCount,
  UsageByRole,
} from '../model/types.ts'
import { checkOptions } from '../core/validate.ts'
import { parseRun, readRun } from '../transcript/savedRun.ts'
import { judgeRun } from './judgeRun.ts'
import { needModel } from '../model/needModel.ts'
import { openModelCalls } from '../model/openModelCalls.ts'
import { judgeTranscriptOptions } from './options.ts'
import { limitTime } from '../core/deadline.ts'
import type { ConversationRun, ConversationFault, TranscriptEntry } from '../transcript/types.ts'

/** How a conversation that was recorded earlier is judged. */
export interface JudgeTranscriptOptions {
  judge?: JudgeOptions
  /** Share of the weights that must be met, 0 to 1. Default 1. */
  threshold?: number
  /** What an undecided criterion counts as. Default `inconclusive`. */
  unknownAs?: UnknownAs
  cassette?: CassetteMode | CassetteOptions
  budget?: BudgetOptions
  price?: PriceFunction
  /** What the cassette is named after. Default: the running test. */
  name?: string
  /** Removes what must not be written to a cassette. */
  redact?: (text: string) => string
  /** Longest time for all of it in ms. Default: what the runner's limit leaves. */
  deadlineMs?: number
}

/** A recorded conversation: a run, the path of a file that a test wrote, or `{ entries }`. */
export type TranscriptSource = ConversationRun | string | { readonly entries: readonly TranscriptEntry[] }

/** The result of judging a recorded conversation. */
export interface CriteriaResult {
  run: ConversationRun
  /** Absent if the conversation could not be judged; `fault` says why. */
  judgement?: Judgement
  outcome: 'passed' | 'failed' | 'inconclusive' | 'invalid' | 'error'
  fault?: ConversationFault
  usage: UsageByRole
  replay: ReplayCount
  warnings: string[]
}

/** What the caller of `judgeByCriteria()` provides. */
export interface JudgeTools {
  deps: Deps
  signal: AbortSignal
  deadline?: number | undefined
  /** The function in messages. Default `toMeetCriteria`. */
  owner?: string
}

/**
 * Judges a recorded conversation, by other criteria or another judge; the agent is not called. Only the conversation
 * of a saved file is used, not its judgement. Throws A2AUsageError `BAD_SUBJECT` for a value that is not a conversation, `BAD_OPTIONS`,
 * `BAD_USE` for a check that throws, A2AModelError if the judge gives no verdict, A2AConnectionError `DEADLINE` if the deadline passes first.
 */
export async function judgeTranscript(
  source: TranscriptSource,
  criteria: string | readonly Criterion[],
  options: JudgeTranscriptOptions = {},
): Promise<Judgement> {
  const run = await runOf(source)
  const deps = systemDeps()
  const place = testPlace()
  const { judgement, fault } = await judgeByCriteria(run, criteria, options, {
    deps,
    signal: place?.signal ?? new AbortController().signal,
    deadline: place?.deadline,
    owner: 'judgeTranscript',
  })
  if (judgement !== undefined && (fault === undefined || fault === run.fault)) return judgement
  throw asError(fault)
}

/**
 * Judges a run by criteria. If the judge fails or the deadline passes, the result has the fault, and what code decided. Throws what
 * `judgeTranscript()` throws, and `NO_MODEL`.
 */
export async function judgeByCriteria(
  run: ConversationRun,
  successCriteria: string | readonly Criterion[],
  options: JudgeTranscriptOptions,
  tools: JudgeTools,
): Promise<CriteriaResult> {
  const { deps, owner = 'toMeetCriteria' } = tools
  checkOptions(owner, options, judgeTranscriptOptions)
  const { judge, threshold = 1, unknownAs, deadlineMs } = options
  const { criteria, warnings } = parseCriteria(successCriteria, owner)
  const calls = openModelCalls(options, run, deps, options.name ?? testPlace()?.name)
  const latest = Math.min(
    tools.deadline ?? Infinity,
    deadlineMs === undefined ? Infinity : deps.clock.now() + deadlineMs,
  )
  const time = limitTime(deps.clock, tools.signal, latest === Infinity ? undefined : latest)
  let outcome: CriteriaResult['outcome'] = 'error'
  try {
    if (needsJudge(criteria)) await needModel(calls, 'judge', 'these criteria are decided by a model')
    const judged = await judgeRun(run, {
      criteria,
      threshold,
      unknownAs,
      judge,
      calls,
      deps,
      trial: 1,
      signal: time.signal,
    })
    const { judgement } = judged
    const fault = run.fault ?? judged.fault
    outcome = fault?.outcome ?? judgement?.outcome ?? 'error'
    return {
      run,
      ...(judgement !== undefined && { judgement }),
      outcome,
      ...(fault !== undefined && { fault }),
      usage: calls.usage,
      replay: calls.replay,
      warnings: [...warnings, ...(judgement?.warnings ?? []), ...calls.warnings],
    }
  } finally {
    time.close()
    await calls.close(outcome)
  }
}

/** Throws A2AUsageError `BAD_SUBJECT`. */
async function runOf(source: unknown): Promise<ConversationRun> {
  return typeof source === 'string' ? readRun(source) : parseRun(source, 'given to judgeTranscript()')
}

function asError(fault: ConversationFault | undefined): A2AError {
  const { code, message, fix } = fault ?? { code: 'NO_VERDICT', message: 'the conversation was not judged' }
  const detail = fix === undefined ? {} : { fix }
  const isTime = code === 'DEADLINE' || code === 'ABORTED' || code === 'TIMEOUT'
  return new (isTime ? A2AConnectionError : A2AModelError)(code as A2AErrorCode, message, detail)
}
