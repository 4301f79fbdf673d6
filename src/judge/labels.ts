import { A2AUsageError } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'
import { parseCriteria } from './criteria.ts'
import { verdicts } from './kappa.ts'
import type { Criterion, CriterionVerdict, JudgedConversation, ParsedCriterion } from './types.ts'

/** A conversation that a person has judged. */
export interface LabelledConversation {
  /** Default: `conversation 1`, `conversation 2`, … */
  name?: string
  /** Conversations of one group get figures of their own. */
  group?: string
  /** What was said: a run that `converse()` gave, a saved one read from its file, or the entries alone. */
  conversation: Pick<JudgedConversation, 'entries'> & Partial<JudgedConversation>
  /** As `successCriteria`; what code decides needs no label. */
  criteria: string | readonly Criterion[]
  /** What the person decided: a list in the order of the criteria, or by their ids. */
  labels: readonly CriterionVerdict[] | Readonly<Record<string, CriterionVerdict>>
}

/** A labelled conversation, ready to be judged. */
export interface ParsedConversation {
  name: string
  group: string | undefined
  conversation: JudgedConversation
  criteria: ParsedCriterion[]
  /** By key. */
  labels: ReadonlyMap<string, CriterionVerdict>
}

/** Checks a labelled conversation. `nth` counts from 1. Throws A2AUsageError `BAD_OPTIONS` that names the conversation. */
export function parseLabelled(given: LabelledConversation, nth: number): ParsedConversation {
  if (typeof given !== 'object' || given === null) {
    throw wrong(
      `conversation ${nth} of calibrateJudge() must be an object with conversation, criteria and labels.`,
    )
  }
  const name = given.name ?? `conversation ${nth}`
  const { criteria } = parseCriteria(given.criteria, `"${name}" of calibrateJudge()`)
  const coded = criteria.find(({ kind }) => kind === 'check')
  if (coded !== undefined) {
    throw wrong(
      `the criterion "${coded.id}" of "${name}" is decided by code, so no judge can be right or wrong about it.`,
      'Leave it out.',
    )
  }
  return {
    name,
    group: given.group,
    conversation: conversationOf(given, name),
    criteria,
    labels: labelsOf(given, criteria, name),
  }
}

function conversationOf({ conversation }: LabelledConversation, name: string): JudgedConversation {
  const entries: unknown = (conversation as Partial<JudgedConversation> | undefined)?.entries
  const sound = (one: unknown): boolean => {
    const { turn, from, text } = (one ?? {}) as Record<string, unknown>
    return Number.isInteger(turn) && (from === 'user' || from === 'agent') && typeof text === 'string'
  }
  if (!Array.isArray(entries) || entries.length === 0 || !entries.every(sound)) {
    throw wrong(
      `"${name}" has no readable conversation: its entries must be a list of { turn, from, text }.`,
      'Give a run of converse(), a saved one, or { entries }.',
    )
  }
  const turns = conversation.turns ?? conversation.entries.filter(({ from }) => from === 'user').length
  const { maxTurns = turns, endReason = 'script_end', facts = [] } = conversation
  // A run has facts, too, but those are what its user knew.
  const ours = 'isA2AConversation' in conversation ? [] : facts
  return { entries: conversation.entries, turns, maxTurns, endReason, facts: ours }
}

function labelsOf(
  { labels }: LabelledConversation,
  criteria: readonly ParsedCriterion[],
  name: string,
): Map<string, CriterionVerdict> {
  if (typeof labels !== 'object' || labels === null) {
    throw wrong(`"${name}" has no labels.`, 'Give a verdict for each criterion: met, not_met or unknown.')
  }
  const listed: readonly (readonly [string, unknown])[] = Array.isArray(labels)
    ? labels.map((label: unknown, index) => [criteria[index]?.id ?? `number ${index + 1}`, label])
    : Object.entries(labels)
  const ids = criteria.map(({ id }) => id)
  for (const [id, label] of listed) {
    const near = nearest(id, ids)
    if (!ids.includes(id)) {
      throw wrong(
        `"${name}" has a label for the criterion "${id}", which it does not have.${near === undefined ? '' : ` Did you mean "${near}"?`}`,
      )
    }
    if (!verdicts.includes(label as CriterionVerdict)) {
      throw wrong(
        `the label of "${id}" in "${name}" must be met, not_met or unknown, but is ${JSON.stringify(label)}.`,
      )
    }
  }
  const byId = new Map(listed as readonly (readonly [string, CriterionVerdict])[])
  return new Map(
    criteria.map(({ key, id }) => {
      const label = byId.get(id)
      if (label === undefined) throw wrong(`"${name}" has no label for the criterion "${id}".`)
      return [key, label]
    }),
  )
}

function wrong(message: string, fix?: string): A2AUsageError {
  return new A2AUsageError('BAD_OPTIONS', message, fix === undefined ? {} : { fix })
}
