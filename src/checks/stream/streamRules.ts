import type { StreamEnd } from '../../client/types.ts'
import type { FindingId } from '../../findings/catalogue.ts'
import { finding, type FindingDetail } from '../../findings/finding.ts'
import type { Finding } from '../../findings/types.ts'
import { isActive, isTerminal, type Dialect, type StreamEvent, type TaskState } from '../../protocol/model.ts'
import type { TaskTraits } from '../../protocol/versions/profile.ts'
import { profileOf } from '../../protocol/versions/profiles.ts'
import { count } from '../phrases.ts'
import { describeEvent, taskOf } from './describeEvent.ts'

/** What is known before the first event. */
export interface StreamContext {
  dialect: Dialect
  /** The task that was subscribed to, as known before; absent if a message was sent. */
  resumed?: { taskId: string; contextId?: string; state?: TaskState }
}

/** How the reading of a stream ended. */
export interface Ending {
  ended: StreamEnd | undefined
  /** The agent closed the connection. */
  closed: boolean
}

interface Breach {
  first: Finding
  repeats: number
}

/**
 * The rules for the order and the end of a stream. Takes the events one by one and keeps none of them, so that a stream may be
 * of any length. Pure.
 */
export class StreamRules {
  readonly #traits: TaskTraits
  readonly #isSubscription: boolean
  readonly #breaches = new Map<FindingId, Breach>()
  /** Ids of the artifacts whose last chunk has arrived. */
  readonly #complete = new Set<string>()
  #events = 0
  #last: StreamEvent | undefined
  #taskId: string | undefined
  #contextId: string | undefined
  #state: TaskState | undefined
  /** What ended the stream, according to its version. */
  #endedBy: 'message' | 'terminal' | 'final' | undefined
  /** `final` of the last status update. */
  #final: boolean | undefined

  constructor({ dialect, resumed }: StreamContext) {
    this.#traits = profileOf(dialect).tasks
    this.#isSubscription = resumed !== undefined
    this.#taskId = resumed?.taskId
    this.#contextId = resumed?.contextId
    this.#state = resumed?.state
  }

  get events(): number {
    return this.#events
  }

  /** The last event as a phrase. */
  get last(): string {
    return this.#last === undefined ? 'none' : describeEvent(this.#last)
  }

  get taskId(): string | undefined {
    return this.#taskId
  }

  get state(): TaskState | undefined {
    return this.#state
  }

