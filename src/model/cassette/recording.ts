import type { CallPlace, ModelAnswer, ModelMessage, ModelRequest, ModelRole } from '../types.ts'
import { shortHash } from './name.ts'

/** Whose answer is recorded. */
export type Speaker = ModelRole | 'agent'

/** A request, without what differs from run to run. */
export interface Asked {
  system?: string
  messages?: readonly ModelMessage[]
  /** Name and hash of the schema. */
  schema?: string
  temperature?: number
  maxTokens?: number
  seed?: number
}

/** One call and its answer. */
export interface Recording {
  role: Speaker
  /** Absent for the agent. */
  model?: string
  place: CallPlace
  asked: Asked
  answer: ModelAnswer | { heard: unknown }
}

/** A field of a request that has changed. */
export interface Difference {
  /** `system`, `message 2`, `temperature`, … */
  field: string
  before: string
  after: string
}

const speakers: readonly Speaker[] = ['simulator', 'agent', 'judge', 'check']

/** In the order of the conversation: the file does not depend on which of two calls was answered first. */
export function inOrder(recordings: readonly Recording[]): Recording[] {
  return recordings.toSorted(
    (a, b) =>
      a.place.trial - b.place.trial ||
      a.place.turn - b.place.turn ||
      speakers.indexOf(a.role) - speakers.indexOf(b.role) ||
      a.place.attempt - b.place.attempt,
  )
}

/** A request as a cassette records it. `clean` removes what must not be written. */
export function askedOf(request: ModelRequest, clean: (text: string) => string): Asked {
  const { nonce, schema, temperature, maxTokens, seed } = request
  const text = (value: string): string => clean(withoutNonce(value, nonce))
  return {
    system: text(request.system),
    messages: request.messages.map(({ role, content }) => ({ role, content: text(content) })),
    ...(schema && { schema: `${schema.name} ${shortHash(JSON.stringify(schema.definition))}` }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(seed !== undefined && { seed }),
  }
}

/** A message to an agent as a cassette records it. */
export function saidToAgent(message: unknown, clean: (text: string) => string): Asked {
  const content = typeof message === 'string' ? message : (JSON.stringify(message) ?? 'undefined')
  return { messages: [{ role: 'user', content: clean(content) }] }
}

export function withoutNonce(text: string, nonce: string | undefined): string {
  return nonce === undefined || nonce === '' ? text : text.replaceAll(nonce, '<nonce>')
}

/** The same value with every string in it changed. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  const map = (one: unknown): unknown => {
    if (typeof one === 'string') return change(one)
    if (Array.isArray(one)) return one.map(map)
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(Object.entries(one).map(([key, each]) => [key, map(each)]))
  }
  return map(value) as T
}

/** Whether both are the same call of the test. */
export function samePlace(
  a: Pick<Recording, 'role' | 'place'>,
  b: Pick<Recording, 'role' | 'place'>,
): boolean {
  return (
    a.role === b.role &&
    a.place.trial === b.place.trial &&
    a.place.turn === b.place.turn &&
    a.place.attempt === b.place.attempt
  )
}

/** `trial 1, turn 4, attempt 1`. */
export function placeText({ trial, turn, attempt }: CallPlace): string {
  return `trial ${trial}, turn ${turn}, attempt ${attempt}`
}

/** What differs, in the order of the fields. A model that is not set now matches every one. */
export function differences(
  before: { model?: string | undefined; asked: Asked },
  after: { model?: string | undefined; asked: Asked },
): Difference[] {
  const found: Difference[] = []
  const differ = (field: string, was: unknown, is: unknown): void => {
    if (was !== is) found.push({ field, before: show(was), after: show(is) })
  }
  if (after.model !== undefined) differ('model', before.model, after.model)
  if (before.asked.system !== after.asked.system) {
    found.push(textDifference('system', before.asked.system ?? '', after.asked.system ?? ''))
  }
  const [was, is] = [before.asked.messages ?? [], after.asked.messages ?? []]
  for (let index = 0; index < Math.max(was.length, is.length); index++) {
    const [old, now] = [was[index], is[index]]
    const field = `message ${index + 1}`
    if (old === undefined || now === undefined) {
      found.push({
        field: 'number of messages',
        before: String(was.length),
        after: String(is.length),
      })
      break
    }
    if (old.role !== now.role) differ(`role of ${field}`, old.role, now.role)
    if (old.content !== now.content) found.push(textDifference(field, old.content, now.content))
  }
  for (const field of ['schema', 'temperature', 'maxTokens', 'seed'] as const) {
    differ(field, before.asked[field], after.asked[field])
  }
  return found
}

const around = 24
const shown = 70

/** Both texts, from shortly before the place where they differ. */
function textDifference(field: string, before: string, after: string): Difference {
  let at = 0
  while (at < before.length && before[at] === after[at]) at++
  const from = Math.max(0, at - around)
  const excerpt = (text: string): string =>
    show(`${from > 0 ? '…' : ''}${text.slice(from, from + shown)}${text.length > from + shown ? '…' : ''}`)
  return { field, before: excerpt(before), after: excerpt(after) }
}

function show(value: unknown): string {
  return value === undefined ? 'not set' : JSON.stringify(value)
}
