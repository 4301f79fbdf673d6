import { systemDeps } from '../core/deps.ts'
import { A2AModelError, A2AUsageError, isA2AError } from '../core/errors.ts'
import type {
  BudgetOptions,
  CassetteMode,
  CassetteOptions,
  JudgeOptions,
  ModelCalls,
  PriceFunction,
  ReplayCount,
  UsageByRole,
} from '../model/types.ts'
import { checkOptions, countingNumber, either, filledText, fn, oneOf, record } from '../core/validate.ts'
import { agreementOf, confusionOf, kappaOf, type Confusion } from './kappa.ts'
import { parseLabelled, type LabelledConversation, type ParsedConversation } from './labels.ts'
import type { CriterionVerdict, Evidence } from './types.ts'

/** Options of `calibrateJudge()`. */
export interface CalibrationOptions {
  judge?: JudgeOptions
  cassette?: CassetteMode | CassetteOptions
  budget?: BudgetOptions
  price?: PriceFunction
  /** What a cassette is named after. Default `calibrate-judge`. */
  name?: string
  /** Conversations that are judged at the same time. Default 4. */
  concurrency?: number
  signal?: AbortSignal
}

/** How far a judge and a person agree. */
export interface CalibrationFigures {
  /** Verdicts that were compared, one a criterion. */
  n: number
  /** Share of them that agree; absent where n is 0. */
  agreement?: number
  /** Cohen's kappa; absent where it says nothing, as when all labels and verdicts are the same one. */
  kappa?: number
  /** Counts by label, then by what the judge said. */
  confusion: Confusion
}

/** A criterion that the judge decided otherwise than the person. */
export interface Disagreement {
  conversation: string
  group?: string
  /** Id of the criterion. */
  criterion: string
  text: string
  label: CriterionVerdict
  verdict: CriterionVerdict
  /** The judge's. */
  reason: string
  evidence: Evidence[]
}

/** What `calibrateJudge()` found. */
export interface Calibration extends CalibrationFigures {
  model: string
  promptVersion: string
  /** By the group of the conversations; conversations without a group are in none. */
  groups: Record<string, CalibrationFigures>
  disagreements: Disagreement[]
  /** Conversations for which the judge gave no usable answer; they are in no figure. */
  failed: { conversation: string; message: string }[]
  usage: UsageByRole
  replay: ReplayCount
  warnings: string[]
}

type Pair = readonly [label: CriterionVerdict, verdict: CriterionVerdict]

interface JudgedOne {
  parsed: ParsedConversation
  pairs: Pair[]
  disagreements: Disagreement[]
  failure?: string
}

/**
 * Judges conversations that a person has judged before, and tells how far the two agree: the way to choose a judge, and to find criteria that
 * can be read in two ways. Throws A2AModelError `NO_MODEL` where no judge is given, and what its calls throw (`MODEL_UNAVAILABLE`,
 * `BUDGET`, `CASSETTE_MISS`); A2AUsageError `BAD_OPTIONS` for labels that do not fit.
 */
export async function calibrateJudge(
  labelled: readonly LabelledConversation[],
  options: CalibrationOptions = {},
): Promise<Calibration> {
  checkOptions('calibrateJudge', options, {
    judge: record,
    cassette: either(oneOf('off', 'record', 'replay', 'refresh-misses'), record),
    budget: record,
    price: fn,
    name: filledText,
    concurrency: countingNumber,
    signal: record,
  })
  if (!Array.isArray(labelled) || labelled.length === 0) {
    throw new A2AUsageError(
      'BAD_OPTIONS',
      'calibrateJudge() needs a list of labelled conversations, and has none.',
      {
        fix: 'Give conversations that a person has judged, 20 or more: { conversation, criteria, labels }.',
      },
    )
  }
  const conversations = labelled.map((one: LabelledConversation, index) => parseLabelled(one, index + 1))
  const { openCalls } = await import('../model/calls.ts')
  const { signal, concurrency = 4, ...rest } = options
  const deps = systemDeps()
  const calls = openCalls({ name: 'calibrate-judge', ...rest, deps })
  const model = await calls.idOf('judge')
  if (model === undefined) {
    throw new A2AModelError('NO_MODEL', 'calibrateJudge() has no judge to calibrate: no model is given.', {
      fix: 'Give `judge: { model }`, set A2A_JUDGE_MODEL, or call configureA2A({ model }).',
    })
  }
  let judged: JudgedOne[] | undefined
  try {
    const about = { calls, id: deps.id, signal: signal ?? new AbortController().signal }
    judged = await inOrder(conversations, concurrency, async (parsed, index) =>
      judgeOne(parsed, index + 1, options.judge, about),
    )
  } finally {
    await calls.close(judged === undefined ? 'error' : 'calibrated')
  }
  // Only now are all warnings there.
  return summary(judged, model, calls)
}

