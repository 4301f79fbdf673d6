import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TranscriptEntry } from '../../src/transcript/types.ts'
import type { LabelledConversation } from '../../src/judge/labels.ts'
import type { Criterion, CriterionVerdict } from '../../src/judge/types.ts'

/** A turn as the files have it: `user: …`, `agent: …`, or an answer with more than text. */
type WrittenTurn =
  | string
  | {
      agent: string
      state?: NonNullable<TranscriptEntry['task']>['state']
      data?: unknown[]
      files?: NonNullable<TranscriptEntry['files']>
      artifacts?: { name: string; text: string }[]
    }

/** A criterion with its label, and the words that decide it where there are any. */
interface WrittenCriterion {
  must?: string
  mustNot?: string
  about?: 'user'
  label: CriterionVerdict
  turn?: number
  quote?: string
}

interface WrittenConversation {
  name: string
  entries: WrittenTurn[]
  criteria: WrittenCriterion[]
}

/** A labelled conversation, with the words that each label rests on. */
export interface SetConversation extends LabelledConversation {
  name: string
  group: string
  labels: CriterionVerdict[]
  quotes: ({ turn: number; quote: string } | undefined)[]
}

/** Reads the labelled conversations, theme by theme. */
export function loadJudgeSet(folder: string = import.meta.dirname): SetConversation[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .flatMap((name) => {
      const { theme, conversations } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
        theme: string
        conversations: WrittenConversation[]
      }
      return conversations.map((conversation) => read(conversation, theme))
    })
}

function read({ name, entries, criteria }: WrittenConversation, group: string): SetConversation {
  let turn = 0
  const read = entries.map((entry): TranscriptEntry => {
    if (typeof entry === 'string' && entry.startsWith('user: ')) {
      return { turn: ++turn, from: 'user', text: entry.slice(6) }
    }
    if (typeof entry === 'string') {
      if (!entry.startsWith('agent: ')) throw new Error(`"${name}": who says "${entry}"?`)
      return { turn, from: 'agent', text: entry.slice(7) }
    }
    const { agent, state, artifacts, ...rest } = entry
    return {
      turn,
      from: 'agent',
      text: agent,
      ...rest,
      ...(state === undefined ? {} : { task: { id: `task-of-${turn}`, nth: 1, state } }),
      ...(artifacts === undefined
        ? {}
        : { artifacts: artifacts.map((one, index) => ({ artifactId: `artifact-${index}`, ...one })) }),
    }
  })
  return {
    name,
    group,
    conversation: { entries: read },
    criteria: criteria.map(({ label: _label, turn: _turn, quote: _quote, ...one }) => one as Criterion),
    labels: criteria.map(({ label }) => label),
    quotes: criteria.map(({ turn: at, quote }) =>
      at === undefined || quote === undefined ? undefined : { turn: at, quote },
    ),
  }
}
