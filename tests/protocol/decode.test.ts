import { describe, expect, it } from 'vitest'
import type { Codec } from '../../src/protocol/codec.ts'
import { codecFor } from '../../src/protocol/codecs.ts'
import type { Message, Task } from '../../src/protocol/model.ts'

const v01 = codecFor('0.1', 'JSONRPC')
const v03 = codecFor('0.3', 'JSONRPC')
const v03Rest = codecFor('0.3', 'HTTP+JSON')
const v10 = codecFor('1.0', 'JSONRPC')
const v10Rest = codecFor('1.0', 'HTTP+JSON')

const task03 = (state: unknown): object => ({
  kind: 'task',
  id: 't1',
  contextId: 'c1',
  status: { state },
  artifacts: [{ artifactId: 'a1', parts: [{ kind: 'text', text: 'done' }] }],
})
const task10 = (state: unknown): object => ({ id: 't1', contextId: 'c1', status: { state } })
const message03 = (role: unknown): object => ({
  kind: 'message',
  messageId: 'm2',
  role,
  parts: [{ kind: 'text', text: 'hi' }],
})
const message10 = (role: unknown): object => ({ messageId: 'm2', role, parts: [{ text: 'hi' }] })

/** Findings as `id path: message`, for short tables. */
function notes(codec: Codec, result: unknown): string[] {
  return codec.readReply(result).findings.map(({ id, path, message }) => `${id} ${path}: ${message}`)
}
function state(codec: Codec, result: unknown): string {
  return (codec.readReply(result).value as Task).status.state
}
function parts(codec: Codec, list: unknown): unknown {
  return codec.readReply({ messageId: 'm', role: 'agent', parts: list }).value as Message
}
const badReply = (message: string): unknown => expect.objectContaining({ code: 'BAD_REPLY', message })

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
    expect(() => v03.readReply(task03(spelling))).toThrow(badReply(message) as Error)
  })
  it('says which states there are', () => {
    expect(() => v10.readReply({ task: task10('done') })).toThrow(
      expect.objectContaining({ mend: expect.stringContaining('"TASK_STATE_INPUT_REQUIRED"') }),
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
    '0.3 over HTTP+JSON takes %s without a word',
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
    expect(() => codec.readReply(result)).toThrow(badReply(message) as Error)
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

describe('wrapping', () => {
  const bare = task10('TASK_STATE_WORKING')
  it.each<[string, Codec, unknown, string[]]>([
    ['the right form of 1.0', v10, { task: bare }, []],
    ['the right form of 0.3', v03, task03('working'), []],
    ['both forms of 0.3 over HTTP+JSON', v03Rest, { task: task03('working') }, []],
    ['both forms of 0.3 over HTTP+JSON', v03Rest, task03('working'), []],
    ['a null default beside it', v10, { task: bare, message: null }, []],
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
  ])('%j is no reply', (result, message) => {
    for (const codec of [v03, v10]) expect(() => codec.readReply(result)).toThrow(badReply(message) as Error)
  })
})

describe('parts of every generation', () => {
  const raw = { raw: 'AAAA', filename: 'p.png', mediaType: 'image/png' }
  const file = { bytes: 'AAAA', name: 'p.png', mimeType: 'image/png' }
  const png = { kind: 'file', bytes: 'AAAA', name: 'p.png', mediaType: 'image/png' }
  const link = { kind: 'file', url: 'https://a.test/x' }
  const speaks = (dialect: string): string => `this interface speaks ${dialect}`

  it.each<[Codec, unknown, unknown, string[]]>([
    // The version's own form: never a word.
    [v01, { type: 'text', text: 'hi' }, { kind: 'text', text: 'hi' }, []],
    [v01, { text: 'hi' }, { kind: 'text', text: 'hi' }, []],
    [v01, { type: 'file', file }, png, []],
    [v01, { type: 'data', data: [1] }, { kind: 'data', data: [1] }, []],
    [v03, { kind: 'text', text: 'hi' }, { kind: 'text', text: 'hi' }, []],
    [v03, { kind: 'file', file }, png, []],
    [v03, { kind: 'file', file: { uri: 'https://a.test/x', name: null } }, link, []],
    [v03, { kind: 'data', data: { a: 1 } }, { kind: 'data', data: { a: 1 } }, []],
    [
      v03,
      { kind: 'data', data: { value: [1] }, metadata: { data_part_compat: true } },
      { kind: 'data', data: [1] },
      [],
    ],
    [v03Rest, { text: 'hi' }, { kind: 'text', text: 'hi' }, []],
    [v03Rest, { file: { fileWithBytes: 'AAAA', mimeType: 'image/png', name: 'p.png' } }, png, []],
    [v03Rest, { file: { fileWithUri: 'https://a.test/x' } }, link, []],
    [v03Rest, { data: { data: { a: 1 } } }, { kind: 'data', data: { a: 1 } }, []],
    [v03Rest, { kind: 'data', data: { data: 1 } }, { kind: 'data', data: { data: 1 } }, []],
    [v03Rest, { kind: 'text', text: 'hi' }, { kind: 'text', text: 'hi' }, []],
    [v10, { text: 'hi', filename: '', mediaType: '', metadata: null }, { kind: 'text', text: 'hi' }, []],
    [v10, { text: '' }, { kind: 'text', text: '' }, []],
    [v10, raw, png, []],
    [v10, { text: '', url: 'https://a.test/x' }, link, []],
    [v10, { data: null }, { kind: 'data', data: null }, []],
    [
      v10,
      { data: { data: 1 }, metadata: { k: 1 } },
      { kind: 'data', data: { data: 1 }, metadata: { k: 1 } },
      [],
    ],
    // Another version's form: read, and said.
    [
      v01,
      { kind: 'text', text: 'hi' },
      { kind: 'text', text: 'hi' },
      [`part {"kind": "text"} is the 0.3 form; ${speaks('0.1')} (expected {"type": "text"})`],
    ],
    [
      v03,
      { type: 'text', text: 'hi' },
      { kind: 'text', text: 'hi' },
      [`part {"type": "text"} is the 0.1 form; ${speaks('0.3')} (expected {"kind": "text"})`],
    ],
    [
      v03,
      { text: 'hi' },
      { kind: 'text', text: 'hi' },
      [`part {"text"} is the 1.0 form; ${speaks('0.3')} (expected {"kind": "text"})`],
    ],
    [v03, raw, png, [`part {"raw"} is the 1.0 form; ${speaks('0.3')} (expected {"kind": "file"})`]],
    [
      v03,
      { kind: 'file', file: { fileWithBytes: 'AAAA' } },
      { kind: 'file', bytes: 'AAAA' },
      ['"fileWithBytes" is the name of 0.3 over HTTP+JSON (expected "bytes")'],
    ],
    [
      v03,
      { kind: 'data', data: [1] },
      { kind: 'data', data: [1] },
      ['data part holds an array of 1 item (0.3 allows only an object)'],
    ],
    [
      v10,
      { kind: 'text', text: 'hi' },
      { kind: 'text', text: 'hi' },
      [`part {"kind": "text"} is the 0.3 form; ${speaks('1.0')} (expected {"text"})`],
    ],
    [
      v10,
      { file: { fileWithUri: 'https://a.test/x' } },
      link,
      [`part {"file"} is the 0.3 HTTP+JSON form; ${speaks('1.0')} (expected {"raw"} or {"url"})`],
    ],
    [
      v10,
      { text: 'hi', media_type: 'text/html' },
      { kind: 'text', text: 'hi', mediaType: 'text/html' },
      ['"media_type" is written in snake_case (expected "mediaType")'],
    ],
    // Odd ones: what they carry is kept.
    [
      v10,
      { text: 'hi', data: { a: 1 } },
      { kind: 'text', text: 'hi' },
      ['part has "text" and "data" (expected exactly one)'],
    ],
    [v10, {}, { kind: 'data', data: null }, ['part {} has no content that A2A knows']],
    [
      v03,
      { kind: 'image', source: 'x' },
      { kind: 'data', data: { kind: 'image', source: 'x' } },
      ['part {"kind", "source"} has no content that A2A knows'],
    ],
    [
      v03,
      { kind: 'markdown', text: '# hi' },
      { kind: 'text', text: '# hi' },
      ['part kind "markdown" is not one of A2A (text, file, data)'],
    ],
    [
      v03,
      { kind: 'file', file: { data: 'AAAA' } },
      { kind: 'file', bytes: 'AAAA' },
      ['file part keeps its bytes in "data" (expected file.bytes)'],
    ],
    [
      v03,
      { kind: 'file', data: 'AAAA' },
      { kind: 'file', bytes: 'AAAA' },
      ['file part keeps its bytes in "data" (expected file.bytes)'],
    ],
    [v03, { kind: 'file', file: {} }, { kind: 'file' }, ['file part has neither bytes nor a uri']],
    [
      v03,
      { kind: 'text', text: 5 },
      { kind: 'text', text: '5' },
      ['text part has text 5 (expected a string)'],
    ],
    [v03, 'hi', { kind: 'text', text: 'hi' }, ['a part is the string "hi" (expected an object)']],
    [v03, 7, { kind: 'data', data: 7 }, ['a part is 7 (expected an object)']],
  ])('%#', (codec, part, expected, messages) => {
    const role = codec.dialect === '1.0' ? 'ROLE_AGENT' : 'agent'
    const message = { ...(codec === v03 ? { kind: 'message' } : {}), messageId: 'm', role, parts: [part] }
    const status = { state: codec.dialect === '1.0' ? 'TASK_STATE_COMPLETED' : 'completed', message }
    const task = { ...(codec === v03 ? { kind: 'task' } : {}), id: 't', contextId: 'c', status }
    const { value, findings } = codec.readTask(task)
    expect(value.status.message?.parts).toEqual([expected])
    expect(findings.map((finding) => finding.message)).toEqual(messages)
    for (const finding of findings)
      expect(finding).toMatchObject({
        level: 'warning',
        path: expect.stringMatching(/\.status\.message\.parts\[0\]/),
      })
  })

  it('says one thing once, however often it happens', () => {
    expect(
      v03.readReply({ ...message03('agent'), parts: [{ text: 'a' }, { text: 'b' }, null] }).findings,
    ).toMatchObject([
      { id: 'wire/part-dialect', path: 'result.parts[0]' },
      { message: 'a part is null (expected an object)', path: 'result.parts[2]' },
    ])
  })
  it('reads a list that is none', () => {
    expect(parts(v03, 'hi')).toMatchObject({ parts: [{ kind: 'text', text: 'hi' }] })
    expect(parts(v03, { text: 'hi' })).toMatchObject({ parts: [{ kind: 'text', text: 'hi' }] })
  })
})

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
      ['wire/kind-missing result: the message has no kind (0.3 demands kind "message")'],
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
      ['wire/missing-id result: the message has no messageId, which 0.3 demands'],
    ],
    [
      'context id missing',
      v03,
      { ...task03('working'), contextId: null },
      ['wire/missing-id result: the task has no contextId, which 0.3 demands'],
    ],
    ['context id missing in 1.0', v10, { task: { id: 't1', status: { state: 'TASK_STATE_WORKING' } } }, []],
    [
      'task id missing',
      v10,
      { task: { status: { state: 'TASK_STATE_WORKING' } } },
      ['wire/missing-id result.task: the task has no id, which 1.0 demands'],
    ],
    [
      'task id missing in 0.1',
      v01,
      { status: { state: 'working' } },
      ['wire/missing-id result: the task has no id, which 0.1 demands'],
    ],
    [
      'artifact id missing',
      v10,
      { task: { ...task10('TASK_STATE_WORKING'), artifacts: [{ parts: [] }] } },
      ['wire/missing-id result.task.artifacts[0]: the artifact has no artifactId, which 1.0 demands'],
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
      ['wire/list-type result.artifacts: artifacts is no array'],
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
  it('is safe from prototypes, polluted or sent', () => {
    const hostile = JSON.parse(
      '{"kind":"task","id":"t1","contextId":"c1","__proto__":{"artifacts":[{}]},"status":{"state":"working","__proto__":{"message":"x"}},"metadata":{"__proto__":{"polluted":true},"a":1}}',
    ) as unknown
    const { value, findings } = v03.readReply(hostile)
    expect(findings).toEqual([])
    expect(value).toMatchObject({ artifacts: [], status: { state: 'working' } })
    expect({}).not.toHaveProperty('polluted')
    expect(Object.keys(value.metadata ?? {})).toEqual(['__proto__', 'a'])
  })
  it('is safe from deep nesting', () => {
    const deep = JSON.parse(`${'{"result":'.repeat(5000)}1${'}'.repeat(5000)}`) as unknown
    expect(() => v10.readReply(deep)).toThrow('the result is neither a Message nor a Task: {"result"}')
    const data = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as unknown
    expect(parts(v10, [{ data }])).toMatchObject({ parts: [{ kind: 'data' }] })
  })
})
