import { describe, expect, it } from 'vitest'
import { createFold, type Fold } from '../../src/protocol/fold.ts'
import type { Message, StreamEvent, Task, TaskState } from '../../src/protocol/model.ts'

const ids = { taskId: 't1', contextId: 'c1' }

function text(messageId: string, words: string, role: Message['role'] = 'agent'): Message {
  return { kind: 'message', messageId, role, parts: [{ kind: 'text', text: words }] }
}
function status(state: TaskState, message?: Message, final = false): StreamEvent {
  return { type: 'status', ...ids, status: message === undefined ? { state } : { state, message }, final }
}
function chunk(artifactId: string, words: string, append = false): StreamEvent {
  return {
    type: 'artifact',
    ...ids,
    artifact: { artifactId, parts: [{ kind: 'text', text: words }] },
    append,
    lastChunk: false,
  }
}
function whole(state: TaskState, more: Partial<Task> = {}): StreamEvent {
  const task: Task = {
    kind: 'task',
    id: 't1',
    contextId: 'c1',
    status: { state },
    artifacts: [],
    history: [],
    ...more,
  }
  return { type: 'task', task }
}
function fold(...events: StreamEvent[]): Fold {
  const folded = createFold()
  for (const event of events) folded.add(event)
  return folded
}
function artifacts(folded: Fold): Record<string, string> {
  const { artifacts } = folded.reply() as Task
  return Object.fromEntries(
    artifacts.map((one) => [
      one.artifactId,
      one.parts.map((part) => (part.kind === 'text' ? part.text : '')).join(''),
    ]),
  )
}

describe('folding a stream', () => {
  it('keeps question, progress and answer apart (the same answer twice, as bridges send it)', () => {
    const folded = fold(
      status('submitted', text('m1', 'capital?', 'user')),
      status('working', text('m2', 'Oslo')),
      chunk('a1', 'Oslo'),
      status('completed', undefined, true),
    )
    expect(folded.progress).toEqual(['Oslo'])
    expect(folded.findings).toEqual([])
    expect(folded.ended).toBe(true)
    const task = folded.reply() as Task
    expect(task).toMatchObject({ kind: 'task', id: 't1', contextId: 'c1', status: { state: 'completed' } })
    expect(task.history.map(({ messageId }) => messageId)).toEqual(['m1', 'm2'])
    expect(artifacts(folded)).toEqual({ a1: 'Oslo' })
  })

  it('appends, replaces and creates artifacts', () => {
    const folded = fold(chunk('a', 'Hel'), chunk('a', 'lo', true), chunk('b', 'one'), chunk('b', 'two'))
    expect(artifacts(folded)).toEqual({ a: 'Hello', b: 'two' })
    expect(folded.findings).toEqual([])
    expect((folded.reply() as Task).status.state).toBe('working')
    expect(folded.ended).toBe(false)
  })

  it('a later chunk brings name, description and metadata', () => {
    const folded = fold(chunk('a', 'x'), {
      type: 'artifact',
      ...ids,
      artifact: {
        artifactId: 'a',
        name: 'log',
        description: 'd',
        metadata: { k: 1 },
        extensions: ['urn:x'],
        parts: [],
      },
      append: true,
      lastChunk: true,
    })
    expect((folded.reply() as Task).artifacts).toEqual([
      {
        artifactId: 'a',
        name: 'log',
        description: 'd',
        metadata: { k: 1 },
        extensions: ['urn:x'],
        parts: [{ kind: 'text', text: 'x' }],
      },
    ])
  })

  it('a first chunk with append creates the artifact, and is reported once', () => {
    const folded = fold(
      chunk('a1', 'Hel', true),
      chunk('a1', 'lo', true),
      status('completed', undefined, true),
    )
    expect(artifacts(folded)).toEqual({ a1: 'Hello' })
    expect(folded.findings).toEqual([
      { id: 'wire/append-first', level: 'warning', message: 'artifact a1: first chunk has append: true' },
    ])
  })

  it('many small artifacts look like one', () => {
    const some = (count: number): StreamEvent[] =>
      Array.from({ length: count }, (_, i) => chunk(`x${i}`, 'token '))
    expect(fold(...some(10)).findings).toEqual([])
    expect(fold(...some(30)).findings).toEqual([
      {
        id: 'wire/changing-artifact-ids',
        level: 'warning',
        message: 'looks like one artifact streamed under changing artifactIds',
      },
    ])
    const long = Array.from({ length: 30 }, (_, i) => chunk(`x${i}`, 'a text of more than twenty characters'))
    expect(fold(...long).findings).toEqual([])
  })

  it('a task event replaces what was there', () => {
    const folded = fold(
      chunk('a', 'Hel'),
      whole('working', { artifacts: [{ artifactId: 'a', parts: [{ kind: 'text', text: 'Hel' }] }] }),
      chunk('a', 'lo', true),
    )
    expect(artifacts(folded)).toEqual({ a: 'Hello' })
  })

  it('never changes its input or earlier results', () => {
    const first = chunk('a', 'Hel')
    const folded = fold(first)
    const before = folded.reply() as Task
    folded.add(chunk('a', 'lo', true))
    expect(before.artifacts[0]?.parts).toHaveLength(1)
    expect(first).toEqual(chunk('a', 'Hel'))
  })

  it('continues from a known task', () => {
    const known = whole('working', {
      artifacts: [{ artifactId: 'a', parts: [{ kind: 'text', text: 'Hel' }] }],
    })
    if (known.type !== 'task') throw new Error('unreachable')
    const folded = createFold(known.task)
    folded.add(chunk('a', 'lo', true))
    expect(artifacts(folded)).toEqual({ a: 'Hello' })
  })

  it('does not report or remember the same message twice', () => {
    const busy = text('m2', 'busy')
    const folded = fold(
      status('working', busy),
      whole('working', { status: { state: 'working', message: busy }, history: [busy] }),
      status('completed'),
    )
    expect(folded.progress).toEqual(['busy'])
    expect((folded.reply() as Task).history).toEqual([busy])
  })

  it('keeps the findings of reading, each once', () => {
    const folded = createFold()
    const finding = { id: 'wire/role', level: 'warning', path: 'result.role', message: 'odd' } as const
    folded.add(status('working'), [finding])
    folded.add(status('working'), [{ ...finding, path: 'result.status.message.role' }])
    expect(folded.findings).toEqual([finding])
  })
})

