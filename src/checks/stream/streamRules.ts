import type { StreamEnd } from '../../client/types.ts'
import type { FindingId } from '../../findings/catalogue.ts'
import { finding, type FindingDetail } from '../../findings/finding.ts'
import type { Finding } from '../../findings/types.ts'
import { isActive, isTerminal, type Dialect, type StreamEvent, type TaskState } from '../../protocol/model.ts'
import { count } from '../phrases.ts'
import { profileOf } from '../../protocol/versions/profiles.ts'
import { describeEvent, taskOf } from './describeEvent.ts'

/** What is known before the first event. */
export interface RulesAbout {
  dialect: Dialect
  /** The task of a subscription, as it was before; absent if a message was sent. */
  resumed?: { taskId: string; contextId?: string; state?: TaskState }
}

/** How the reading of a stream ended. */
export interface Ending {
  ended: StreamEnd | undefined
  /** True if the agent closed the connection. */
  closed: boolean
}

/**
 * The rules for the order and the end of a stream. Takes the events one by one and keeps none of them, so a stream may be
 * of any length. Pure.
 */
export interface Rules {
  add(event: StreamEvent): void
  /** The findings about the events so far, and about how they ended. */
  finish(ending: Ending): Finding[]
  /** True if the stream ended although its task continues. */
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
  const { streamsStartWithTask, endedBy } = profileOf(dialect).tasks
  const endsByState = endedBy === 'state'
  const breaches = new Map<string, Breach>()
  const whole = new Set<string>()
  let events = 0
  let last: StreamEvent | undefined
  let taskId = resumed?.taskId
  let contextId = resumed?.contextId
  let state = resumed?.state
  let over: 'message' | 'terminal' | 'final' | undefined
  let saidFinal: boolean | undefined

  const note = (id: FindingId, message: string, detail: FindingDetail = {}): void => {
    const known = breaches.get(id)
    if (known) known.more += 1
    else breaches.set(id, { finding: finding(id, message, detail), more: 0 })
  }
  const place = (): string => `event ${events}`

  const first = (event: StreamEvent): void => {
    if (!streamsStartWithTask || event.type === 'task') return
    if (resumed) {
      note(
        'stream/resume-first-event',
        `the subscription starts with ${describeEvent(event)}, not with the current task`,
      )
    } else if (event.type !== 'message') {
      note(
        'stream/first-event',
        `the stream starts with ${describeEvent(event)}, not with a Task or a Message`,
      )
    }
  }

  /** False for an event of another task, which says nothing about this one. */
  const isOwn = (event: StreamEvent): boolean => {
    const own = taskOf(event)
    if (event.type !== 'message' && own.taskId !== '') {
      taskId ??= own.taskId
      if (own.taskId !== taskId) {
        note('stream/ids', `${place()} is of task "${own.taskId}", not of task "${taskId}"`)
        return false
      }
    }
    if (own.contextId !== undefined) {
      contextId ??= own.contextId
      if (own.contextId !== contextId) {
        note('stream/ids', `${place()} is of context "${own.contextId}", not of context "${contextId}"`)
      }
    }
    return true
  }

  const late = (event: StreamEvent): boolean => {
    const next = stateOf(event)
    // A last snapshot may follow (A2A 1.0 §11.7).
    if (event.type === 'task' && over !== 'message' && next === state) return true
    // Before 1.0 the end is `final: true`; the client warns that it hangs up earlier.
    const strict =
      endsByState || over === 'final' || (over === 'terminal' && next !== undefined && next !== state)
    if (!strict) return false
    const end = over === 'message' ? 'a Message' : over === 'final' ? '"final": true' : `state ${state}`
    note('stream/after-end', `${describeEvent(event)} was sent after ${end}, which ends the stream`)
    return true
  }

  const takeState = (event: StreamEvent, next: TaskState): void => {
    if (next === 'submitted' && state !== undefined && state !== 'submitted' && state !== 'unknown') {
      note('stream/state-regress', `the state changed back from ${state} to submitted (${place()})`)
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
      note('stream/after-last-chunk', `artifact ${id}: a chunk was sent after the last chunk`)
    if (!append && parts.length === 0)
      note('wire/no-parts', `artifact ${id} has no parts`, {
        level: 'warning',
        fix: 'Send an artifact only when it has content.',
        source: 'A2A 0.3 §6.7, A2A 1.0 §4.1.7',
      })
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
        else if (streamsStartWithTask && over === undefined)
          note('stream/message-in-task', `${place()} is a Message in the stream of a task`)
        return
      }
      const next = stateOf(event)
      if (next !== undefined) takeState(event, next)
      if (event.type === 'artifact') takeArtifact(event)
    },
    finish({ ended, closed }) {
      const found = [...breaches.values()].map(({ finding: breach, more }) =>
        more === 0
          ? breach
          : { ...breach, message: `${breach.message}; and ${count(more, 'more event')} like it` },
      )
      if (over !== undefined && !closed && ended !== 'aborted') {
        const end = over === 'message' ? 'its Message' : over === 'final' ? '"final": true' : `state ${state}`
        found.push(
          finding('stream/not-closed', `the stream stayed open after ${end}`, {
            level: endsByState ? 'error' : 'warning',
          }),
        )
      }
      if (!endsByState && state !== undefined && isTerminal(state) && saidFinal === false) {
        found.push(
          finding('stream/no-final', `the status update with state ${state} does not say "final": true`),
        )
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
