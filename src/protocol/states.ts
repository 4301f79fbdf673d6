import { taskStates, type TaskState } from './model.ts'
import { badReply, quote, type Reading, type WireForm } from './reading.ts'

/** ProtoJSON also allows the number of an enum value; the numbers of 0.3 and 1.0 are the same. */
const byNumber: readonly TaskState[] = [
  'unknown',
  'submitted',
  'working',
  'completed',
  'failed',
  'canceled',
  'input-required',
  'rejected',
  'auth-required',
]

const byKey = new Map<string, TaskState>(taskStates.map((state) => [state.replace('-', ''), state]))
byKey.set('cancelled', 'canceled')
byKey.set('unspecified', 'unknown')

const exactJson = new Map<unknown, TaskState>(taskStates.map((state) => [state, state]))
const exactProto = new Map<unknown, TaskState>(taskStates.map((state) => [protoState(state), state]))

/** The state that a form spells exactly so; undefined for every other spelling. */
export function exactState(spelling: unknown, proto: boolean): TaskState | undefined {
  return (proto ? exactProto : exactJson).get(spelling)
}

/** The state that a spelling stands for, whatever version or language runtime it comes from; undefined when none. */
export function findState(spelling: unknown): TaskState | undefined {
  if (typeof spelling !== 'string' || spelling.length > 64) return undefined
  const exact = exactState(spelling, false) ?? exactState(spelling, true)
  if (exact !== undefined) return exact
  const key = spelling
    .toLowerCase()
    .replace(/^task[-_ ]?state[-_ .]?/, '')
    .replace(/[-_ ]/g, '')
  return byKey.get(key)
}

/** The state as an interface of that form writes it. */
export function wireState(state: TaskState, form: WireForm): string {
  if (!form.proto) return state
  if (state === 'canceled' && form.earlyProto) return 'TASK_STATE_CANCELLED'
  return protoState(state)
}

/** Reads a task state, noting a foreign spelling. Throws A2AReplyError `BAD_REPLY` for an absent or unknown one. */
export function readState(reading: Reading, value: unknown, path: string): TaskState {
  const { form } = reading
  if (value === undefined || value === null || value === '')
    throw badReply('wire/no-state', 'the status has no task state')
  const state = findState(value) ?? (form.proto && typeof value === 'number' ? byNumber[value] : undefined)
  if (state === undefined) {
    throw badReply(
      'wire/unknown-state',
      `unknown task state ${quote(value)}`,
      `The states are ${taskStates.map((name) => `"${wireState(name, form)}"`).join(', ')}.`,
    )
  }
  if (!isRight(value, state, form)) {
    const expected = `(expected "${wireState(state, form)}")`
    const owner = ownerOf(value, state)
    const message =
      owner === undefined
        ? `state ${quote(value)} is not a spelling of A2A ${expected}`
        : `state ${quote(value)} is ${owner}; this interface speaks ${form.dialect} ${expected}`
    reading.note('wire/state-spelling', path, message, { source: form.version.sources.states })
  } else if (form.version.wire.lacksStates.includes(state)) {
    const message = `state "${state}" came with 0.2; this interface speaks ${form.dialect}`
    reading.note('wire/state-version', path, message, {
      source: form.version.sources.states,
    })
  }
  return state
}

function protoState(state: TaskState): string {
  return state === 'unknown'
    ? 'TASK_STATE_UNSPECIFIED'
    : `TASK_STATE_${state.toUpperCase().replace('-', '_')}`
}

function isRight(value: unknown, state: TaskState, form: WireForm): boolean {
  if (form.json && value === state) return true
  return form.proto && (value === protoState(state) || value === wireState(state, form))
}

function ownerOf(value: unknown, state: TaskState): string | undefined {
  if (value === state) return 'the 0.3 spelling'
  if (value === protoState(state)) return 'the 1.0 spelling'
  if (value === 'TASK_STATE_CANCELLED') return 'the spelling of 0.3 over HTTP+JSON'
  return typeof value === 'number' ? 'the number of an enum value' : undefined
}
