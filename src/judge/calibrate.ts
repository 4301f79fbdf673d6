import { systemDeps } from '../core/deps.ts'
import { A2AModelError, isA2AError } from '../core/errors.ts'
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
import { abortSignal, badOption, checkOptions, countingNumber, filledText, show } from '../core/validate.ts'
import { modelOptions } from '../model/configuration.ts'
import { agreementOf, confusionOf, kappaOf, type Confusion } from './kappa.ts'
import { parseLabelled, type LabelledConversation, type ParsedConversation } from './labels.ts'
import type { CriterionVerdict, Evidence } from './types.ts'

/** Options of `calibrateJudge()`. */
export interface CalibrationOptions {
  judge?: JudgeOptions
  cassette?: CassetteMode | CassetteOptions
  budget?: BudgetOptions
  price?: PriceFunction
  /** The cassette is named after it. Default `calibrate-judge`. */
  name?: string
  /** Conversations judged at the same time. Default 4. */
  concurrency?: number
  signal?: AbortSignal
}

/** How well a judge and a person agree. */
export interface CalibrationFigures {
  /** Verdicts that were compared: one per criterion. */
  n: number
  /** The share of them that agree; absent if n is 0. */
  agreement?: number
  /** Cohen's kappa; absent if it is undefined, for example because all labels and verdicts are the same. */
  kappa?: number
  /** Counts by label, then by the judge's verdict. */
  confusion: Confusion
}

/** A criterion that judge and person decided differently. */
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
  /** By group; conversations without a group are in none of them. */
  groups: Record<string, CalibrationFigures>
  disagreements: Disagreement[]
  /** Conversations for which the judge gave no usable answer; they are not counted. */
  failed: { conversation: string; message: string }[]
  usage: UsageByRole
  replay: ReplayCount
  warnings: string[]
}

type Pair = readonly [label: CriterionVerdict, verdict: CriterionVerdict]

interface Compared {
  parsed: ParsedConversation
  pairs: Pair[]
  disagreements: Disagreement[]
  failure?: string
}

/**
 * Judges conversations that a person has already judged, and reports how well the two agree: to choose a judge, and to find ambiguous
 * criteria. Throws A2AModelError `NO_MODEL` if no judge is configured, and what its calls throw (`MODEL_UNAVAILABLE`, `BUDGET`,
 * `CASSETTE_MISS`); A2AUsageError `BAD_OPTIONS` for labels that do not match the criteria.
 */
export async function calibrateJudge(
  labelled: readonly LabelledConversation[],
  options: CalibrationOptions = {},
): Promise<Calibration> {
  checkOptions('calibrateJudge', options, {
    judge: modelOptions.judge,
    cassette: modelOptions.cassette,
    budget: modelOptions.budget,
    price: modelOptions.price,
    name: filledText,
    concurrency: countingNumber,
    signal: abortSignal,
  })
  if (!Array.isArray(labelled) || labelled.length === 0) {
    throw badOption(
      'calibrateJudge',
      `\`labelled\` must be a non-empty array of labelled conversations; received ${show(labelled)}.`,
      'Give conversations that a person has judged, 20 or more: { conversation, criteria, labels }.',
    )
  }
  const conversations = await parseLabelled(labelled)
  const { openCalls } = await import('../model/calls.ts')
  const { signal, concurrency = 4, ...rest } = options
  const deps = systemDeps()
  const calls = openCalls({ name: 'calibrate-judge', ...rest, deps })
  const model = await calls.idOf('judge')
  if (model === undefined) {
    throw new A2AModelError(
      'NO_MODEL',
      'calibrateJudge() has no judge to calibrate: no model is configured.',
      {
        fix: 'Pass `judge: { model }`, set A2A_JUDGE_MODEL, or call configureA2A({ model }).',
      },
    )
  }
  let judged: Compared[] | undefined
  try {
    const context = { calls, id: deps.id, signal: signal ?? new AbortController().signal }
    judged = await inOrder(conversations, concurrency, async (parsed, index) =>
      judgeOne(parsed, index + 1, options.judge, context),
    )
  } finally {
    await calls.close(judged === undefined ? 'error' : 'calibrated')
  }
  // Closing adds warnings.
  return summary(judged, model, calls)
}

async function judgeOne(
  parsed: ParsedConversation,
  trial: number,
  judge: JudgeOptions | undefined,
  context: { calls: ModelCalls; id: () => string; signal: AbortSignal },
): Promise<Compared> {
  const { judgeWords } = await import('./judgeConversation.ts')
  const { name, group, conversation, criteria, labels } = parsed
  try {
    const judgement = await judgeWords(conversation, criteria, new Map(), {
      ...context,
      judge,
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
              ...(group !== undefined && { group }),
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
    // An unusable answer is a property of the judge; a missing model is not.
    if (!isA2AError(error) || (error.code !== 'MODEL_ANSWER' && error.code !== 'MODEL_REFUSED')) throw error
    return { parsed, pairs: [], disagreements: [], failure: error.message }
  }
}

async function summary(judged: readonly Compared[], model: string, calls: ModelCalls): Promise<Calibration> {
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
    ...(agreement !== undefined && { agreement }),
    ...(kappa !== undefined && { kappa }),
    confusion,
  }
}

/** Runs up to `atOnce` at the same time, and returns the results in the order of the items. */
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
  // All workers end before the first failure is thrown, so that nothing keeps running.
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  if (failures.length > 0) throw failures[0]
  return results
}
