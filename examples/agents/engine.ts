import { randomUUID } from 'node:crypto'
import type { Json } from './wire.ts'

/** A piece of content in the shape of A2A 1.0; the other dialects are translated from and to it. */
export type DemoPart =
  | { text: string }
  | { data: unknown; mediaType?: string }
  | { raw: string; filename?: string; mediaType?: string }
  | { url: string; filename?: string; mediaType?: string }

export interface DemoMessage {
  messageId: string
  contextId?: string
  taskId?: string
  role: 'user' | 'agent'
  parts: DemoPart[]
  metadata?: Json
}

/** A result of a demo agent's task, before a wire form is put on it. */
export interface DemoArtifact {
  artifactId: string
  name?: string
  parts: DemoPart[]
}

/** Task states in the spelling of A2A 0.3. */
export type DemoState =
  | 'submitted'
  | 'working'
  | 'input-required'
  | 'auth-required'
  | 'completed'
  | 'canceled'
  | 'failed'
  | 'rejected'

export interface DemoStatus {
  state: DemoState
  message?: DemoMessage
  timestamp: string
}

export interface DemoTask {
  id: string
  contextId: string
  status: DemoStatus
  history: DemoMessage[]
  artifacts: DemoArtifact[]
}

/** One step of a task's work: a new status, with or without words, or an artifact. */
export type Step = { state: DemoState; text?: string } | { artifact: DemoArtifact }

/** What an agent is asked. */
export interface Turn {
  /** The text of the message, its parts joined. */
  text: string
  parts: DemoPart[]
  /** The user's texts in this task, oldest first, the current one last. */
  said: string[]
  /** All parts that the user sent in this task, oldest first. */
  given: DemoPart[]
  contextId: string
}

/** How an agent answers: a string becomes a Message, steps become a Task. */
export type Respond = (turn: Turn) => string | Iterable<Step>

/** What happens to a task while it is being worked on. */
export type DemoEvent =
  | { task: DemoTask }
  | { message: DemoMessage }
  | { status: DemoStatus; task: DemoTask; final: boolean }
  | { artifact: DemoArtifact; task: DemoTask }

/** A refusal with its JSON-RPC code. */
export class Refusal extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** A message as read from the wire. */
export interface Incoming {
  messageId: string
  contextId?: string
  taskId?: string
  parts: DemoPart[]
  metadata?: Json
}

const terminal = new Set<DemoState>(['completed', 'canceled', 'failed', 'rejected'])
const interrupted = new Set<DemoState>(['input-required', 'auth-required'])

/** The part of a demo agent that does not depend on a wire form: its tasks. */
export interface Engine {
  /** Handles a message to its end; with `wait: false` only until work begins, the rest is done when the task is asked for. */
  send(incoming: Incoming, options?: { wait?: boolean }): DemoMessage | DemoTask
  stream(incoming: Incoming): DemoEvent[]
  get(id: string): DemoTask
  list(): DemoTask[]
  cancel(id: string): DemoTask
}