describe('the end of a turn', () => {
  it.each<[string, boolean, StreamEvent[]]>([
    ['nothing yet', false, []],
    ['a working task', false, [whole('working')]],
    ['a message first', true, [{ type: 'message', message: text('m', 'hi') }]],
    ['a message for a task', false, [whole('working'), { type: 'message', message: text('m', 'hi') }]],
    ['a completed task', true, [whole('completed')]],
    ['a failed status', true, [whole('working'), status('failed')]],
    ['input-required, whatever final says', true, [status('input-required')]],
    ['auth-required continues', false, [status('auth-required')]],
    ['auth-required with final', true, [status('auth-required', undefined, true)]],
    ['final while working', true, [status('working', undefined, true)]],
    ['an artifact after final', true, [status('completed', undefined, true), chunk('a', 'x')]],
  ])('%s: %s', (_, ended, events) => {
    expect(fold(...events).ended).toBe(ended)
  })

  it('a message alone is the reply', () => {
    const message = text('m', 'hi')
    expect(fold({ type: 'message', message }).reply()).toBe(message)
    expect(fold().reply()).toBeUndefined()
  })
  it('a message next to a task goes to its history', () => {
    const message = text('m', 'hi')
    expect(fold({ type: 'message', message }, whole('working')).reply()).toMatchObject({ kind: 'task' })
    expect(fold({ type: 'message', message }, status('working')).reply()).toMatchObject({
      history: [message],
    })
    expect(fold(whole('working'), { type: 'message', message }).reply()).toMatchObject({ history: [message] })
  })
  it('a terminal state is not left', () => {
    const folded = fold(status('completed'), status('working'))
    expect(folded.reply()).toMatchObject({ status: { state: 'completed' } })
    expect(folded.findings.map(({ message }) => message)).toEqual([
      'state "working" was reported after the terminal state "completed"',
    ])
  })
  it('says when events speak of another task', () => {
    const folded = fold(whole('working'), {
      type: 'status',
      taskId: 't2',
      status: { state: 'completed' },
      final: true,
    })
    expect(folded.findings.map(({ message }) => message)).toEqual([
      'an event for task "t2" came in the stream of task "t1"',
    ])
  })
})
