import { describe, expect, it } from 'vitest'
import type { Codec } from '../../src/protocol/codec.ts'
import type { Task } from '../../src/protocol/model.ts'
import {
  badReply,
  message03,
  message10,
  notes,
  state,
  task03,
  task10,
  v01,
  v03,
  v03Rest,
  v10,
  v10Rest,
} from './support.ts'

describe('task states', () => {
  it.each([
    ['completed', 'completed', undefined],
    [
      'TASK_STATE_COMPLETED',
      'completed',
      'state "TASK_STATE_COMPLETED" is the 1.0 spelling; this interface speaks 0.3 (expected "completed")',
    ],
    ['Completed', 'completed', 'state "Completed" is not a spelling of A2A (expected "completed")'],
    ['COMPLETED', 'completed', 'state "COMPLETED" is not a spelling of A2A (expected "completed")'],
    [
      'TaskState.completed',
      'completed',
      'state "TaskState.completed" is not a spelling of A2A (expected "completed")',
    ],
    [
      'TASK_STATE_CANCELLED',
      'canceled',
      'state "TASK_STATE_CANCELLED" is the spelling of 0.3 over HTTP+JSON; this interface speaks 0.3 (expected "canceled")',
    ],
    ['cancelled', 'canceled', 'state "cancelled" is not a spelling of A2A (expected "canceled")'],
    [
      'input_required',
      'input-required',
      'state "input_required" is not a spelling of A2A (expected "input-required")',
    ],
    [
      'TaskState.inputRequired',
      'input-required',
      'state "TaskState.inputRequired" is not a spelling of A2A (expected "input-required")',
    ],
    ['unknown', 'unknown', undefined],
  ])('0.3 reads %s as %s', (spelling, expected, message) => {
    expect(state(v03, task03(spelling))).toBe(expected)
    expect(notes(v03, task03(spelling))).toEqual(
      message === undefined ? [] : [`wire/state-spelling result.status.state: ${message}`],
    )
  })
  it.each<[unknown, string]>([
    ['done', 'unknown task state "done"'],
    ['finished', 'unknown task state "finished"'],
    [3, 'unknown task state 3'],
    [{ a: 1 }, 'unknown task state {"a"}'],
    ['TASK_STATE_', 'unknown task state "TASK_STATE_"'],
    ['constructor', 'unknown task state "constructor"'],
    [null, 'the status has no task state'],
    ['', 'the status has no task state'],
  ])('0.3 refuses %j', (spelling, message) => {
    expect(() => v03.readReply(task03(spelling))).toThrow(badReply(message))
  })
  it('lists the valid states', () => {
    expect(() => v10.readReply({ task: task10('done') })).toThrow(
      expect.objectContaining({ fix: expect.stringContaining('"TASK_STATE_INPUT_REQUIRED"') }),
    )
  })
  it.each<[unknown, string, string | undefined]>([
    ['TASK_STATE_COMPLETED', 'completed', undefined],
    ['TASK_STATE_CANCELED', 'canceled', undefined],
    ['TASK_STATE_UNSPECIFIED', 'unknown', undefined],
    [
      'completed',
      'completed',
      'state "completed" is the 0.3 spelling; this interface speaks 1.0 (expected "TASK_STATE_COMPLETED")',
    ],
    [
      'TASK_STATE_CANCELLED',
      'canceled',
      'state "TASK_STATE_CANCELLED" is the spelling of 0.3 over HTTP+JSON; this interface speaks 1.0 (expected "TASK_STATE_CANCELED")',
    ],
    [
      3,
      'completed',
      'state 3 is the number of an enum value; this interface speaks 1.0 (expected "TASK_STATE_COMPLETED")',
    ],
  ])('1.0 reads %j as %s', (spelling, expected, message) => {
    for (const codec of [v10, v10Rest]) {
      const at = codec.binding === 'JSONRPC' ? 'result' : 'body'
      expect(state(codec, { task: task10(spelling) })).toBe(expected)
      expect(notes(codec, { task: task10(spelling) })).toEqual(
        message === undefined ? [] : [`wire/state-spelling ${at}.task.status.state: ${message}`],
      )
    }
  })
  it.each(['completed', 'TASK_STATE_COMPLETED', 'TASK_STATE_CANCELLED', 'TASK_STATE_CANCELED', 'canceled'])(
    '0.3 over HTTP+JSON reads %s without a finding',
    (spelling) => expect(notes(v03Rest, { task: task10(spelling) })).toEqual([]),
  )
  it('0.1 does not have the states of 0.2', () => {
    expect(notes(v01, task10('rejected'))).toEqual([
      'wire/state-version result.status.state: state "rejected" came with 0.2; this interface speaks 0.1',
    ])
  })
})

describe('roles', () => {
  const rule = '(0.3: "agent", 1.0: "ROLE_AGENT")'
  it.each<[Codec, unknown, string[]]>([
    [v03, message03('agent'), []],
    [v03, message03('model'), [`wire/role result.role: role "model" is not an A2A role ${rule}`]],
    [v03, message03('assistant'), [`wire/role result.role: role "assistant" is not an A2A role ${rule}`]],
    [v03, message03('Agent'), [`wire/role result.role: role "Agent" is not an A2A role ${rule}`]],
    [
      v03,
      message03('ROLE_AGENT'),
      [
        'wire/role result.role: role "ROLE_AGENT" is the 1.0 spelling; this interface speaks 0.3 (expected "agent")',
      ],
    ],
    [v03, message03(null), ["wire/role result.role: a message has no role; it is read as the agent's"]],
    [v10, { message: message10('ROLE_AGENT') }, []],
    [
      v10,
      { message: message10('agent') },
      [
        'wire/role result.message.role: role "agent" is the 0.3 spelling; this interface speaks 1.0 (expected "ROLE_AGENT")',
      ],
    ],
    [v03Rest, { message: message10('ROLE_AGENT') }, []],
    [v03Rest, { message: message10('agent') }, []],
  ])('%#', (codec, result, expected) => {
    expect(notes(codec, result)).toEqual(expected)
    expect(codec.readReply(result).value).toMatchObject({ kind: 'message', role: 'agent' })
  })
  it.each<[Codec, unknown, string]>([
    [v03, message03('banana'), `role "banana" is not an A2A role ${rule}`],
    [v03, message03(2), `role 2 is not an A2A role ${rule}`],
    [v03, message03('user'), 'the reply has role user'],
    [v10, { message: message10('ROLE_USER') }, 'the reply has role user'],
    [v03, message03('human'), 'the reply has role user'],
  ])('refuses %#', (codec, result, message) => {
    expect(() => codec.readReply(result)).toThrow(badReply(message))
  })
  it('never takes nonsense in a history for an answer', () => {
    const result = { ...task03('completed'), history: [message03('tool'), message03(undefined)] }
    const { value, findings } = v03.readReply(result)
    expect((value as Task).history.map(({ role }) => role)).toEqual(['user', 'user'])
    expect(findings.map(({ message }) => message)).toEqual([
      `role "tool" is not an A2A role ${rule}; its text is not taken for an answer`,
      "a message has no role; it is read as the user's",
    ])
  })
})