async function judgeOne(
  parsed: ParsedConversation,
  trial: number,
  judge: JudgeOptions | undefined,
  about: { calls: ModelCalls; id: () => string; signal: AbortSignal },
): Promise<JudgedOne> {
  const { judgeWords } = await import('./judge.ts')
  const { name, group, conversation, criteria, labels } = parsed
  try {
    const judgement = await judgeWords(conversation, criteria, new Map(), {
      ...about,
      ...(judge === undefined ? {} : { judge }),
      threshold: 1,
      partial: false,
      trial,
    })
    const compared = judgement.criteria.map((one) => ({ one, label: labels.get(one.key) ?? 'unknown' }))
    return {
      parsed,
      pairs: compared.map(({ one, label }) => [label, one.verdict] as const),
      disagreements: compared.flatMap(({ one, label }) =>
        one.verdict === label
          ? []
          : {
              conversation: name,
              ...(group === undefined ? {} : { group }),
              criterion: one.id,
              text: one.text,
              label,
              verdict: one.verdict,
              reason: one.reason,
              evidence: one.evidence,
            },
      ),
    }
  } catch (error) {
    // One answer that is no use is a figure of a judge; a model that is not there is none.
    if (!isA2AError(error) || (error.code !== 'MODEL_ANSWER' && error.code !== 'MODEL_REFUSED')) throw error
    return { parsed, pairs: [], disagreements: [], failure: error.message }
  }
}

async function summary(judged: readonly JudgedOne[], model: string, calls: ModelCalls): Promise<Calibration> {
  const { judgeVersion } = await import('./prompt.ts')
  const groups = new Map<string, Pair[]>()
  for (const { parsed, pairs } of judged) {
    if (parsed.group !== undefined) groups.set(parsed.group, [...(groups.get(parsed.group) ?? []), ...pairs])
  }
  return {
    ...figures(judged.flatMap(({ pairs }) => pairs)),
    model,
    promptVersion: judgeVersion,
    groups: Object.fromEntries([...groups].map(([group, pairs]) => [group, figures(pairs)])),
    disagreements: judged.flatMap(({ disagreements }) => disagreements),
    failed: judged.flatMap(({ parsed, failure }) =>
      failure === undefined ? [] : { conversation: parsed.name, message: failure },
    ),
    usage: calls.usage,
    replay: calls.replay,
    warnings: [...calls.warnings],
  }
}

function figures(pairs: readonly Pair[]): CalibrationFigures {
  const confusion = confusionOf(pairs)
  const agreement = agreementOf(confusion)
  const kappa = kappaOf(confusion)
  return {
    n: pairs.length,
    ...(agreement === undefined ? {} : { agreement }),
    ...(kappa === undefined ? {} : { kappa }),
    confusion,
  }
}

/** Runs so many at a time, and gives the results in the order of the items. */
async function inOrder<T, R>(
  items: readonly T[],
  atOnce: number,
  run: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const failures: unknown[] = []
  const waiting = [...items.entries()].values()
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (failures.length > 0) return
      try {
        results[index] = await run(item, index)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  // All of them end before the first failure is told, so that nothing is left running.
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  if (failures.length > 0) throw failures[0]
  return results
}
