import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Codec } from '../../src/protocol/codec.ts'
import { exactEvent, exactReply } from '../../src/protocol/exact.ts'
import { formOf, type WireForm } from '../../src/protocol/reading.ts'
import { v03, v10 } from './support.ts'

type Json = Record<string, unknown>

const form03 = formOf('0.3', 'JSONRPC', { json: true })
const form10 = formOf('1.0', 'JSONRPC', { proto: true })

const wire = (proto: boolean) => {
  const kinded = (kind: string, members: Json): Json => (proto ? members : { kind, ...members })
  const wrapped = (name: string, kind: string, members: Json): Json =>
    proto ? { [name]: members } : { kind, ...members }
  const text = kinded('text', { text: 'Oslo' })
  const message = kinded('message', {
    messageId: 'm1',
    role: proto ? 'ROLE_AGENT' : 'agent',
    contextId: 'c1',
    taskId: 't1',
    parts: [text, kinded('data', { data: { city: 'Oslo' } })],
  })
  const ids = { taskId: 't1', contextId: 'c1' }
  const artifact = { artifactId: 'a1', name: 'answer', parts: [text] }
  const status = {
    state: proto ? 'TASK_STATE_COMPLETED' : 'completed',
    timestamp: '2026-01-31T12:00:00.000Z',
    message,
  }
  const task = { id: 't1', contextId: 'c1', status, artifacts: [artifact], history: [message] }
  const final = proto ? {} : { final: true }
  return {
    reply: wrapped('task', 'task', task),
    chunk: wrapped('artifactUpdate', 'artifact-update', { ...ids, artifact, append: true, lastChunk: false }),
    status: wrapped('statusUpdate', 'status-update', { ...ids, status, ...final }),
  }
}

/** Every place in a value: the object and the key there. */
function places(value: unknown): [Json, string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    [value as Json, key] as [Json, string],
    ...places(inner),
  ])
}

const names = 'kind type id taskId contextId final append lastChunk metadata name text data url index state'
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    'x',
    'agent',
    'ROLE_USER',
    'working',
    'TASK_STATE_WORKING',
    7,
  ),
  fc.constantFrom<unknown>(
    true,
    false,
    [],
    {},
    [{}],
    ['x'],
    { text: '' },
    { a: 1 },
    'task',
    'message',
    'text',
  ),
)
const change = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('set', 'add', 'remove'),
  name: fc.constantFrom(...names.split(' ')),
  value: odd,
})

/** The value with some of its members changed, added or removed. */
function changed(
  value: Json,
  changes: readonly { at: number; how: string; name: string; value: unknown }[],
): Json {
  const copy = structuredClone(value)
  for (const { at, how, name, value: other } of changes) {
    const all = places(copy)
    const [object, key] = all[at % all.length] ?? [copy, 'kind']
    if (how === 'remove') delete object[key]
    else object[how === 'add' && !Array.isArray(object) ? name : key] = structuredClone(other)
  }
  // What JSON cannot say never comes over the wire.
  return JSON.parse(JSON.stringify(copy)) as Json
}

/** What full reading makes of a value: an unknown member keeps it off the fast path. */
function inFull(read: (value: unknown) => unknown, value: Json): unknown {
  try {
    return read({ ...value, unknownMember: 1 })
  } catch (error) {
    return String(error)
  }
}

describe.each([
  ['0.3', v03, form03, wire(false)],
  ['1.0', v10, form10, wire(true)],
] as [string, Codec, WireForm, ReturnType<typeof wire>][])('%s', (_, codec, form, right) => {
  it('takes what its version writes', () => {
    expect(exactReply(form, right.reply)).toMatchObject({ kind: 'task', id: 't1' })
    expect(exactEvent(form, right.chunk)).toMatchObject({ type: 'artifact', append: true })
    expect(exactEvent(form, right.status)).toMatchObject({ type: 'status', final: form.json })
  })

  it.each([
    ['reply', exactReply, codec.readReply],
    ['chunk', exactEvent, codec.readEvent],
    ['status', exactEvent, codec.readEvent],
  ] as const)('reads a %s as full reading does, whatever is changed in it', (kind, exact, read) => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 3 }), (changes) => {
        const value = changed(right[kind], changes)
        const found = exact(form, value)
        if (found !== undefined) expect({ value: found, findings: [] }).toEqual(inFull(read, value))
      }),
      { numRuns: 3_000 },
    )
  })

  it('leaves another version to full reading', () => {
    const other = wire(!form.proto)
    expect(exactReply(form, other.reply)).toBeUndefined()
    expect(exactEvent(form, other.chunk)).toBeUndefined()
    expect(exactEvent(form, other.status)).toBeUndefined()
  })
})
