import { defineDocument } from '../core/document.ts'
import { A2AUsageError } from '../core/errors.ts'
import { isStringList } from '../core/guards.ts'
import { nearest } from '../core/nearest.ts'
import { parseCriteria } from './criteria.ts'
import type { Criterion, CriterionVerdict, JudgedConversation, ParsedCriterion } from './types.ts'

/** A conversation that a person has judged. */
export interface LabelledConversation {
  /** Default: `conversation 1`, `conversation 2`, … */
  name?: string
  /** Each group of conversations gets its own figures. */
  group?: string
  /** What was said: a run of `converse()`, a saved one read from its file, or the entries alone. */
  conversation: Pick<JudgedConversation, 'entries'> & Partial<JudgedConversation>
  /** Like `successCriteria`, without criteria that code decides. */
  criteria: string | readonly Criterion[]
  /** What the person decided: a list in the order of the criteria, or by their ids. */
  labels: readonly CriterionVerdict[] | Readonly<Record<string, CriterionVerdict>>
}

const labelledConversation = defineDocument({
  name: 'labelled conversation',
  error: (message) => wrong(message, form),
  schema: (z) => {
    const verdict = z.enum(['met', 'not_met', 'unknown'])
    const entry = z.object({ turn: z.int(), from: z.enum(['user', 'agent']), text: z.string() })
    return z.object({
      name: z.string().optional(),
      group: z.string().optional(),
      conversation: z.object({
        entries: z.array(entry).min(1, 'must not be empty'),
        turns: z.int().optional(),
        maxTurns: z.int().optional(),
        endReason: z.string().optional(),
      }),
      labels: z.union([z.array(verdict), z.record(z.string(), verdict)]),
    })
  },
})

const form =
  'A labelled conversation is { conversation, criteria, labels }: a run of converse(), a saved one or { entries }, and a verdict for each criterion.'

/** A labelled conversation, ready to be judged. */
export interface ParsedConversation {
  name: string
  group: string | undefined
  conversation: JudgedConversation
  criteria: ParsedCriterion[]
  /** By key. */
  labels: ReadonlyMap<string, CriterionVerdict>
}

/** Checks labelled conversations. Throws A2AUsageError `BAD_OPTIONS` that names the conversation and what is wrong in it. */
export async function parseLabelled(
  labelled: readonly LabelledConversation[],
): Promise<ParsedConversation[]> {
  const { parse } = await labelledConversation()
  return labelled.map((one, index) => {
    const { name = `conversation ${index + 1}` } = (one ?? {}) as Partial<LabelledConversation>
    parse(one, JSON.stringify(name))
    return parseOne(one, name)
  })
}

function parseOne(labelled: LabelledConversation, name: string): ParsedConversation {
  const { criteria } = parseCriteria(labelled.criteria, `"${name}" of calibrateJudge()`)
  const coded = criteria.find(({ kind }) => kind === 'check')
  if (coded !== undefined) {
    throw wrong(
      `the criterion "${coded.id}" of "${name}" is decided by code, so a judge cannot be right or wrong about it.`,
      'Leave it out.',
    )
  }
  return {
    name,
    group: labelled.group,
    conversation: conversationOf(labelled),
    criteria,
    labels: labelsOf(labelled, criteria, name),
  }
}

function conversationOf({ conversation }: LabelledConversation): JudgedConversation {
  const { entries } = conversation
  const turns = conversation.turns ?? entries.filter(({ from }) => from === 'user').length
  const { maxTurns = turns, endReason = 'script_end', facts } = conversation
  // In a run, `facts` is what its user knew.
  const ours = !('isA2AConversation' in conversation) && isStringList(facts) ? facts : []
  return { entries, turns, maxTurns, endReason, facts: ours }
}

function labelsOf(
  { labels }: LabelledConversation,
  criteria: readonly ParsedCriterion[],
  name: string,
): Map<string, CriterionVerdict> {
  const byId = new Map(
    isLabelList(labels)
      ? labels.map((label, index) => [criteria[index]?.id ?? `number ${index + 1}`, label] as const)
      : Object.entries(labels),
  )
  const ids = criteria.map(({ id }) => id)
  const unknown = [...byId.keys()].find((id) => !ids.includes(id))
  if (unknown !== undefined) {
    const near = nearest(unknown, ids)
    throw wrong(
      `"${name}" has a label for the criterion "${unknown}", but no such criterion.${near === undefined ? '' : ` Did you mean "${near}"?`}`,
    )
  }
  return new Map(
    criteria.map(({ key, id }) => {
      const label = byId.get(id)
      if (label === undefined) throw wrong(`"${name}" has no label for the criterion "${id}".`)
      return [key, label]
    }),
  )
}

/** Array.isArray() does not narrow a readonly list. */
function isLabelList(labels: LabelledConversation['labels']): labels is readonly CriterionVerdict[] {
  return Array.isArray(labels)
}

function wrong(message: string, fix?: string): A2AUsageError {
  return new A2AUsageError('BAD_OPTIONS', message, fix === undefined ? {} : { fix })
}
