import { describe, expect, it } from 'vitest'
import type { Codec } from '../../src/protocol/codec.ts'
import { badReply, message03, message10, task03, task10, v01, v03, v03Rest, v10 } from './support.ts'

describe('wrapping', () => {
  const bare = task10('TASK_STATE_WORKING')
  it.each<[string, Codec, unknown, string[]]>([
    ['the right form of 1.0', v10, { task: bare }, []],
    ['the right form of 0.3', v03, task03('working'), []],
    ['both forms of 0.3 over HTTP+JSON', v03Rest, { task: task03('working') }, []],
    ['both forms of 0.3 over HTTP+JSON', v03Rest, task03('working'), []],
    ['a null default next to it', v10, { task: bare, message: null }, []],
    [
      'bare in 1.0',
      v10,
      bare,
      ['SendMessage result must be {"task"} or {"message"} in 1.0, got a bare task'],
    ],
    [
      'bare message in 1.0',
      v10,
      message10('ROLE_AGENT'),
      ['SendMessage result must be {"task"} or {"message"} in 1.0, got a bare message'],
    ],
    [
      'wrapped in 0.3',
      v03,
      { task: task03('working') },
      ['message/send result must be the task or the message itself in 0.3, got {"task": …}'],
    ],
    [
      'wrapped twice',
      v03,
      { result: { task: task03('working') } },
      ['message/send result must be the task or the message itself in 0.3, got {"result": {"task": …}}'],
    ],
    [
      'an envelope in the envelope',
      v03,
      { jsonrpc: '2.0', id: 1, result: task03('working') },
      ['message/send result must be the task or the message itself in 0.3, got {"result": …}'],
    ],
    [
      'wrapped in 0.1',
      v01,
      { task: task10('working') },
      ['tasks/send result must be the task itself in 0.1, got {"task": …}'],
    ],
    [
      'a message in 0.1',
      v01,
      { role: 'agent', parts: [{ text: 'hi' }] },
      ['tasks/send was answered with a message (0.1 answers with a task)'],
    ],
  ])('%s', (_, codec, result, expected) => {
    expect(codec.readReply(result).findings.map(({ message }) => message)).toEqual(expected)
  })

  it('GetTask answers with the task itself', () => {
    expect(v10.readTask(bare).findings).toEqual([])
    expect(v03Rest.readTask(bare).findings).toEqual([])
    expect(v10.readTask({ task: bare })).toMatchObject({
      value: { id: 't1', status: { state: 'working' } },
      findings: [{ id: 'wire/wrapping', message: 'GetTask result must be the task itself, got {"task": …}' }],
    })
    expect(() => v03.readTask(message03('agent'))).toThrow(
      'tasks/get was answered with a message (expected a task)',
    )
    expect(() => v03.readTask({})).toThrow('result is empty: no task')
  })

  it.each<[unknown, string]>([
    [{}, 'result is empty: no task and no message'],
    [null, 'result is empty: no task and no message'],
    [undefined, 'result is empty: no task and no message'],
    [[], 'result is empty: no task and no message'],
    ['', 'result is empty: no task and no message'],
    [{ task: task10('working'), message: message10('agent') }, 'the result has both a task and a message'],
    ['ok', 'the result is neither a Message nor a Task: "ok"'],
    [[task03('working')], 'the result is neither a Message nor a Task: an array of 1 item'],
    [
      { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 },
      'the result is neither a Message nor a Task: {"a", "b", "c", "d", "e", …}',
    ],
    [{ message: 'hello' }, 'the result is neither a Message nor a Task: {"message"}'],
    [
      { result: { result: { task: task10('working') } } },
      'the result is neither a Message nor a Task: {"task"}',
    ],
    [
      { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'boom' } },
      'the result holds a JSON-RPC error: "boom" (-32603)',
    ],
    [{ task: { id: 't1' } }, 'the task has no status'],
    [{ kind: 'task', id: 't1' }, 'the task has no status'],
    [{ id: 't1', status: 'completed' }, 'the status of the task is "completed", not an object with a state'],
    [
      { kind: 'status-update', taskId: 't1', status: { state: 'working' } },
      'the result is a status update, neither a Message nor a Task',
    ],
    [
      { kind: 'artifact-update', artifact: {} },
      'the result is an artifact update, neither a Message nor a Task',
    ],
  ])('%j is not a reply', (result, message) => {
    for (const codec of [v03, v10]) expect(() => codec.readReply(result)).toThrow(badReply(message))
  })
})
