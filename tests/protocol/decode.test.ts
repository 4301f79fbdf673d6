import { describe, expect, it } from 'vitest'
import type { Codec } from '../../src/protocol/codec.ts'
import { message03, notes, parts, task03, task10, v01, v03, v03Rest, v10 } from './support.ts'

describe('messages and tasks', () => {
  it('a 0.1 answer as the reference servers and the guide write it needs no tolerance', () => {
    const result = {
      id: 't1',
      sessionId: 's1',
      status: {
        state: 'completed',
        message: { role: 'agent', parts: [{ type: 'text', text: 'hi' }] },
        timestamp: '2025-05-19T12:00:00.123456',
      },
      artifacts: [
        { parts: [{ type: 'text', text: 'one' }] },
        { parts: [{ type: 'text', text: 'two' }], index: 4 },
        { name: 'log', parts: [] },
      ],
      history: null,
    }
    const { value, findings } = v01.readReply(result)
    expect(findings).toEqual([])
    expect(value).toMatchObject({
      kind: 'task',
      id: 't1',
      contextId: 's1',
      status: { state: 'completed', message: { messageId: '', parts: [{ kind: 'text', text: 'hi' }] } },
      artifacts: [{ artifactId: '0' }, { artifactId: '4' }, { artifactId: 'log' }],
      history: [],
    })
  })
  it('reads ProtoJSON defaults as absent', () => {
    const result = {
      task: {
        ...task10('TASK_STATE_COMPLETED'),
        artifacts: [],
        history: [],
        metadata: null,
        status: { state: 'TASK_STATE_COMPLETED', message: null, timestamp: '' },
      },
    }
    expect(v10.readReply(result)).toEqual({
      value: {
        kind: 'task',
        id: 't1',
        contextId: 'c1',
        status: { state: 'completed' },
        artifacts: [],
        history: [],
      },
      findings: [],
    })
  })
  it.each<[string, Codec, unknown, string[]]>([
    [
      'kind missing',
      v03,
      { ...message03('agent'), kind: undefined },
      ['wire/kind-missing result: the message has no kind (0.3 requires kind "message")'],
    ],
    [
      'kind in 1.0',
      v10,
      { task: { kind: 'task', ...task10('TASK_STATE_WORKING') } },
      ['wire/kind-extra result.task: the task carries kind "task", which 1.0 does not have'],
    ],
    [
      'message id missing',
      v03,
      { ...message03('agent'), messageId: '' },
      ['wire/missing-id result: the message has no messageId, which 0.3 requires'],
    ],
    [
      'context id missing',
      v03,
      { ...task03('working'), contextId: null },
      ['wire/missing-id result: the task has no contextId, which 0.3 requires'],
    ],
    ['context id missing in 1.0', v10, { task: { id: 't1', status: { state: 'TASK_STATE_WORKING' } } }, []],
    [
      'task id missing',
      v10,
      { task: { status: { state: 'TASK_STATE_WORKING' } } },
      ['wire/missing-id result.task: the task has no id, which 1.0 requires'],
    ],
    [
      'task id missing in 0.1',
      v01,
      { status: { state: 'working' } },
      ['wire/missing-id result: the task has no id, which 0.1 requires'],
    ],
    [
      'artifact id missing',
      v10,
      { task: { ...task10('TASK_STATE_WORKING'), artifacts: [{ parts: [] }] } },
      ['wire/missing-id result.task.artifacts[0]: the artifact has no artifactId, which 1.0 requires'],
    ],
    [
      'session id in 0.3',
      v03,
      { ...task03('working'), contextId: undefined, sessionId: 's' },
      ['wire/session-id result.sessionId: "sessionId" is the name of 0.1 (expected "contextId")'],
    ],
    [
      'an id that is a number',
      v03,
      { ...task03('working'), id: 7 },
      ['wire/id-type result.id: id 7 is a number (expected a string)'],
    ],
    [
      'snake_case',
      v10,
      { task: { id: 't1', context_id: 'c1', status: { state: 'TASK_STATE_WORKING' } } },
      [
        'wire/snake-case result.task.context_id: "context_id" is written in snake_case (expected "contextId")',
      ],
    ],
    [
      'no parts',
      v03,
      { ...message03('agent'), parts: [] },
      ['wire/no-parts result: the message has no parts'],
    ],
    [
      'content in 1.0',
      v10,
      { message: { messageId: 'm', role: 'ROLE_AGENT', content: [{ text: 'hi' }] } },
      [
        'wire/message-content result.message.content: the message has "content", the name of 0.3 over HTTP+JSON (expected "parts")',
      ],
    ],
    [
      'content over HTTP+JSON',
      v03Rest,
      { message: { messageId: 'm', role: 'ROLE_AGENT', content: [{ text: 'hi' }] } },
      [],
    ],
    [
      'parts over HTTP+JSON',
      v03Rest,
      { message: { messageId: 'm', role: 'ROLE_AGENT', content: [], parts: [{ text: 'hi' }] } },
      [],
    ],
    [
      'a string for a status message',
      v03,
      { ...task03('working'), status: { state: 'working', message: 'busy' } },
      ['wire/status-message result.status.message: the status message is a bare string (expected a message)'],
    ],
    [
      'one artifact instead of a list',
      v03,
      { ...task03('working'), artifacts: { artifactId: 'a', parts: [] } },
      ['wire/list-type result.artifacts: artifacts is not an array'],
    ],
    [
      'an odd artifact',
      v03,
      { ...task03('working'), artifacts: ['a'] },
      ['wire/list-type result.artifacts[0]: artifacts holds "a" (expected objects)'],
    ],
  ])('%s', (_, codec, result, expected) => {
    expect(notes(codec, result)).toEqual(expected)
  })
  it.each<[Codec, unknown, number]>([
    [v03, '2026-01-31T12:00:00', 0],
    [v03, '2026-01-31T12:00:00.123456+00:00', 0],
    [v03, 'yesterday', 1],
    [v03, 1769860800, 1],
    [v10, '2026-01-31T12:00:00.000Z', 0],
    [v10, '2026-01-31T12:00:00+01:00', 0],
    [v10, '2026-01-31T12:00:00', 1],
  ])('timestamp %#', (codec, timestamp, count) => {
    const status = { state: codec === v10 ? 'TASK_STATE_WORKING' : 'working', timestamp }
    const { value, findings } = codec.readTask({ kind: 'task', id: 't', contextId: 'c', status })
    expect(findings.filter(({ id }) => id === 'wire/timestamp')).toHaveLength(count)
    expect(value.status.timestamp).toBe(String(timestamp))
  })
  it('is safe from prototypes that are sent', () => {
    const hostile = JSON.parse(
      '{"kind":"task","id":"t1","contextId":"c1","__proto__":{"artifacts":[{}]},"status":{"state":"working","__proto__":{"message":"x"}},"metadata":{"__proto__":{"polluted":true},"a":1}}',
    ) as unknown
    const { value, findings } = v03.readReply(hostile)
    expect(findings).toEqual([])
    expect(value).toMatchObject({ artifacts: [], status: { state: 'working' } })
    expect({}).not.toHaveProperty('polluted')
    expect(Object.keys(value.metadata ?? {})).toEqual(['__proto__', 'a'])
  })
  it('reads no member that the agent did not send', () => {
    const polluted = Object.prototype as { artifacts?: unknown }
    polluted.artifacts = [{ artifactId: 'x', parts: [] }]
    try {
      const { value } = v10.readTask(task10('TASK_STATE_WORKING'))
      expect(Object.hasOwn(value, 'artifacts') && value.artifacts).toEqual([])
    } finally {
      delete polluted.artifacts
    }
  })
  it('is safe from deep nesting', () => {
    const deep = JSON.parse(`${'{"result":'.repeat(5000)}1${'}'.repeat(5000)}`) as unknown
    expect(() => v10.readReply(deep)).toThrow('the result is neither a Message nor a Task: {"result"}')
    const data = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as unknown
    expect(parts(v10, [{ data }])).toMatchObject({ parts: [{ kind: 'data' }] })
  })
})
