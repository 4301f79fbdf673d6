import { SendMessageRequest, SendMessageResponse } from 'a2a-sdk-1'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../src/findings/types.ts'
import type { Call, Codec } from '../../src/protocol/codec.ts'
import { codecFor } from '../../src/protocol/codecs.ts'
import { createFold } from '../../src/protocol/fold.ts'
import {
  taskStates,
  type Artifact,
  type Message,
  type Part,
  type StreamEvent,
  type Task,
  type TaskStatus,
} from '../../src/protocol/model.ts'

const codecs: [string, Codec][] = [
  ['0.1', codecFor('0.1', 'JSONRPC')],
  ['0.3', codecFor('0.3', 'JSONRPC')],
  ['0.3 over HTTP+JSON', codecFor('0.3', 'HTTP+JSON')],
  ['1.0', codecFor('1.0', 'JSONRPC')],
  ['1.0 over HTTP+JSON', codecFor('1.0', 'HTTP+JSON')],
]
const v10 = codecFor('1.0', 'JSONRPC')
const context = { newTaskId: 't-new', newSessionId: 's-new' }

/** Values under the names that the decoder looks for, so that odd ones get deep into it. */
const wireNames = (
  'jsonrpc result error task message statusUpdate artifactUpdate status_update kind type id taskId contextId ' +
  'sessionId status state timestamp artifacts artifact artifactId index append lastChunk final history messageId ' +
  'role parts content text raw url data file bytes uri fileWithBytes metadata data_part_compat value mimeType ' +
  'filename name tasks nextPageToken page_size totalSize configs config pushNotificationConfig authentication schemes ' +
  'token credentials __proto__ constructor toString'
).split(' ')
const wireValues = (
  'task message status-update artifact-update text file data agent user ROLE_AGENT completed TASK_STATE_WORKING ' +
  'cancelled 2026-01-31T12:00:00Z __proto__'
).split(' ')
const wireWords = fc.constantFrom('', ...wireValues)
const { wire } = fc.letrec<{ wire: unknown }>((tie) => ({
  wire: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.oneof(wireWords, fc.boolean(), fc.integer(), fc.constant(null), fc.string()),
    fc.array(tie('wire'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...wireNames), tie('wire')), { maxLength: 7 })
      // fromEntries makes `__proto__` an own member, as JSON.parse does.
      .map((entries) => Object.fromEntries(entries) as unknown),
  ),
}))

/** A task of that version in which up to two members are odd. */
function almostTask(codec: Codec): fc.Arbitrary<unknown> {
  const state = codec.dialect === '1.0' ? 'TASK_STATE_COMPLETED' : 'completed'
  const task = { id: 't1', contextId: 'c1', status: { state }, artifacts: [], history: [] }
  return fc
    .array(fc.tuple(fc.constantFrom(...wireNames), wire), { maxLength: 2 })
    .map((entries) => ({ ...task, ...Object.fromEntries(entries) }))
}

const word = fc.string({ minLength: 1, maxLength: 8 })
const metadata = fc.dictionary(word, fc.jsonValue(), { minKeys: 1, maxKeys: 2 })

/** A part with all that a version has a place for. */
function parts(withNames: boolean): fc.Arbitrary<Part[]> {
  const names = { name: word, mediaType: word }
  const free = withNames ? { ...names, metadata } : { metadata }
  const textPart = fc.record(
    { kind: fc.constant('text' as const), text: fc.string(), ...free },
    {
      requiredKeys: ['kind', 'text'],
    },
  )
  const file = { kind: fc.constant('file' as const), ...names, metadata }
  const bytes = fc
    .uint8Array({ minLength: 1, maxLength: 20 })
    .map((octets) => Buffer.from(octets).toString('base64'))
  const inline = fc.record({ ...file, bytes }, { requiredKeys: ['kind', 'bytes'] })
  const link = fc.record({ ...file, url: fc.webUrl() }, { requiredKeys: ['kind', 'url'] })
  const dataPart = fc.record(
    { kind: fc.constant('data' as const), data: fc.jsonValue(), ...free },
    {
      requiredKeys: ['kind', 'data'],
    },
  )
  return fc.array(fc.oneof(textPart, inline, link, dataPart), { minLength: 1, maxLength: 4 }) as fc.Arbitrary<
    Part[]
  >
}

