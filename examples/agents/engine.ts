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
  /** Awaited before each step; without it steps are taken as soon as somebody asks for the task. */
  pace?: ((signal: AbortSignal) => Promise<unknown>) | undefined
  /** Told of everything that happens to a task, before those who listen to it are. */
  onEvent?: (event: DemoEvent) => void
}

/** What to do with a message besides handling it. */
export interface Handling {
  /** False: answer as soon as work begins. Default true: when the task settles. */
  wait?: boolean
  /** Told the new task before anything happens to it. */
  onTask?: (task: DemoTask) => void
}

/** The part of a demo agent that does not depend on a wire form: its tasks. */
export interface Engine {
  send(incoming: Incoming, handling?: Handling): Promise<DemoMessage | DemoTask>
  stream(incoming: Incoming, handling?: Handling): AsyncIterable<DemoEvent>
  /** The task as it is, then what happens to it. Of a task that has ended: the task alone. */
  subscribe(id: string): AsyncIterable<DemoEvent>
  /** The task as it stands. Throws a refusal when there is none. */
  find(id: string): DemoTask
  /** The same; work that is there to be done is done first. */
  get(id: string): DemoTask
  /** All tasks, the newest first. */
  list(): DemoTask[]
  cancel(id: string): DemoTask
  /** Goes on with a task that nobody has asked for yet. */
  wake(id: string): void
}

/** The work on one task. */
interface Work {
  task: DemoTask
  steps: Iterator<Step> | AsyncIterator<Step>
  /** All steps are there at once: they are taken when somebody wants to know. */
  ready: boolean
  running: boolean
  stop: AbortController
  settled: Promise<void>
  settle(): void
}

