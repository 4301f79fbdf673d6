import type { StreamEnd } from '../../client/types.ts'
import type { Finding, Level } from '../../core/finding.ts'
import { isActive, isTerminal, type Dialect, type StreamEvent, type TaskState } from '../../protocol/model.ts'
import { count } from '../phrases.ts'
import { describeEvent, taskOf } from './describeEvent.ts'

/** What is known before the first event. */
export interface RulesAbout {
  dialect: Dialect
  /** The task that was subscribed to, as it was seen before; absent where a message was sent. */
  resumed?: { taskId: string; contextId?: string; state?: TaskState }
}

/** How the reading of a stream ended. */
export interface Ending {
  ended: StreamEnd | undefined
  /** The agent closed the connection. */
  closed: boolean
}

/**
 * The rules of order and end that a stream has to keep. Takes the events one by one and keeps none of them, so that a stream may be
 * of any length. Pure.
 */
export interface Rules {
  add(event: StreamEvent): void
  /** What is wrong with the events so far, and with how they ended. */
  finish(ending: Ending): Finding[]
  /** True when the stream ended although its task goes on. */
  isEarly(ending: Ending): boolean
  readonly events: number
  /** The last event as a phrase. */
  readonly last: string
  readonly taskId: string | undefined
  readonly state: TaskState | undefined
}

interface Breach {
  finding: Finding
  more: number
}

export function createRules({ dialect, resumed }: RulesAbout): Rules {
  const isV1 = dialect === '1.0'
  const breaches = new Map<string, Breach>()
  const whole = new Set<string>()
  let events = 0
  let last: StreamEvent | undefined
  let taskId = resumed?.taskId
  let contextId = resumed?.contextId
  let state = resumed?.state
  let over: 'message' | 'terminal' | 'final' | undefined
  let saidFinal: boolean | undefined

  const note = (level: Level, id: string, message: string, { fix, source }: Why): void => {
    const known = breaches.get(id)
    if (known) known.more += 1
    else breaches.set(id, { finding: { id, level, message, fix, source }, more: 0 })
  }
  const place = (): string => `event ${events}`

  const first = (event: StreamEvent): void => {
    if (!isV1 || event.type === 'task') return
    if (resumed) {
      note(
        'error',
        'stream/resume-first-event',
        `the subscription begins with ${describeEvent(event)}, not with the task as it is now`,
        why.resumeFirst,
      )
    } else if (event.type !== 'message') {
      note(
        'error',
        'stream/first-event',
        `the stream begins with ${describeEvent(event)}, not with a Task or a Message`,
        why.first,
      )
    }
  }

  /** False for the event of another task, which says nothing about this one. */
  const isOwn = (event: StreamEvent): boolean => {
    const own = taskOf(event)
    if (event.type !== 'message' && own.taskId !== '') {
      taskId ??= own.taskId
      if (own.taskId !== taskId) {
        note('error', 'stream/ids', `${place()} is of task "${own.taskId}", not of task "${taskId}"`, why.ids)
        return false
      }
    }
    if (own.contextId !== undefined) {
      contextId ??= own.contextId
      if (own.contextId !== contextId) {
        note(
          'error',
          'stream/ids',
          `${place()} is of context "${own.contextId}", not of context "${contextId}"`,
          why.ids,
        )
      }
    }
    return true
  }

  const late = (event: StreamEvent): boolean => {
    const next = stateOf(event)
    // A last snapshot may follow (A2A 1.0 §11.7).
    if (event.type === 'task' && over !== 'message' && next === state) return true
    // Before 1.0 the end is `final: true`; that clients hang up earlier is what the warning of the client says.
    const strict = isV1 || over === 'final' || (over === 'terminal' && next !== undefined && next !== state)
    if (!strict) return false
    const end = over === 'message' ? 'a Message' : over === 'final' ? '"final": true' : `state ${state}`
    note(
      'error',
      'stream/after-end',
      `${describeEvent(event)} came after ${end}, which ends the stream`,
      why.afterEnd,
    )
    return true
  }

  const takeState = (event: StreamEvent, next: TaskState): void => {
    if (next === 'submitted' && state !== undefined && state !== 'submitted' && state !== 'unknown') {
      note('error', 'stream/state-regress', `the state went back from ${state} to submitted (${place()})`, {
        ...why.regress,
      })
    }
    state = next
    if (event.type === 'status') saidFinal = event.final
    if (isTerminal(next)) over = 'terminal'
    if (event.type === 'status' && event.final) over = 'final'
  }

  const takeArtifact = (event: StreamEvent & { type: 'artifact' }): void => {
    const { append, lastChunk } = event
    const { artifactId: id, parts } = event.artifact
    if (append && whole.has(id))
      note(
        'warning',
        'stream/after-last-chunk',
        `artifact ${id}: a chunk came after its last one`,
        why.lastChunk,
      )
    if (!append && parts.length === 0)
      note('warning', 'wire/no-parts', `artifact ${id} has no parts`, why.noParts)
    if (lastChunk) whole.add(id)
    else if (!append) whole.delete(id)
  }

  return {
    add(event) {
      events += 1
      last = event
      if (events === 1) first(event)
      if (!isOwn(event)) return
      if (over !== undefined && late(event)) return
      if (event.type === 'message') {
        if (events === 1) over = 'message'
        else if (isV1 && over === undefined)
          note('error', 'stream/message-in-task', `${place()} is a Message within the stream of a task`, {
            ...why.messageInTask,
          })
        return
      }
      const next = stateOf(event)
      if (next !== undefined) takeState(event, next)
      if (event.type === 'artifact') takeArtifact(event)
    },
    finish({ ended, closed }) {
      const found = [...breaches.values()].map(({ finding, more }) =>
        more === 0
          ? finding
          : { ...finding, message: `${finding.message}; the same of ${count(more, 'more event')}` },
      )
      if (over !== undefined && !closed && ended !== 'aborted') {
        const end = over === 'message' ? 'its Message' : over === 'final' ? '"final": true' : `state ${state}`
        found.push({
          id: 'stream/not-closed',
          level: isV1 ? 'error' : 'warning',
          message: `the stream stayed open after ${end}`,
          ...why.notClosed,
        })
      }
      if (!isV1 && state !== undefined && isTerminal(state) && saidFinal === false) {
        found.push({
          id: 'stream/no-final',
          level: 'warning',
          message: `the status update with state ${state} does not say "final": true`,
          ...why.noFinal,
        })
      }
      return found
    },
    isEarly({ ended }) {
      if (over === 'message') return false
      const goesOn = state === undefined || isActive(state)
      return goesOn && (ended === 'closed' || ended === 'final')
    },
    get events() {
      return events
    },
    get last() {
      return last === undefined ? 'none' : describeEvent(last)
    },
    get taskId() {
      return taskId
    },
    get state() {
      return state
    },
  }
}