function messages(withNames: boolean): fc.Arbitrary<Message> {
  return fc.record(
    {
      kind: fc.constant('message' as const),
      messageId: word,
      role: fc.constant('user' as const),
      parts: parts(withNames),
      contextId: word,
      taskId: word,
      extensions: fc.array(word, { minLength: 1, maxLength: 2 }),
      referenceTaskIds: fc.array(word, { minLength: 1, maxLength: 2 }),
      metadata,
    },
    { requiredKeys: ['kind', 'messageId', 'role', 'parts'] },
  ) as fc.Arbitrary<Message>
}

/** The message of a request, given back as the agent's own. */
function echo(call: Call): object {
  const request = (call.binding === 'JSONRPC' ? call.params : call.body) as { message: { role: string } }
  const isProto = request.message.role.startsWith('ROLE_')
  return { ...request.message, role: isProto ? 'ROLE_AGENT' : 'agent' }
}

describe.each(codecs)('%s', (_, codec) => {
  it('throws only A2AReplyError for any JSON', () => {
    const read: ((value: unknown) => { findings: Finding[] })[] = [
      codec.readReply,
      (value) => codec.readTask(value),
      codec.readEvent,
      codec.readTaskList,
      codec.readPushConfig,
      codec.readPushConfigs,
      codec.readCard,
    ]
    let decoded = 0
    fc.assert(
      fc.property(fc.oneof(wire, fc.jsonValue(), almostTask(codec)), (value) => {
        for (const reader of read) {
          try {
            const { findings } = reader(value)
            decoded++
            for (const finding of findings) expect(finding.message).not.toBe('')
          } catch (error) {
            expect(error).toMatchObject({ name: 'A2AReplyError', code: 'BAD_REPLY' })
            expect((error as Error).message).not.toBe('')
          }
        }
      }),
      { numRuns: 1000 },
    )
    // Else the property would say nothing of what is read.
    expect(decoded).toBeGreaterThan(100)
  })

  it('reads back the parts that it wrote', () => {
    const withNames = codec.dialect === '1.0'
    fc.assert(
      fc.property(messages(withNames), (message) => {
        const wireMessage = echo(codec.send(message, context))
        const status = {
          state: codec.dialect === '1.0' ? 'TASK_STATE_COMPLETED' : 'completed',
          message: wireMessage,
        }
        const kind = codec.dialect === '0.3' && codec.binding === 'JSONRPC' ? { kind: 'task' } : {}
        const { value, findings } = codec.readTask({ ...kind, id: 't', contextId: 'c', status })
        expect(findings).toEqual([])
        expect(value.status.message?.parts).toEqual(message.parts)
      }),
    )
  })

  it('ignores unknown members and the order of members', () => {
    const task = wireTask(codec)
    const results = [
      codec.dialect === '1.0' ? { task } : task,
      { task, result: null },
      { jsonrpc: '2.0', id: 1, result: { task } },
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...results),
        fc.jsonValue(),
        fc.infiniteStream(fc.nat(99)),
        (result, extra, order) => {
          expect(codec.readReply(disturb(result, extra, order))).toEqual(codec.readReply(result))
        },
      ),
    )
  })
})

function wireTask(codec: Codec): object {
  const message = echo(
    codec.send(
      {
        kind: 'message',
        messageId: 'm',
        role: 'user',
        parts: [
          { kind: 'text', text: 'hi' },
          { kind: 'file', bytes: 'AAAA', name: 'p.png' },
          { kind: 'data', data: { a: 1 } },
        ],
      },
      context,
    ),
  )
  return {
    id: 't',
    contextId: 'c',
    status: { state: 'input_required', timestamp: 'yesterday', message },
    history: [message],
    artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }],
  }
}

/** Adds a member that no version knows to every object but the free ones, and turns their order. */
function disturb(value: unknown, extra: unknown, order: Iterator<number>): unknown {
  if (Array.isArray(value)) return value.map((item) => disturb(item, extra, order))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [
    key,
    key === 'data' || key === 'metadata' ? inner : disturb(inner, extra, order),
  ])
  const ranked = [...entries, ['xUnknown', extra] as [string, unknown]].map((entry) => ({
    entry,
    rank: Number(order.next().value),
  }))
  return Object.fromEntries(ranked.sort((one, other) => one.rank - other.rank).map(({ entry }) => entry))
}

