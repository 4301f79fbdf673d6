import { finding } from '../../findings/finding.ts'
import type { Finding } from '../../findings/types.ts'
import { isTerminal, type StreamEvent, type TaskState } from '../../protocol/model.ts'
import type { StreamEnd } from '../types.ts'

/** How a stream ends with the event that ends it. */
export function endOf(event: StreamEvent): StreamEnd {
  if (event.type === 'message') return 'message'
  if (event.type === 'status' && event.final) return 'final'
  const status =
    event.type === 'task' ? event.task.status : event.type === 'status' ? event.status : undefined
  return status !== undefined && isTerminal(status.state) ? 'terminal' : 'interrupted'
}

/** The finding for an event after the end, unless it only repeats how the task ended. */
export function lateEvent(event: StreamEvent, end: StreamEnd, state: TaskState | undefined): Finding[] {
  const isOver = end !== 'message' && state !== undefined && isTerminal(state)
  if (isOver && event.type === 'task' && event.task.status.state === state) return []
  // The fold reports a state that came after a terminal one.
  if (isOver && event.type === 'status' && !isTerminal(event.status.state)) return []
  const message = `${describe(event)} came after the stream had ended (${endText[end]})`
  return [finding('wire/after-end', message)]
}

const endText: Record<StreamEnd, string> = {
  final: 'final: true',
  terminal: 'a terminal state',
  interrupted: 'an interrupted task',
  message: 'a message as its first event',
  closed: 'it was closed',
  aborted: 'it was aborted',
}

function describe(event: StreamEvent): string {
  switch (event.type) {
    case 'task':
      return `a task (${event.task.status.state})`
    case 'message':
      return 'a message'
    case 'status':
      return `a status update (${event.status.state})`
    default:
      return `an update of artifact ${event.artifact.artifactId}`
  }
}
