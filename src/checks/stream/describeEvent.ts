import type { StreamEvent } from '../../protocol/model.ts'

/** Describes an event in a phrase: `a status update (working)`. */
export function describeEvent(event: StreamEvent): string {
  switch (event.type) {
    case 'task':
      return `a Task (${event.task.status.state})`
    case 'message':
      return 'a Message'
    case 'status':
      return `a status update (${event.status.state}${event.final ? ', final' : ''})`
    default:
      return `an update of artifact ${event.artifact.artifactId}`
  }
}

/** The task and context that an event belongs to. */
export function taskOf(event: StreamEvent): { taskId: string; contextId: string | undefined } {
  if (event.type === 'task') return { taskId: event.task.id, contextId: event.task.contextId }
  if (event.type === 'message')
    return { taskId: event.message.taskId ?? '', contextId: event.message.contextId }
  return { taskId: event.taskId, contextId: event.contextId }
}

const shownFirst = 12
const shownLast = 8

/** Lists the events with their times for an excerpt; for a long stream only its start and end. */
export interface EventList {
  add(event: StreamEvent, at: number): void
  excerpts(): { label: string; text: string }[]
}

export function createEventList(since: () => number): EventList {
  const first: string[] = []
  const last: string[] = []
  let left = 0
  return {
    add(event, at) {
      const line = `${Math.max(0, at - since())} ms  ${describeEvent(event)}`
      if (first.length < shownFirst) first.push(line)
      else {
        last.push(line)
        if (last.length > shownLast) {
          last.shift()
          left += 1
        }
      }
    },
    excerpts() {
      const lines = [...first, ...(left > 0 ? [`… ${left} more`] : []), ...last]
      return lines.length === 0 ? [] : [{ label: 'Events', text: lines.join('\n') }]
    },
  }
}
