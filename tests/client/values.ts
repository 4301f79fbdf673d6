import type { Artifact, Message, Part, Role, Task, TaskState } from '../../src/protocol/model.ts'

/** Short ways to write answers, as the codecs give them. */
export const text = (value: string): Part => ({ kind: 'text', text: value })

export function message(role: Role, ...parts: (string | Part)[]): Message {
  return {
    kind: 'message',
    messageId: 'm',
    role,
    parts: parts.map((part) => (typeof part === 'string' ? text(part) : part)),
  }
}

export function artifact(id: string, ...parts: (string | Part)[]): Artifact {
  return { artifactId: id, parts: message('agent', ...parts).parts }
}

export function task(
  state: TaskState,
  more: {
    status?: Message
    artifacts?: Artifact[]
    history?: Message[]
    timestamp?: string
    id?: string
  } = {},
): Task {
  return {
    kind: 'task',
    id: more.id ?? 't1',
    contextId: 'c1',
    status: {
      state,
      ...(more.status && { message: more.status }),
      ...(more.timestamp !== undefined && { timestamp: more.timestamp }),
    },
    artifacts: more.artifacts ?? [],
    history: more.history ?? [],
  }
}
