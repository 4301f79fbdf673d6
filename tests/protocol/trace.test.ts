import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codecFor } from '../../src/protocol/codecs.ts'
import { createFold } from '../../src/protocol/fold.ts'
import type { Message, Part, Task } from '../../src/protocol/model.ts'

interface Exchange {
  n: number
  request: {
    headers: Record<string, string>
    body: { id: number; method: string; params: { message: WireMessage } }
  }
  response: { body: { result: unknown }; events?: { result: unknown }[] }
  eventsOfExchange8AfterApproval?: { result: unknown }[]
}
interface WireMessage {
  messageId: string
  contextId?: string
  taskId?: string
  parts: { text?: string; raw?: string; filename?: string; mediaType?: string }[]
}

const trace = JSON.parse(
  readFileSync(new URL('../fixtures/trace.json', import.meta.url), 'utf8'),
) as Exchange[]
const codec = codecFor('1.0', 'JSONRPC')
const context = { newTaskId: 'unused', newSessionId: 'unused' }

function exchange(n: number): Exchange {
  const found = trace.find((one) => one.n === n)
  if (found === undefined) throw new Error(`the trace has no exchange ${n}`)
  return found
}

const diff =
  'LS0tIGEvdGVzdHMvdGVzdF9yZWZ1bmRzLnB5CisrKyBiL3Rlc3RzL3Rlc3RfcmVmdW5kcy5weQpAQCAtMTUsMyArMTUsNyBAQCBkZWYgdGVzdF9mdWxsX3JlZnVuZCgpOgorZGVmIHRlc3RfcGFydGlhbF9yZWZ1bmRfa2VlcHNfY2VudHMoKToKKyAgICBhc3NlcnQgcGFydGlhbF9yZWZ1bmQoY2hhcmdlKDEwMDApLCA0NTApLm5ldCA9PSA0NTAK'
const reviewParts: Part[] = [
  { kind: 'text', text: 'Review this diff of payments-api.' },
  { kind: 'file', bytes: diff, name: 'refunds.diff', mediaType: 'text/x-diff' },
]

describe('requests of the trace', () => {
  const say = (messageId: string, parts: Part[], more: Partial<Message> = {}): Message => ({
    kind: 'message',
    messageId,
    role: 'user',
    parts,
    ...more,
  })
  it.each<[number, Message]>([
    [
      4,
      say('e539a78b-c8ef-4346-8b12-ae6ead581e57', [
        { kind: 'text', text: 'Run the unit tests for payments-api at commit a41d7c3' },
      ]),
    ],
    [5, say('331241a9-82f1-4ec0-9ee5-7012853d452f', reviewParts)],
    [
      6,
      say('877994af-ff2f-4504-98e0-0e8c64beb012', [{ kind: 'text', text: 'main' }], {
        taskId: '80bc7784-c3a4-40bf-a87e-2d67b6e4dd84',
        contextId: '6e9de948-15f7-48c1-a1c1-fdb3a2e385cb',
      }),
    ],
  ])('%i is encoded byte for byte', (n, message) => {
    const { body, headers } = exchange(n).request
    const call = codec.send(message, context)
    if (call.binding !== 'JSONRPC') throw new Error('the codec of JSON-RPC made another call')
    expect(JSON.stringify({ jsonrpc: '2.0', id: body.id, method: call.method, params: call.params })).toBe(
      JSON.stringify(body),
    )
    expect(headers).toMatchObject(codec.headers('1.0'))
  })
})

describe('responses of the trace', () => {
  const read = (n: number): Task => {
    const { value, findings } = codec.readReply(exchange(n).response.body.result)
    expect(findings).toEqual([])
    if (value.kind !== 'task') throw new Error('the reply is not a task')
    return value
  }

  it('4 is a completed task with a log in four parts and a summary', () => {
    const task = read(4)
    expect(task).toMatchObject({
      kind: 'task',
      id: '954267b7-cd3e-4468-84b2-bba1a2bd61f2',
      contextId: '59e43731-246c-459c-b5c6-bf83035578ba',
      status: {
        state: 'completed',
        timestamp: '2026-10-06T09:00:06.750Z',
        message: { role: 'agent', parts: [{ kind: 'text', text: '13 passed' }] },
      },
    })
    expect(task.history.map(({ role }) => role)).toEqual(['user', 'agent'])
    expect(task.artifacts).toEqual([
      {
        artifactId: 'test-log',
        name: 'test-log.txt',
        parts: [
          { kind: 'text', text: 'collected 13 items\n' },
          { kind: 'text', text: 'tests/test_charges.py ........ [ 61%]\n' },
          { kind: 'text', text: 'tests/test_refunds.py ..... [100%]\n' },
          { kind: 'text', text: '13 passed in 4.38s\n' },
        ],
      },
      {
        artifactId: 'summary',
        name: 'summary.json',
        parts: [{ kind: 'data', data: { passed: 13, failed: 0 }, mediaType: 'application/json' }],
      },
    ])
  })
  it('5 asks for input, and the history has the file as it was sent', () => {
    const task = read(5)
    expect(task.status.state).toBe('input-required')
    expect(task.artifacts).toEqual([])
    expect(task.history[0]?.parts).toEqual(reviewParts)
  })
  it('6 completes the same task', () => {
    const task = read(6)
    expect(task.id).toBe(read(5).id)
    expect(task.status.state).toBe('completed')
    expect(task.artifacts[0]?.parts[1]).toMatchObject({ kind: 'data', data: { base: 'main' } })
  })
  it('7 waits for authorization', () => {
    expect(read(7).status.state).toBe('auth-required')
  })
  it('the stream of 8 continues after auth-required and ends completed', () => {
    const events = [
      ...(exchange(8).response.events ?? []),
      ...(exchange(9).eventsOfExchange8AfterApproval ?? []),
    ]
    const fold = createFold()
    const ended = events.map(({ result }) => {
      const { value, findings } = codec.readEvent(result)
      expect(findings).toEqual([])
      fold.add(value)
      return fold.ended
    })
    expect(ended).toEqual([false, false, false, true])
    expect(fold.progress).toEqual(['Approved by an operator. Rolling out to staging'])
    expect(fold.reply()).toMatchObject({
      status: { state: 'completed', message: { parts: [{ text: 'Build 2026.10.06-1 is live on staging' }] } },
      artifacts: [{ artifactId: 'deploy-report', parts: [{ kind: 'data' }] }],
    })
    expect((fold.reply() as Task).history.map(({ messageId }) => messageId.slice(0, 8))).toEqual([
      '9851e4d5',
      '16218b58',
      '1db4a812',
      '025a7c9b',
    ])
  })
})
