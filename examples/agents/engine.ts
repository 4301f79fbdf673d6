import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createChannel, type Channel } from './channel.ts'
import {
  addArtifact,
  isInterrupted,
  isTerminal,
  Refusal,
  textOf,
  type DemoEvent,
  type DemoMessage,
  type DemoState,
  type DemoTask,
  type Incoming,
  type Respond,
  type Step,
} from './task.ts'

/** Options of an engine. */
export interface EngineOptions {
  ids?: (() => string) | undefined
  now?: (() => number) | undefined
  /** Awaited before each step; without it, steps run as soon as the task is requested. */
  pace?: ((signal: AbortSignal) => Promise<unknown>) | undefined
  /** Called with each event of a task, before its listeners. */
  onEvent?: (event: DemoEvent) => void
}

/** How to handle a message. */
export interface Handling {
  /** False: answer as soon as work starts. Default true: when the task settles. */
  wait?: boolean
  /** Called with the new task before its first step. */
  onTask?: (task: DemoTask) => void
}

/** The work on one task. */
interface Work {
  task: DemoTask
  steps: Iterator<Step> | AsyncIterator<Step>
  /** All steps are available at once: they run when the task is requested. */
  ready: boolean
  running: boolean
  stop: AbortController
  settled: Promise<void>
  settle(): void
}

/** The part of a demo agent that does not depend on a dialect: keeps its tasks and runs its answers. */
export class Engine {
  readonly #tasks = new Map<string, DemoTask>()
  readonly #works = new Map<string, Work>()
  readonly #listeners = new Map<string, Set<Channel<DemoEvent>>>()
  readonly #respond: Respond
  readonly #ids: () => string
  readonly #now: () => number
  readonly #pace: EngineOptions['pace']
  readonly #onEvent: (event: DemoEvent) => void

  constructor(
    respond: Respond,
    { ids = randomUUID, now = Date.now, pace, onEvent = () => {} }: EngineOptions = {},
  ) {
    this.#respond = respond
    this.#ids = ids
    this.#now = now
    this.#pace = pace
    this.#onEvent = onEvent
  }

  async send(incoming: Incoming, handling: Handling = {}): Promise<DemoMessage | DemoTask> {
    const started = this.#start(incoming, handling)
    if ('message' in started) return started.message
    const { work } = started
    const wait = handling.wait ?? true
    if (work.ready) this.#runAll(work, { untilWorking: !wait })
    else void this.#run(work)
    if (wait) await work.settled
    return structuredClone(work.task)
  }

  stream(incoming: Incoming, handling: Handling = {}): AsyncIterable<DemoEvent> {
    const started = this.#start(incoming, handling)
    if ('message' in started) {
      const channel = createChannel<DemoEvent>()
      channel.push(started)
      channel.end()
      return channel
    }
    const channel = this.#listen(started.work.task)
    void this.#run(started.work)
    return channel
  }

  /** The current task, then its events. If it has ended: only the task. */
  subscribe(id: string): AsyncIterable<DemoEvent> {
    const task = this.find(id)
    const work = this.#works.get(id)
    const channel = this.#listen(task)
    if (work) void this.#run(work)
    else if (task.status.state !== 'auth-required') channel.end()
    return channel
  }

  /** The current task. Throws a refusal if it does not exist. */
  find(id: string): DemoTask {
    const task = this.#tasks.get(id)
    if (!task) throw new Refusal(-32001, `Task not found: ${id}`)
    return task
  }

  /** The same, after doing the work that is ready. */
  get(id: string): DemoTask {
    const task = this.find(id)
    const work = this.#works.get(id)
    if (work?.ready && !work.running) this.#runAll(work)
    return task
  }