  add(event: StreamEvent): void {
    this.#events += 1
    this.#last = event
    if (this.#events === 1) this.#checkFirst(event)
    if (!this.#isOwn(event)) return
    if (this.#endedBy !== undefined && this.#isLate(event)) return
    if (event.type === 'message') {
      this.#addMessage()
      return
    }
    const state = stateOf(event)
    if (state !== undefined) this.#addState(event, state)
    if (event.type === 'artifact') this.#addArtifact(event)
  }

  /** What is wrong with the events so far, and with how they ended. */
  finish({ ended, closed }: Ending): Finding[] {
    const found = [...this.#breaches.values()].map(({ first, repeats }) =>
      repeats === 0
        ? first
        : { ...first, message: `${first.message}; and ${count(repeats, 'more event')} like it` },
    )
    if (this.#endedBy !== undefined && !closed && ended !== 'aborted') {
      const level = this.#endsByState ? 'error' : 'warning'
      found.push(
        finding('stream/not-closed', `the stream stayed open after ${this.#describeEnd('its Message')}`, {
          level,
        }),
      )
    }
    const state = this.#state
    if (!this.#endsByState && state !== undefined && isTerminal(state) && this.#final === false) {
      found.push(
        finding('stream/no-final', `the status update with state ${state} does not have "final": true`),
      )
    }
    return found
  }

  /** True if the stream ended although its task continues. */
  isEarly({ ended }: Ending): boolean {
    if (this.#endedBy === 'message') return false
    const continues = this.#state === undefined || isActive(this.#state)
    return continues && (ended === 'closed' || ended === 'final')
  }

  get #endsByState(): boolean {
    return this.#traits.endedBy === 'state'
  }

  #report(id: FindingId, message: string, detail: FindingDetail = {}): void {
    const known = this.#breaches.get(id)
    if (known) known.repeats += 1
    else this.#breaches.set(id, { first: finding(id, message, detail), repeats: 0 })
  }

  #checkFirst(event: StreamEvent): void {
    if (!this.#traits.streamsStartWithTask || event.type === 'task') return
    const what = describeEvent(event)
    if (this.#isSubscription) {
      this.#report(
        'stream/resume-first-event',
        `the subscription starts with ${what}, not with the current task`,
      )
    } else if (event.type !== 'message') {
      this.#report('stream/first-event', `the stream starts with ${what}, not with a Task or a Message`)
    }
  }

  /** False for an event of another task, which says nothing about this one. */
  #isOwn(event: StreamEvent): boolean {
    const { taskId, contextId } = taskOf(event)
    const place = `event ${this.#events}`
    if (event.type !== 'message' && taskId !== '') {
      this.#taskId ??= taskId
      if (taskId !== this.#taskId) {
        this.#report('stream/ids', `${place} belongs to task "${taskId}", not to task "${this.#taskId}"`)
        return false
      }
    }
    if (contextId !== undefined) {
      this.#contextId ??= contextId
      if (contextId !== this.#contextId) {
        this.#report(
          'stream/ids',
          `${place} belongs to context "${contextId}", not to context "${this.#contextId}"`,
        )
      }
    }
    return true
  }

  /** True for an event after the end, which is reported if it breaks a rule. */
  #isLate(event: StreamEvent): boolean {
    const state = stateOf(event)
    // A last snapshot may follow (A2A 1.0 §11.7).
    if (event.type === 'task' && this.#endedBy !== 'message' && state === this.#state) return true
    // Before 1.0 the end is `final: true`. The client warns about clients that disconnect earlier.
    const isNewState = state !== undefined && state !== this.#state
    const isBreach =
      this.#endsByState || this.#endedBy === 'final' || (this.#endedBy === 'terminal' && isNewState)
    if (!isBreach) return false
    this.#report(
      'stream/after-end',
      `${describeEvent(event)} was sent after ${this.#describeEnd('a Message')}, which ends the stream`,
    )
    return true
  }

  #addMessage(): void {
    if (this.#events === 1) this.#endedBy = 'message'
    else if (this.#traits.streamsStartWithTask && this.#endedBy === undefined) {
      this.#report('stream/message-in-task', `event ${this.#events} is a Message in the stream of a task`)
    }
  }

  #addState(event: StreamEvent, state: TaskState): void {
    const before = this.#state
    if (state === 'submitted' && before !== undefined && before !== 'submitted' && before !== 'unknown') {
      this.#report(
        'stream/state-regress',
        `the state changed back from ${before} to submitted (event ${this.#events})`,
      )
    }
    this.#state = state
    if (isTerminal(state)) this.#endedBy = 'terminal'
    if (event.type !== 'status') return
    this.#final = event.final
    if (event.final) this.#endedBy = 'final'
  }

  #addArtifact({ append, lastChunk, artifact }: StreamEvent & { type: 'artifact' }): void {
    const { artifactId: id, parts } = artifact
    if (append && this.#complete.has(id)) {
      this.#report('stream/after-last-chunk', `artifact ${id}: a chunk was sent after the last chunk`)
    }
    if (!append && parts.length === 0) {
      this.#report('wire/no-parts', `artifact ${id} has no parts`, {
        level: 'warning',
        fix: 'Send an artifact only when it has content.',
        source: 'A2A 0.3 §6.7, A2A 1.0 §4.1.7',
      })
    }
    if (lastChunk) this.#complete.add(id)
    else if (!append) this.#complete.delete(id)
  }

  #describeEnd(message: string): string {
    if (this.#endedBy === 'message') return message
    return this.#endedBy === 'final' ? '"final": true' : `state ${this.#state}`
  }
}

function stateOf(event: StreamEvent): TaskState | undefined {
  if (event.type === 'task') return event.task.status.state
  return event.type === 'status' ? event.status.state : undefined
}