describe('1.0 as a released SDK reads it', () => {
  it('finds every member known and in the order of the proto', () => {
    fc.assert(
      fc.property(messages(true), fc.option(word, { nil: '' }), fc.boolean(), (message, tenant, wait) => {
        // The SDK keeps numbers of metadata as they are, but loses null data and `__proto__`.
        fc.pre(!JSON.stringify(message).includes('null') && !JSON.stringify(message).includes('__proto__'))
        const call = v10.send(message, {
          ...context,
          tenant,
          configuration: { wait, acceptedOutputModes: ['text/plain'] },
        })
        const params = call.binding === 'JSONRPC' ? call.params : {}
        const text = JSON.stringify(params)
        expect(JSON.stringify(SendMessageRequest.toJSON(SendMessageRequest.fromJSON(JSON.parse(text))))).toBe(
          text,
        )
      }),
    )
  })
  it('and what it answers needs no tolerance', () => {
    const message = {
      messageId: 'm',
      role: 'ROLE_AGENT',
      parts: [{ text: 'hi' }, { data: { a: 1 }, mediaType: 'a/b' }],
    }
    const task = {
      id: 't',
      status: { state: 'TASK_STATE_COMPLETED', message, timestamp: '2026-01-31T12:00:00Z' },
      artifacts: [{ artifactId: 'a', parts: [{ raw: 'AAAA', filename: 'f' }] }],
      history: [message],
    }
    for (const payload of [{ task }, { message }]) {
      const { findings } = v10.readReply(SendMessageResponse.toJSON(SendMessageResponse.fromJSON(payload)))
      expect(findings).toEqual([])
    }
  })
})

describe('folding', () => {
  const id = fc.constantFrom('', 't1', 't2')
  const agentMessage = fc.record({
    kind: fc.constant('message' as const),
    messageId: fc.constantFrom('', 'm1', 'm2'),
    role: fc.constantFrom('user' as const, 'agent' as const),
    parts: parts(true),
  }) as fc.Arbitrary<Message>
  const status = fc.record(
    { state: fc.constantFrom(...taskStates), message: agentMessage },
    {
      requiredKeys: ['state'],
    },
  ) as fc.Arbitrary<TaskStatus>
  const artifact = fc.record({
    artifactId: fc.constantFrom('', 'a', '__proto__'),
    parts: parts(true),
  }) as fc.Arbitrary<Artifact>
  const task = fc.record({
    kind: fc.constant('task' as const),
    id,
    status,
    artifacts: fc.array(artifact, { maxLength: 2 }),
    history: fc.array(agentMessage, { maxLength: 2 }),
  }) as fc.Arbitrary<Task>
  const event = fc.oneof(
    task.map((one): StreamEvent => ({ type: 'task', task: one })),
    agentMessage.map((message): StreamEvent => ({ type: 'message', message })),
    fc.record({ type: fc.constant('status' as const), taskId: id, status, final: fc.boolean() }),
    fc.record({
      type: fc.constant('artifact' as const),
      taskId: id,
      artifact,
      append: fc.boolean(),
      lastChunk: fc.boolean(),
    }),
  ) as fc.Arbitrary<StreamEvent>

  it('takes any events in any order, and loses no task', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        const given = JSON.stringify(events)
        const fold = createFold()
        for (const one of events) fold.add(one)
        const reply = fold.reply()
        const spoke = events.some(({ type }) => type !== 'message')
        expect(reply?.kind).toBe(spoke ? 'task' : events.length > 0 ? 'message' : undefined)
        expect(JSON.stringify(events)).toBe(given)
        expect(fold.reply()).toEqual(reply)
      }),
    )
  })
  it('puts the chunks of one artifact together in their order', () => {
    fc.assert(
      fc.property(fc.array(parts(true), { minLength: 1, maxLength: 20 }), (chunks) => {
        const fold = createFold()
        chunks.forEach((chunk, index) => {
          const artifact = { artifactId: 'a', parts: chunk }
          fold.add({ type: 'artifact', taskId: 't', artifact, append: index > 0, lastChunk: false })
        })
        expect((fold.reply() as Task).artifacts).toEqual([{ artifactId: 'a', parts: chunks.flat() }])
      }),
    )
  })
})