  /** All tasks, the newest first. */
  list(): DemoTask[] {
    return [...this.#tasks.values()].toReversed()
  }

  cancel(id: string): DemoTask {
    const task = this.find(id)
    if (isTerminal(task.status.state)) {
      throw new Refusal(-32002, `Task ${id} is ${task.status.state} and cannot be canceled`)
    }
    this.#abandon(task)
    this.#setStatus(task, 'canceled')
    return task
  }

  /** Continues a task that has not been requested yet. */
  wake(id: string): void {
    const work = this.#works.get(id)
    if (work) void this.#run(work)
  }

  #start(incoming: Incoming, { onTask }: Handling): { message: DemoMessage } | { work: Work } {
    const continued = this.#taskFor(incoming)
    const earlier = (continued?.history ?? []).filter((one) => one.role === 'user')
    // The order of ids is fixed, so that a test can provide them: task, context, messages.
    const taskId = continued?.id ?? this.#ids()
    const contextId = continued?.contextId ?? incoming.contextId ?? this.#ids()
    const stop = new AbortController()
    const answer = this.#respond({
      text: textOf(incoming.parts),
      parts: incoming.parts,
      said: [...earlier, incoming].map((one) => textOf(one.parts)),
      given: [...earlier, incoming].flatMap((one) => one.parts),
      contextId,
      taskId,
      signal: stop.signal,
    })
    if (typeof answer === 'string') {
      return { message: { messageId: this.#ids(), contextId, role: 'agent', parts: [{ text: answer }] } }
    }
    if (continued) this.#abandon(continued)
    const task = this.#submitted(continued, { taskId, contextId }, incoming)
    onTask?.(task)
    this.#onEvent({ task })

    let settle = (): void => {}
    const settled = new Promise<void>((resolve) => (settle = resolve))
    const ready = Symbol.iterator in answer
    const steps = ready ? answer[Symbol.iterator]() : answer[Symbol.asyncIterator]()
    const work = { task, steps, ready: ready && !this.#pace, running: false, stop, settled, settle }
    this.#works.set(taskId, work)
    return { work }
  }

  /** The task that a message continues: the one it names, or the one that waits in its context. */
  #taskFor({ taskId, contextId }: Incoming): DemoTask | undefined {
    if (taskId === undefined) {
      return [...this.#tasks.values()].find(
        (task) => task.contextId === contextId && isInterrupted(task.status.state),
      )
    }
    const task = this.find(taskId)
    if (isTerminal(task.status.state)) {
      throw new Refusal(-32004, `Task ${task.id} is ${task.status.state} and takes no more messages`)
    }
    if (contextId !== undefined && contextId !== task.contextId) {
      throw new Refusal(-32602, `Task ${task.id} does not belong to context ${contextId}`)
    }
    return task
  }

  /** The new or continued task in state submitted, with the message in its history. */
  #submitted(
    continued: DemoTask | undefined,
    { taskId, contextId }: { taskId: string; contextId: string },
    { messageId, parts, metadata }: Incoming,
  ): DemoTask {
    const history = continued?.history ?? []
    if (continued?.status.message) history.push(continued.status.message)
    history.push({ messageId, contextId, taskId, role: 'user', parts, ...(metadata && { metadata }) })
    const status = { state: 'submitted' as const, timestamp: new Date(this.#now()).toISOString() }
    if (continued) {
      continued.status = status
      return continued
    }
    const task = { id: taskId, contextId, status, history, artifacts: [] }
    this.#tasks.set(taskId, task)
    return task
  }

  /** Runs all steps at once, or the first ones until the task is being worked on. */
  #runAll(work: Work, { untilWorking = false } = {}): void {
    for (;;) {
      const next = (work.steps as Iterator<Step>).next()
      if (next.done) return this.#finish(work)
      this.#take(work.task, next.value)
      const { state } = work.task.status
      if (untilWorking && 'state' in next.value && !isInterrupted(state) && !isTerminal(state)) return
    }
  }

  /** Runs one step after the other, each in a turn of its own, until the work is done or was replaced. */
  async #run(work: Work): Promise<void> {
    if (work.running) return
    work.running = true
    const { task, steps } = work
    try {
      for (;;) {
        await (this.#pace ? this.#pace(work.stop.signal) : nextTurn())
        if (this.#works.get(task.id) !== work) return
        const next = work.ready ? (steps as Iterator<Step>).next() : await steps.next()
        if (this.#works.get(task.id) !== work) return
        if (next.done) return this.#finish(work)
        this.#take(task, next.value)
        if (isTerminal(task.status.state)) return this.#finish(work)
      }
    } catch (error) {
      this.#setStatus(task, 'failed', error instanceof Error ? error.message : String(error))
      this.#finish(work)
    }
  }

  #take(task: DemoTask, step: Step): void {
    if ('state' in step) return this.#setStatus(task, step.state, step.text)
    addArtifact(task, step)
    this.#emit(task, { task, ...step })
  }

  #setStatus(task: DemoTask, state: DemoState, text?: string): void {
    if (task.status.message) task.history.push(task.status.message)
    const { id: taskId, contextId } = task
    task.status = {
      state,
      ...(text !== undefined && {
        message: { messageId: this.#ids(), contextId, taskId, role: 'agent' as const, parts: [{ text }] },
      }),
      timestamp: new Date(this.#now()).toISOString(),
    }
    // Authorization happens outside A2A, so work with its own source continues without a message.
    const continues = state === 'auth-required' && this.#works.get(task.id)?.ready === false
    const final = isTerminal(state) || (isInterrupted(state) && !continues)
    this.#emit(task, { status: task.status, task, final })
    if (isTerminal(state) || isInterrupted(state)) this.#works.get(task.id)?.settle()
    if (final) this.#endStreams(task)
  }

  #finish(work: Work): void {
    this.#works.delete(work.task.id)
    work.settle()
    this.#endStreams(work.task)
  }

  #abandon(task: DemoTask): void {
    const work = this.#works.get(task.id)
    this.#works.delete(task.id)
    if (!work) return
    work.stop.abort()
    void work.steps.return?.()
    work.settle()
  }

  #listen(task: DemoTask): Channel<DemoEvent> {
    const channel = createChannel<DemoEvent>(() => this.#listeners.get(task.id)?.delete(channel))
    this.#listeners.set(task.id, (this.#listeners.get(task.id) ?? new Set()).add(channel))
    // A copy: the first event shows the task as it is now, and it keeps changing.
    channel.push({ task: structuredClone(task) })
    return channel
  }

  #emit(task: DemoTask, event: DemoEvent): void {
    this.#onEvent(event)
    for (const channel of this.#listeners.get(task.id) ?? []) channel.push(event)
  }

  #endStreams(task: DemoTask): void {
    for (const channel of this.#listeners.get(task.id) ?? []) channel.end()
    this.#listeners.delete(task.id)
  }
}
