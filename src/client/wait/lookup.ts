import { finding } from '../../findings/finding.ts'
import type { Clock } from '../../core/clock.ts'
import { A2AReplyError, isReplyError } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import type { Task } from '../../protocol/model.ts'

// A store that several workers share may lag behind the answer.
const retryPausesMs = [200, 400, 800]
const graceMs = 2000
const fix = 'Store a task before returning it, and share the task store between workers.'

/** Tolerates an agent that does not find its own task at once, and counts how often. */
export class TaskLookup {
  readonly #task: Task
  readonly #clock: Clock
  readonly #method: string
  readonly #startedAt: number
  #hits = 0
  #misses = 0
  #missesInRow = 0
  #missedAfterHit = false
  #answer = '(-32001)'

  constructor(task: Task, clock: Clock, method: string) {
    this.#task = task
    this.#clock = clock
    this.#method = method
    this.#startedAt = clock.now()
  }

  found(): void {
    this.#hits += 1
    this.#missesInRow = 0
  }

  /** The pause in ms before the task is fetched again. Throws an error that is not "not found", and one that comes too often. */
  missed(error: unknown): number {
    const answer = notFoundAnswer(error)
    if (answer === undefined) throw error
    this.#answer = answer
    this.#misses += 1
    this.#missesInRow += 1
    if (this.#hits > 0) this.#missedAfterHit = true
    const pauseMs = retryPausesMs[this.#missesInRow - 1]
    const isEarly = this.#clock.now() - this.#startedAt < graceMs
    if (pauseMs === undefined || !(isEarly || this.#hits > 0)) throw this.#neverFound(error)
    return pauseMs
  }

  findings(): Finding[] {
    if (this.#misses === 0) return []
    const { id } = this.#task
    const calls = `${this.#misses} of ${this.#hits + this.#misses} calls of ${this.#method} said not found ${this.#answer}`
    return [
      finding(
        'wire/task-lookup',
        this.#missedAfterHit
          ? `looking up task ${id} is intermittent: ${calls}`
          : `task ${id} was not found at once: ${calls}`,
        { fix },
      ),
    ]
  }

  #neverFound(cause: unknown): A2AReplyError {
    const { id, status } = this.#task
    const tries = `${this.#missesInRow} ${this.#missesInRow === 1 ? 'try' : 'tries'}`
    return new A2AReplyError(
      'RPC_ERROR',
      `the agent returned task ${id} (${status.state}), but ${this.#method} says not found ${this.#answer}, ${tries}`,
      { rpcCode: -32001, finding: 'wire/task-lookup', fix, cause },
    )
  }
}

function notFoundAnswer(error: unknown): string | undefined {
  if (!isReplyError(error)) return undefined
  if (error.rpcCode === -32001) return '(-32001)'
  return error.rpcCode === undefined && error.status === 404 ? '(HTTP 404)' : undefined
}
