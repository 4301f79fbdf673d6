import type { Artifact, StreamEvent, Task, TaskState } from '../../../src/protocol/model.ts'

/** Events as they come out of a codec, of task t1 in context c1 by default. */
export function task(state: TaskState, id = 't1', artifacts: Artifact[] = []): StreamEvent {
  return { type: 'task', task: { ...taskOf(state, artifacts), id } }
}

export function taskOf(state: TaskState, artifacts: Artifact[] = []): Task {
  return { kind: 'task', id: 't1', contextId: 'c1', status: { state }, artifacts, history: [] }
}

export function status(
  state: TaskState,
  {
    taskId = 't1',
    final = false,
    ...more
  }: { taskId?: string; contextId?: string | undefined; final?: boolean } = {},
): StreamEvent {
  const contextId = 'contextId' in more ? more.contextId : 'c1'
  return { type: 'status', taskId, ...(contextId !== undefined && { contextId }), status: { state }, final }
}

export function artifact(
  artifactId: string,
  {
    append = false,
    lastChunk = false,
    parts,
  }: { append?: boolean; lastChunk?: boolean; parts?: Artifact['parts'] } = {},
): StreamEvent {
  const content = parts ?? [{ kind: 'text', text: 'word' }]
  return {
    type: 'artifact',
    taskId: 't1',
    contextId: 'c1',
    artifact: { artifactId, parts: content },
    append,
    lastChunk,
  }
}

export function message(): StreamEvent {
  return {
    type: 'message',
    message: { kind: 'message', messageId: 'm1', role: 'agent', parts: [], contextId: 'c1' },
  }
}
