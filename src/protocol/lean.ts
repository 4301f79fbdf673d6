import type { Message, Part, StreamEvent, Task, TaskStatus } from './model.ts'

const shortText = 20

/** An event without what it carries, for streams that are too long to keep: states, ids and flags stay. */
export function withoutContent(event: StreamEvent): StreamEvent {
  switch (event.type) {
    case 'task':
      return { ...event, task: leanTask(event.task) }
    case 'message':
      return { ...event, message: leanMessage(event.message) }
    case 'status':
      return { ...event, status: leanStatus(event.status) }
    default:
      return { ...event, artifact: { ...event.artifact, parts: leanParts(event.artifact.parts) } }
  }
}

function leanTask(task: Task): Task {
  return {
    ...task,
    status: leanStatus(task.status),
    artifacts: task.artifacts.map((artifact) => ({ ...artifact, parts: leanParts(artifact.parts) })),
    history: [],
  }
}

function leanStatus({ message: _, ...status }: TaskStatus): TaskStatus {
  return status
}

function leanMessage(message: Message): Message {
  return { ...message, parts: leanParts(message.parts) }
}

/** What stands for content that was let go; one for all, so that it costs nothing. */
const gone: Part = { kind: 'data', data: null }

/** Short texts stay: by them a stream of many tiny artifacts is known. */
function leanParts(parts: readonly Part[]): Part[] {
  if (parts.length === 0) return []
  const isShort = parts.every((part) => part.kind === 'text' && part.text.length <= shortText)
  return isShort ? parts.slice(0, 1) : [gone]
}
