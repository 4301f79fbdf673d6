import { defineDocument, type Z } from '../../core/document.ts'
import { A2AModelError } from '../../core/errors.ts'
import type { ModelAnswer } from '../types.ts'
import { shortHash } from './name.ts'
import { inOrder, type Recording } from './recording.ts'

/** The content of a cassette. */
export interface Tape {
  test: string
  /** Relative to the working directory. */
  testFile?: string | undefined
  outcome: string
  recordings: readonly Recording[]
}

const schemaVersion = 1
/** Fixes every cassette that exists but cannot be used. */
export const recordAgain =
  'Record it again with A2A_CASSETTES=record, or restore the file from version control.'

/** A cassette as it is on disk: prompts stand once, in `texts`, and calls refer to them. */
const tapeFile = defineDocument({
  name: 'cassette',
  version: { member: 'schemaVersion', reads: [schemaVersion] },
  error: (message, detail) => new A2AModelError('CASSETTE', message, { ...detail, fix: recordAgain }),
  schema: (z) => {
    const call = callSchemas(z)
    return z
      .object({
        test: z.string(),
        testFile: z.string().exactOptional(),
        outcome: z.string(),
        calls: z.array(z.discriminatedUnion('role', [call.toModel, call.toAgent])),
        texts: z.record(z.string(), textSchema(z)),
      })
      .superRefine(({ calls, texts }, context) => {
        const referTo = (text: string | undefined, ...path: PropertyKey[]): void => {
          if (text === undefined || Object.hasOwn(texts, text)) return
          context.addIssue({ code: 'custom', path, message: `"texts" has no ${JSON.stringify(text)}` })
        }
        for (const [index, { system, messages = [] }] of calls.entries()) {
          referTo(system, 'calls', index, 'system')
          for (const [nth, { text }] of messages.entries())
            referTo(text, 'calls', index, 'messages', nth, 'text')
        }
      })
  },
})

type TapeFile = ReturnType<Awaited<ReturnType<typeof tapeFile>>['parse']>
type CallInFile = TapeFile['calls'][number]
type RequestInFile = Omit<CallInFile, 'role' | 'model' | 'answer'>
type AnswerInFile = Exclude<CallInFile, { role: 'agent' }>['answer']

/** A text of several lines is a list of lines in the file. */
const textSchema = (z: Z) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((text) => (typeof text === 'string' ? text : text.join('\n')))

function callSchemas(z: Z) {
  const request = {
    trial: z.number(),
    turn: z.number(),
    attempt: z.number(),
    system: z.string().exactOptional(),
    messages: z.array(z.object({ role: z.enum(['user', 'assistant']), text: z.string() })).exactOptional(),
    schema: z.string().exactOptional(),
    temperature: z.number().exactOptional(),
    maxTokens: z.number().exactOptional(),
    seed: z.number().exactOptional(),
  }
  const answer = z
    .object({
      text: textSchema(z).exactOptional(),
      json: z.unknown().optional(),
      data: z.unknown().optional(),
      indent: z.literal(2).exactOptional(),
      usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).exactOptional(),
    })
    .refine(
      ({ text, json, data }) => [text, json, data].some((one) => one !== undefined),
      'needs "text", "json" or "data"',
    )
  return {
    toModel: z.object({
      ...request,
      role: z.enum(['simulator', 'judge', 'check']),
      model: z.string().exactOptional(),
      answer,
    }),
    toAgent: z.object({ ...request, role: z.literal('agent'), answer: z.object({ heard: z.unknown() }) }),
  }
}

/** Loads what reads cassettes: it takes the text of one, and its path for errors. It throws A2AModelError `CASSETTE`. */
export async function openTapeReader(): Promise<TapeReader> {
  const { parseText } = await tapeFile()
  return (text, path) => tapeOf(parseText(text, path))
}

/** Reads the text of a cassette. Throws A2AModelError `CASSETTE` that says what is wrong with it. */
export type TapeReader = (text: string, path: string) => Tape

function tapeOf({ calls, texts, ...head }: TapeFile): Tape {
  return { ...head, recordings: calls.map((call) => recordingOf(call, texts)) }
}

function recordingOf(call: CallInFile, texts: TapeFile['texts']): Recording {
  if (call.role === 'agent') {
    const { role, answer, ...request } = call
    return { role, ...requestOf(request, texts), answer }
  }
  const { role, model, answer, ...request } = call
  return {
    role,
    ...(model !== undefined && { model }),
    ...requestOf(request, texts),
    answer: answerOf(answer),
  }
}

function requestOf(
  { trial, turn, attempt, system, messages, ...rest }: RequestInFile,
  texts: TapeFile['texts'],
): Pick<Recording, 'place' | 'asked'> {
  const textOf = (key: string): string => texts[key] ?? ''
  const asked = {
    ...rest,
    ...(system !== undefined && { system: textOf(system) }),
    ...(messages !== undefined && {
      messages: messages.map(({ role, text }) => ({ role, content: textOf(text) })),
    }),
  }
  return { place: { trial, turn, attempt }, asked }
}

function answerOf({ text, json, data, indent, usage }: AnswerInFile): ModelAnswer {
  return {
    text: text ?? JSON.stringify(json === undefined ? data : json, undefined, indent),
    ...(json !== undefined && { json }),
    ...(usage !== undefined && { usage }),
  }
}

type Fields = Record<string, unknown>

/**
 * The text of a cassette: readable, the same for the same conversation, and with each prompt text once, however many requests repeat it.
 */
export function writeTape({ test, testFile, outcome, recordings }: Tape): string {
  const texts: Record<string, unknown> = {}
  const keep = (text: string): string => {
    const key = shortHash(text)
    texts[key] = lines(text)
    return key
  }
  const sorted = inOrder(recordings)
  const calls = sorted.map(({ role, model, place, asked, answer }) =>
    fields({
      ...place,
      role,
      model,
      ...asked,
      system: asked.system === undefined ? undefined : keep(asked.system),
      messages: asked.messages?.map((one) => ({ role: one.role, text: keep(one.content) })),
      answer: 'heard' in answer ? { heard: answer.heard } : writeAnswer(answer),
    }),
  )
  const models = fields(Object.fromEntries(sorted.map(({ role, model }) => [role, model])))
  const whole = fields({ schemaVersion, test, testFile, outcome, models, calls, texts: fields(texts) })
  return `${JSON.stringify(whole, undefined, 2)}\n`
}

/** JSON, which judges answer, is written as JSON if the exact text can be restored from it. */
function writeAnswer({ text, json, usage }: ModelAnswer): Fields {
  const written =
    json === undefined
      ? readable(text)
      : { json, text: text === JSON.stringify(json) ? undefined : lines(text) }
  return fields({
    ...written,
    usage: usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
  })
}

function readable(text: string): Fields {
  try {
    const data: unknown = JSON.parse(text)
    if (typeof data !== 'object') return { text: lines(text) }
    if (JSON.stringify(data) === text) return { data }
    if (JSON.stringify(data, undefined, 2) === text) return { data, indent: 2 }
  } catch {
    // Not JSON.
  }
  return { text: lines(text) }
}

const lines = (text: string): string | string[] => (text.includes('\n') ? text.split('\n') : text)

/** Sorted by name, without those that are undefined. */
function fields(value: Fields): Fields {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}
