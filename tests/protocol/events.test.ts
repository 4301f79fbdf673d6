import { describe, expect, it } from 'vitest'
import type { Codec } from '../../src/protocol/codec.ts'
import { codecFor } from '../../src/protocol/codecs.ts'

const v01 = codecFor('0.1', 'JSONRPC')
const v03 = codecFor('0.3', 'JSONRPC')
const v03Rest = codecFor('0.3', 'HTTP+JSON')
const v10 = codecFor('1.0', 'JSONRPC')

const ids = { taskId: 't1', contextId: 'c1' }
const working03 = { state: 'working' }
const working10 = { state: 'TASK_STATE_WORKING' }
const artifact03 = { artifactId: 'a', parts: [{ kind: 'text', text: 'x' }] }
const artifact10 = { artifactId: 'a', parts: [{ text: 'x' }] }
const artifact = { artifactId: 'a', parts: [{ kind: 'text', text: 'x' }] }
const status = { type: 'status', ...ids, status: { state: 'working' }, final: false }
const chunk = { type: 'artifact', ...ids, artifact, append: true, lastChunk: true }

describe('events', () => {
  it.each<[string, Codec, unknown, unknown, string[]]>([
    [
      '0.3 status',
      v03,
      { kind: 'status-update', ...ids, status: working03, final: true },
      { ...status, final: true },
      [],
    ],
    [
      '0.3 artifact',
      v03,
      { kind: 'artifact-update', ...ids, artifact: artifact03, append: true, lastChunk: true },
      chunk,
      [],
    ],
    ['0.3 REST status', v03Rest, { statusUpdate: { ...ids, status: working10, final: false } }, status, []],
    [
      '0.3 REST artifact',
      v03Rest,
      { artifactUpdate: { ...ids, artifact: artifact10, append: true, lastChunk: true } },
      chunk,
      [],
    ],
    ['1.0 status', v10, { statusUpdate: { ...ids, status: working10 } }, status, []],
    [
      '1.0 artifact',
      v10,
      { artifactUpdate: { ...ids, artifact: artifact10, append: true, lastChunk: true } },
      chunk,
      [],
    ],
    [
      '1.0 artifact with defaults',
      v10,
      { artifactUpdate: { ...ids, artifact: artifact10, append: false, lastChunk: false } },
      { ...chunk, append: false, lastChunk: false },
      [],
    ],
    [
      '0.1 status',
      v01,
      { id: 't1', status: working03, final: true },
      { type: 'status', taskId: 't1', status: working03, final: true },
      [],
    ],
    [
      '0.1 status without final',
      v01,
      { id: 't1', status: working03 },
      { type: 'status', taskId: 't1', status: working03, final: false },
      [],
    ],
    [
      '0.1 artifact',
      v01,
      {
        id: 't1',
        artifact: { index: 2, append: true, lastChunk: true, parts: [{ type: 'text', text: 'x' }] },
      },
      {
        type: 'artifact',
        taskId: 't1',
        artifact: { ...artifact, artifactId: '2' },
        append: true,
        lastChunk: true,
      },
      [],
    ],
    [
      '0.1 artifact without index',
      v01,
      { id: 't1', artifact: { parts: [{ text: 'x' }], append: null } },
      {
        type: 'artifact',
        taskId: 't1',
        artifact: { ...artifact, artifactId: '0' },
        append: false,
        lastChunk: false,
      },
      [],
    ],
    // Tolerances.
    [
      '0.3 without kind',
      v03,
      { ...ids, status: working03, final: false },
      status,
      ['the status update has no kind (0.3 requires kind "status-update")'],
    ],
    [
      '0.3 artifact without kind',
      v03,
      { ...ids, artifact: artifact03, append: true, lastChunk: true },
      chunk,
      ['the artifact update has no kind (0.3 requires kind "artifact-update")'],
    ],
    [
      '0.3 status, wrapped',
      v03,
      { statusUpdate: { kind: 'status-update', ...ids, status: working03 } },
      status,
      ['a stream event must be the task, message or update itself in 0.3, got {"statusUpdate": …}'],
    ],
    [
      '1.0 status, bare',
      v10,
      { ...ids, status: working10 },
      status,
      [
        'a stream event must be {"task"}, {"message"}, {"statusUpdate"} or {"artifactUpdate"} in 1.0, got a bare status update',
      ],
    ],
    [
      '1.0 status, in an envelope',
      v10,
      { jsonrpc: '2.0', id: 1, result: { statusUpdate: { ...ids, status: working10 } } },
      status,
      [
        'a stream event must be {"task"}, {"message"}, {"statusUpdate"} or {"artifactUpdate"} in 1.0, got {"result": {"statusUpdate": …}}',
      ],
    ],
    [
      '1.0 without a task id',
      v10,
      { statusUpdate: { contextId: 'c1', status: working10 } },
      { ...status, taskId: '' },
      ['the status update has no taskId, which 1.0 requires'],
    ],
    [
      'snake_case',
      v10,
      { status_update: { task_id: 't1', contextId: 'c1', status: working10 } },
      status,
      [
        '"status_update" is written in snake_case (expected "statusUpdate")',
        '"task_id" is written in snake_case (expected "taskId")',
      ],
    ],
  ])('%s', (_, codec, event, expected, messages) => {
    const { value, findings } = codec.readEvent(event)
    expect(value).toEqual(expected)
    expect(findings.map(({ message }) => message)).toEqual(messages)
  })

  it('are also tasks and messages', () => {
    expect(v10.readEvent({ task: { id: 't1', status: working10 } })).toMatchObject({
      value: { type: 'task', task: { id: 't1' } },
      findings: [],
    })
    expect(v03.readEvent({ kind: 'task', id: 't1', contextId: 'c1', status: working03 })).toMatchObject({
      value: { type: 'task' },
      findings: [],
    })
    const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] }
    expect(v10.readEvent({ message })).toMatchObject({
      value: { type: 'message', message: { role: 'agent' } },
      findings: [],
    })
  })

  it.each<[unknown, string]>([
    [{}, 'event is empty: no task, no message and no update'],
    [{ foo: 1 }, 'the event is neither a Task, a Message nor an update: {"foo"}'],
    [{ kind: 'artifact-update', ...ids }, 'the artifact update has no artifact'],
    [{ kind: 'status-update', ...ids }, 'the status update has no status'],
    [
      { statusUpdate: { ...ids, status: working10 }, artifactUpdate: { ...ids, artifact: artifact10 } },
      'the event has both "statusUpdate" and "artifactUpdate"',
    ],
    [
      { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'x' }] },
      'the reply has role user',
    ],
    [{ kind: 'status-update', ...ids, status: { state: 'done' } }, 'unknown task state "done"'],
  ])('%j is none', (event, message) => {
    expect(() => v03.readEvent(event)).toThrow(
      expect.objectContaining({ name: 'A2AReplyError', code: 'BAD_REPLY', message }),
    )
  })
})
