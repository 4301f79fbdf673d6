import { A2AModelError } from '../../core/errors.ts'
import type { ModelAnswer, ModelMessage, Usage } from '../types.ts'
import { shortHash } from './name.ts'
import { inOrder, type Recording, type Speaker } from './recording.ts'

/** Everything that a cassette holds. */
export interface Tape {
  test: string
  /** Relative to the working directory. */
  testFile?: string | undefined
  outcome: string
  recordings: readonly Recording[]
}

const schemaVersion = 1
/** Fixes every cassette that is there but of no use. */
export const recordAgain =
  'Record it again with A2A_CASSETTES=record, or take the file back from version control.'

type Fields = Record<string, unknown>

/**
 * The text of a cassette: readable, the same for the same conversation, and with each prompt text once, however many requests repeat it.
 * Several lines are written as several lines.
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

/** Reads the text of a cassette. Throws A2AModelError `CASSETTE` that says what is wrong with it. */
export function readTape(text: string, path: string): Tape {
  const broken = (why: string, cause?: unknown): A2AModelError =>
    new A2AModelError('CASSETTE', `the cassette ${path} cannot be read: ${why}.`, {
      fix: recordAgain,
      cause,
    })
  let whole: unknown
  try {
    whole = JSON.parse(text)
  } catch (error) {
    throw broken(`it is no JSON (${(error as Error).message})`, error)
  }
  if (!isFields(whole)) throw broken('it is no JSON object')
  if (whole['schemaVersion'] !== schemaVersion) {
    throw broken(
      `its schemaVersion is ${JSON.stringify(whole['schemaVersion']) ?? 'missing'}, and this version of expect-a2a reads ${schemaVersion}`,
    )
  }
  const { test, testFile, outcome, calls, texts } = whole
  if (typeof test !== 'string') throw broken('`test` is no string')
  if (typeof outcome !== 'string') throw broken('`outcome` is no string')
  if (!Array.isArray(calls)) throw broken('`calls` is no list')
  if (!isFields(texts)) throw broken('`texts` is no object')
  const recordings = calls.map((call: unknown, index) => {
    const recording = readCall(call, texts)
    if (typeof recording === 'string') throw broken(`\`calls[${index}]\`: ${recording}`)
    return recording
  })
  return { test, outcome, recordings, ...(typeof testFile === 'string' && { testFile }) }
}

/** A string is what is wrong with it. */
function readCall(call: unknown, texts: Fields): Recording | string {
  if (!isFields(call)) return 'it is no object'
  const { role, model, trial, turn, attempt, system, messages, schema, answer } = call
  if (!isSpeaker(role)) return '`role` is none of simulator, judge, check and agent'
  if (typeof trial !== 'number' || typeof turn !== 'number' || typeof attempt !== 'number') {
    return '`trial`, `turn` and `attempt` are not all numbers'
  }
  const textOf = (key: unknown): string | undefined =>
    typeof key === 'string' && Object.hasOwn(texts, key) ? joined(texts[key]) : undefined
  const read: ModelMessage[] = []
  for (const message of Array.isArray(messages) ? messages : []) {
    const content = isFields(message) ? textOf(message['text']) : undefined
    if (content === undefined) return 'a message has no text in `texts`'
    read.push({ role: (message as { role: unknown }).role === 'assistant' ? 'assistant' : 'user', content })
  }
  const systemText = textOf(system)
  if (system !== undefined && systemText === undefined) return '`system` has no text in `texts`'
  const said = readAnswer(answer, role)
  if (said === undefined) return '`answer` is missing or has no text'
  return {
    role,
    ...(typeof model === 'string' && { model }),
    place: { trial, turn, attempt },
    asked: {
      ...(systemText !== undefined && { system: systemText }),
      ...(Array.isArray(messages) && { messages: read }),
      ...(typeof schema === 'string' && { schema }),
      ...numbers(call),
    },
    answer: said,
  }
}

function numbers(call: Fields): { temperature?: number; maxTokens?: number; seed?: number } {
  const names = ['temperature', 'maxTokens', 'seed']
  return Object.fromEntries(
    names.filter((name) => typeof call[name] === 'number').map((name) => [name, call[name]]),
  )
}

/** JSON as JSON where that can be turned back into the very text; it is what judges answer. */
function writeAnswer({ text, json, usage }: ModelAnswer): Fields {
  if (json !== undefined) {
    return fields({
      json,
      text: text === JSON.stringify(json) ? undefined : lines(text),
      usage: usageOf(usage),
    })
  }
  return fields({ ...readable(text), usage: usageOf(usage) })
}

function readable(text: string): Fields {
  try {
    const data: unknown = JSON.parse(text)
    if (typeof data !== 'object') return { text: lines(text) }
    if (JSON.stringify(data) === text) return { data }
    if (JSON.stringify(data, undefined, 2) === text) return { data, indent: 2 }
  } catch {
    // It is no JSON.
  }
  return { text: lines(text) }
}

function readAnswer(answer: unknown, role: Speaker): Recording['answer'] | undefined {
  if (!isFields(answer)) return undefined
  if (role === 'agent') return 'heard' in answer ? { heard: answer['heard'] } : undefined
  const { json, data, indent, usage } = answer
  const source = json === undefined ? data : json
  const text =
    joined(answer['text']) ??
    (source === undefined ? undefined : JSON.stringify(source, undefined, indent === 2 ? 2 : undefined))
  if (text === undefined) return undefined
  return { text, ...(json !== undefined && { json }), ...(isUsage(usage) && { usage }) }
}

function usageOf(usage: Usage | undefined): Fields | undefined {
  return usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens }
}

function isUsage(value: unknown): value is Usage {
  return (
    isFields(value) && typeof value['inputTokens'] === 'number' && typeof value['outputTokens'] === 'number'
  )
}

function isSpeaker(value: unknown): value is Speaker {
  return value === 'simulator' || value === 'judge' || value === 'check' || value === 'agent'
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const lines = (text: string): string | string[] => (text.includes('\n') ? text.split('\n') : text)

function joined(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return Array.isArray(value) && value.every((line) => typeof line === 'string')
    ? value.join('\n')
    : undefined
}

/** Sorted by name, without those that are undefined. */
function fields(value: Fields): Fields {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}