/** Keeps the tasks of one agent and runs its answers. */
export function createEngine(
  respond: Respond,
  { ids = randomUUID, now = Date.now }: { ids?: () => string; now?: () => number } = {},
): Engine {
  const tasks = new Map<string, DemoTask>()
  const unfinished = new Map<string, Iterator<Step>>()

  /** The task that a message goes on with: the one it names, or the one that waits in its context. */
  const taskFor = (incoming: Incoming): DemoTask | undefined => {
    if (incoming.taskId !== undefined) {
      const task = find(incoming.taskId)
      if (terminal.has(task.status.state)) {
        throw new Refusal(-32004, `Task ${task.id} is ${task.status.state} and takes no more messages`)
      }
      if (incoming.contextId !== undefined && incoming.contextId !== task.contextId) {
        throw new Refusal(-32602, `Task ${task.id} does not belong to context ${incoming.contextId}`)
      }
      return task
    }
    return [...tasks.values()].find(
      (task) => task.contextId === incoming.contextId && interrupted.has(task.status.state),
    )
  }
  const find = (id: string): DemoTask => {
    const task = tasks.get(id)
    if (!task) throw new Refusal(-32001, `Task not found: ${id}`)
    return task
  }
  const setStatus = (task: DemoTask, state: DemoState, text?: string): void => {
    if (task.status.message) task.history.push(task.status.message)
    task.status = {
      state,
      ...(text !== undefined && {
        message: {
          messageId: ids(),
          contextId: task.contextId,
          taskId: task.id,
          role: 'agent' as const,
          parts: [{ text }],
        },
      }),
      timestamp: new Date(now()).toISOString(),
    }
  }
  /** Takes steps until the work ends or, with `pause`, until it has begun. */
  const work = (task: DemoTask, steps: Iterator<Step>, pause = false): DemoEvent[] => {
    const events: DemoEvent[] = []
    for (let next = steps.next(); !next.done; next = steps.next()) {
      const step = next.value
      if ('artifact' in step) {
        task.artifacts.push(step.artifact)
        events.push({ artifact: step.artifact, task })
        continue
      }
      setStatus(task, step.state, step.text)
      const final = terminal.has(step.state) || interrupted.has(step.state)
      events.push({ status: task.status, task, final })
      if (pause && !final) {
        unfinished.set(task.id, steps)
        break
      }
    }
    return events
  }
  const finish = (task: DemoTask): DemoTask => {
    const steps = unfinished.get(task.id)
    unfinished.delete(task.id)
    if (steps) work(task, steps)
    return task
  }
  const begin = (
    incoming: Incoming,
  ): { message: DemoMessage } | { task: DemoTask; steps: Iterator<Step> } => {
    let task = taskFor(incoming)
    const given = [...(task?.history ?? []).filter((one) => one.role === 'user'), incoming].flatMap(
      (one) => one.parts,
    )
    // The order of the ids is fixed so that a test can give them: task, context, messages.
    const taskId = task?.id ?? ids()
    const contextId = task?.contextId ?? incoming.contextId ?? ids()
    const answer = respond({
      text: textOf(incoming.parts),
      parts: incoming.parts,
      said: [...(task?.history ?? []).filter((one) => one.role === 'user'), incoming].map((one) =>
        textOf(one.parts),
      ),
      given,
      contextId,
    })
    if (typeof answer === 'string') {
      return { message: { messageId: ids(), contextId, role: 'agent', parts: [{ text: answer }] } }
    }
    if (!task) {
      task = {
        id: taskId,
        contextId,
        status: { state: 'submitted', timestamp: '' },
        history: [],
        artifacts: [],
      }
      tasks.set(taskId, task)
    } else if (task.status.message) {
      task.history.push(task.status.message)
    }
    task.status = { state: 'submitted', timestamp: new Date(now()).toISOString() }
    task.history.push({
      messageId: incoming.messageId,
      contextId,
      taskId,
      role: 'user',
      parts: incoming.parts,
      ...(incoming.metadata && { metadata: incoming.metadata }),
    })
    return { task, steps: answer[Symbol.iterator]() }
  }

  return {
    send(incoming, { wait = true } = {}) {
      const started = begin(incoming)
      if ('message' in started) return started.message
      work(started.task, started.steps, !wait)
      return started.task
    },
    stream(incoming) {
      const started = begin(incoming)
      if ('message' in started) return [started]
      // A copy: the task goes on changing, the first event shows it as it began.
      return [{ task: structuredClone(started.task) }, ...work(started.task, started.steps)]
    },
    get: (id) => finish(find(id)),
    list: () => [...tasks.values()].toReversed(),
    cancel(id) {
      const task = find(id)
      if (terminal.has(task.status.state)) {
        throw new Refusal(-32002, `Task ${id} is ${task.status.state} and cannot be canceled`)
      }
      unfinished.delete(id)
      setStatus(task, 'canceled')
      return task
    },
  }
}

function textOf(parts: DemoPart[]): string {
  return parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n')
}