function stateOf(event: StreamEvent): TaskState | undefined {
  if (event.type === 'task') return event.task.status.state
  return event.type === 'status' ? event.status.state : undefined
}

interface Why {
  fix: string
  source: string
}

const why = {
  first: {
    fix: 'Send the Task as the first event, before any update of it.',
    source: 'A2A 1.0 §3.1.2',
  },
  resumeFirst: {
    fix: 'Send the Task as it is now as the first event of every subscription.',
    source: 'A2A 1.0 §3.1.6',
  },
  messageInTask: {
    fix: 'Send what is said within a task as the message of a status update.',
    source: 'A2A 1.0 §3.1.2',
  },
  ids: {
    fix: 'Send to each stream the events of its own task only, all with the same taskId and contextId.',
    source: 'A2A 0.3 §7.2, A2A 1.0 §3.1.2',
  },
  regress: {
    fix: 'Report "submitted" once, before the work begins.',
    source: 'A2A 0.3 §6.3, A2A 1.0 §3.5.2',
  },
  afterEnd: {
    fix: 'Send everything before the event that ends the stream, and nothing after it.',
    source: 'A2A 0.3 §7.2.2, A2A 1.0 §3.1.2',
  },
  notClosed: {
    fix: 'Close the connection after the event that ends the stream.',
    source: 'A2A 0.3 §7.2, A2A 1.0 §3.1.2',
  },
  noFinal: {
    fix: 'Say "final": true in the last status update; clients of 0.x wait for it.',
    source: 'A2A 0.3 §7.2.2',
  },
  lastChunk: {
    fix: 'Say "lastChunk": true in the last chunk of an artifact only.',
    source: 'A2A 0.3 §7.2.3, A2A 1.0 §4.2.2',
  },
  noParts: {
    fix: 'Send an artifact when there is something in it.',
    source: 'A2A 0.3 §6.7, A2A 1.0 §4.1.7',
  },
} satisfies Record<string, Why>