/** Keeps the tasks of one agent and runs its answers. */
export function createEngine(
  respond: Respond,
  { ids = randomUUID, now = Date.now, pace, onEvent = () => {} }: EngineOptions = {},
): Engine {
  const tasks = new Map<string, DemoTask>()
  const works = new Map<string, Work>()
  const listeners = new Map<string, Set<Channel<DemoEvent>>>()

  const find = (id: string): DemoTask => {
    const task = tasks.get(id)
    if (!task) throw new Refusal(-32001, `Task not found: ${id}`)
    return task
  }
  /** The task that a message goes on with: the one it names, or the one that waits in its context. */
  const taskFor = ({ taskId, contextId }: Incoming): DemoTask | undefined => {
    if (taskId === undefined) {
      return [...tasks.values()].find(
        (task) => task.contextId === contextId && isInterrupted(task.status.state),
      )
    }
    const task = find(taskId)
    if (isTerminal(task.status.state)) {
      throw new Refusal(-32004, `Task ${task.id} is ${task.status.state} and takes no more messages`)
    }
    if (contextId !== undefined && contextId !== task.contextId) {
      throw new Refusal(-32602, `Task ${task.id} does not belong to context ${contextId}`)
    }
    return task
  }

  const emit = (task: DemoTask, event: DemoEvent): void => {
    onEvent(event)
    for (const channel of listeners.get(task.id) ?? []) channel.push(event)
  }
  const endStreams = (task: DemoTask): void => {
    for (const channel of listeners.get(task.id) ?? []) channel.end()
    listeners.delete(task.id)
  }
  const listen = (task: DemoTask): Channel<DemoEvent> => {
    const channel = createChannel<DemoEvent>(() => listeners.get(task.id)?.delete(channel))
    listeners.set(task.id, (listeners.get(task.id) ?? new Set()).add(channel))
    // A copy: the task goes on changing, the first event shows it as it is now.
    channel.push({ task: structuredClone(task) })
    return channel
  }

  const setStatus = (task: DemoTask, state: DemoState, text?: string): void => {
    if (task.status.message) task.history.push(task.status.message)
    const { id: taskId, contextId } = task
    task.status = {
      state,
      ...(text !== undefined && {
        message: { messageId: ids(), contextId, taskId, role: 'agent' as const, parts: [{ text }] },
      }),
      timestamp: new Date(now()).toISOString(),
    }
    // Authorization happens outside A2A, so work that comes by itself goes on without a message.
    const goesOn = state === 'auth-required' && works.get(task.id)?.ready === false
    const final = isTerminal(state) || (isInterrupted(state) && !goesOn)
    emit(task, { status: task.status, task, final })
    if (isTerminal(state) || isInterrupted(state)) works.get(task.id)?.settle()
    if (final) endStreams(task)
  }
  const take = (task: DemoTask, step: Step): void => {
    if ('state' in step) return setStatus(task, step.state, step.text)
    addArtifact(task, step)
    emit(task, { task, ...step })
  }
  const finish = (work: Work): void => {
    works.delete(work.task.id)
    work.settle()
    endStreams(work.task)
  }
  /** Takes all steps at once or, with `begin`, the first that show that work goes on. */
  const drain = (work: Work, begin = false): void => {
    for (;;) {
      const next = (work.steps as Iterator<Step>).next()
      if (next.done) return finish(work)
      take(work.task, next.value)
      const { state } = work.task.status
      if (begin && 'state' in next.value && !isInterrupted(state) && !isTerminal(state)) return
    }
  }
  /** Takes one step after the other, each in a turn of its own, until the work is done or somebody else's. */
  const run = async (work: Work): Promise<void> => {
    if (work.running) return
    work.running = true
    const { task, steps } = work
    try {
      for (;;) {
        await (pace ? pace(work.stop.signal) : nextTurn())
        if (works.get(task.id) !== work) return
        const next = work.ready ? (steps as Iterator<Step>).next() : await steps.next()
        if (works.get(task.id) !== work) return
        if (next.done) return finish(work)
        take(task, next.value)
        if (isTerminal(task.status.state)) return finish(work)
      }
    } catch (error) {
      setStatus(task, 'failed', error instanceof Error ? error.message : String(error))
      finish(work)
    }
  }
  const abandon = (task: DemoTask): void => {
    const work = works.get(task.id)
    works.delete(task.id)
    if (!work) return
    work.stop.abort()
    void work.steps.return?.()
    work.settle()
  }

  const begin = (incoming: Incoming, { onTask }: Handling): { message: DemoMessage } | { work: Work } => {
    let task = taskFor(incoming)
    const earlier = (task?.history ?? []).filter((one) => one.role === 'user')
    // The order of the ids is fixed so that a test can give them: task, context, messages.
    const taskId = task?.id ?? ids()
    const contextId = task?.contextId ?? incoming.contextId ?? ids()
    const stop = new AbortController()
    const answer = respond({
      text: textOf(incoming.parts),
      parts: incoming.parts,
      said: [...earlier, incoming].map((one) => textOf(one.parts)),
      given: [...earlier, incoming].flatMap((one) => one.parts),
      contextId,
      taskId,
      signal: stop.signal,
    })
    if (typeof answer === 'string') {
      return { message: { messageId: ids(), contextId, role: 'agent', parts: [{ text: answer }] } }
    }
    const history = task?.history ?? []
    if (task) abandon(task)
    if (task?.status.message) history.push(task.status.message)
    const { messageId, parts, metadata } = incoming
    history.push({ messageId, contextId, taskId, role: 'user', parts, ...(metadata && { metadata }) })
    const status = { state: 'submitted' as const, timestamp: new Date(now()).toISOString() }
    if (task) task.status = status
    else tasks.set(taskId, (task = { id: taskId, contextId, status, history, artifacts: [] }))
    onTask?.(task)
    onEvent({ task })

    let settle = (): void => {}
    const settled = new Promise<void>((resolve) => (settle = resolve))
    const ready = Symbol.iterator in answer
    const steps = ready ? answer[Symbol.iterator]() : answer[Symbol.asyncIterator]()
    const work = { task, steps, ready: ready && !pace, running: false, stop, settled, settle }
    works.set(taskId, work)
    return { work }
  }
  const cancel = (id: string): DemoTask => {
    const task = find(id)
    if (isTerminal(task.status.state)) {
      throw new Refusal(-32002, `Task ${id} is ${task.status.state} and cannot be canceled`)
    }
    abandon(task)
    setStatus(task, 'canceled')
    return task
  }

  return {
    async send(incoming, handling = {}) {
      const begun = begin(incoming, handling)
      if ('message' in begun) return begun.message
      const { work } = begun
      const wait = handling.wait ?? true
      if (work.ready) drain(work, !wait)
      else void run(work)
      if (wait) await work.settled
      return structuredClone(work.task)
    },
    stream(incoming, handling = {}) {
      const begun = begin(incoming, handling)
      if ('message' in begun) {
        const channel = createChannel<DemoEvent>()
        channel.push(begun)
        channel.end()
        return channel
      }
      const channel = listen(begun.work.task)
      void run(begun.work)
      return channel
    },
    subscribe(id) {
      const task = find(id)
      const work = works.get(id)
      const channel = listen(task)
      if (work) void run(work)
      else if (task.status.state !== 'auth-required') channel.end()
      return channel
    },
    find,
    get(id) {
      const task = find(id)
      const work = works.get(id)
      if (work?.ready && !work.running) drain(work)
      return task
    },
    list: () => [...tasks.values()].toReversed(),
    cancel,
    wake(id) {
      const work = works.get(id)
      if (work) void run(work)
    },
  }
}
