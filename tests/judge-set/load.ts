import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineDocument } from '../../src/core/document.ts'
import type { LabelledConversation } from '../../src/judge/labels.ts'
import type { CriterionVerdict } from '../../src/judge/types.ts'
import type { TranscriptEntry } from '../../src/transcript/types.ts'

/** One theme: a file of labelled conversations. */
const theme = defineDocument({
  name: 'labelled set',
  schema: (z) => {
    // An answer with more than text.
    const answer = z.strictObject({
      agent: z.string(),
      state: z
        .enum(['working', 'completed', 'input-required', 'failed', 'canceled', 'rejected'])
        .exactOptional(),
      data: z.array(z.unknown()).exactOptional(),
      files: z
        .array(
          z.strictObject({
            name: z.string().exactOptional(),
            mediaType: z.string().exactOptional(),
            bytes: z.number().exactOptional(),
          }),
        )
        .exactOptional(),
      artifacts: z.array(z.strictObject({ name: z.string(), text: z.string() })).exactOptional(),
    })
    const spoken = z.string().regex(/^(user|agent): /, 'must start with "user: " or "agent: "')
    const decision = {
      label: z.enum(['met', 'not_met', 'unknown']),
      // The words that decide it, if there are any.
      turn: z.int().exactOptional(),
      quote: z.string().exactOptional(),
    }
    const criterion = z.union([
      z.strictObject({ must: z.string(), evidenceFrom: z.literal('user').exactOptional(), ...decision }),
      z.strictObject({ mustNot: z.string(), ...decision }),
    ])
    return z.strictObject({
      theme: z.string(),
      conversations: z.array(
        z.strictObject({
          name: z.string(),
          entries: z.array(z.union([spoken, answer])),
          criteria: z.array(criterion),
        }),
      ),
    })
  },
})

type WrittenConversation = ReturnType<Awaited<ReturnType<typeof theme>>['parse']>['conversations'][number]

/** A labelled conversation, with the words that each label rests on. */
export interface SetConversation extends LabelledConversation {
  name: string
  group: string
  labels: CriterionVerdict[]
  quotes: ({ turn: number; quote: string } | undefined)[]
}

/** Reads the labelled conversations, theme by theme. */
export async function loadJudgeSet(folder: string = import.meta.dirname): Promise<SetConversation[]> {
  const { parseText } = await theme()
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .flatMap((name) => {
      const file = join(folder, name)
      const { theme, conversations } = parseText(readFileSync(file, 'utf8'), file)
      return conversations.map((conversation) => read(conversation, theme))
    })
}

function read({ name, entries, criteria }: WrittenConversation, group: string): SetConversation {
  let turn = 0
  return {
    name,
    group,
    conversation: {
      entries: entries.map((entry): TranscriptEntry => {
        if (typeof entry !== 'string') return answered(entry, turn)
        const [from, ...text] = entry.split(': ')
        return from === 'user'
          ? { turn: ++turn, from, text: text.join(': ') }
          : { turn, from: 'agent', text: text.join(': ') }
      }),
    },
    criteria: criteria.map(({ label: _label, turn: _turn, quote: _quote, ...criterion }) => criterion),
    labels: criteria.map(({ label }) => label),
    quotes: criteria.map(({ turn: at, quote }) =>
      at === undefined || quote === undefined ? undefined : { turn: at, quote },
    ),
  }
}

function answered(
  { agent, state, artifacts, ...rest }: Exclude<WrittenConversation['entries'][number], string>,
  turn: number,
): TranscriptEntry {
  return {
    turn,
    from: 'agent',
    text: agent,
    ...rest,
    ...(state !== undefined && { task: { id: `task-of-${turn}`, nth: 1, state } }),
    ...(artifacts && {
      artifacts: artifacts.map((one, index) => ({ artifactId: `artifact-${index}`, ...one })),
    }),
  }
}
