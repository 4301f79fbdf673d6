import type { FindingId } from '../findings/catalogue.ts'
import { finding } from '../findings/finding.ts'
import type { Finding } from '../findings/types.ts'
import {
  isTerminal,
  type Artifact,
  type Message,
  type StreamEvent,
  type Task,
  type TaskStatus,
} from './model.ts'

/** A stream as it adds up. */
export interface Fold {
  /** Takes the next event, and the findings that reading it left. Never throws, whatever the order. */
  add(event: StreamEvent, findings?: readonly Finding[]): void
  /** What the events so far come to: the task if any event spoke of one, else the message. */
  reply(): Message | Task | undefined
  /** True once there is a reply; unlike `reply()`, it copies nothing. */
  readonly hasReply: boolean
  /**
   * True when the turn is over and the stream need not be read on: a terminal or input-required state, `final`, or a
   * message as the first event. After auth-required the stream goes on until it closes (A2A 1.0 §7.6.1).
   */
  readonly ended: boolean
  /** Texts that the agent gave while working, oldest first. */
  readonly progress: readonly string[]
  /** Findings of the events and of their order, each distinct one once. */
  readonly findings: readonly Finding[]
}

/** More small artifacts than this, none of them continued, look like the chunks of one. */
const mostSmallArtifacts = 10
const smallArtifact = 20

/** Starts a fold, from nothing or from a task that is already known (A2A 0.3 §7.2.3, 1.0 §3.1.2). */
export function createFold(start?: Task): Fold {
  const findings: Finding[] = []
  const seen = new Set<string>()
  const progress: string[] = []
  const progressIds = new Set<string>()
  let task: GrowingTask | undefined
  let answer: Message | undefined
  let ended = false
  let small = 0

  if (start !== undefined) task = grow(start)

  function keep(one: Finding): void {
    const key = `${one.id}\n${one.message}`
    if (seen.has(key)) return
    seen.add(key)
    findings.push(one)
  }
  const note = (id: FindingId, message: string): void =>
    keep(finding(id, message, { level: 'warning', fix: undefined, source: undefined }))

  function ensureTask(event: { taskId: string; contextId?: string }): GrowingTask {
    task ??= grow({
      kind: 'task',
      id: event.taskId,
      // Whoever sends artifacts is at work, whatever it said so far.
      status: { state: 'working' },
      artifacts: [],
      history: answer === undefined ? [] : [answer],
    })
    if (task.id === '') task.id = event.taskId
    if (event.contextId !== undefined) task.contextId ??= event.contextId
    if (event.taskId !== '' && event.taskId !== task.id) {
      note('wire/foreign-task', `an event for task "${event.taskId}" came in the stream of task "${task.id}"`)
    }
    return task
  }

  function noteProgress({ state, message }: TaskStatus): void {
    if (state !== 'working' || message === undefined || message.role !== 'agent') return
    if (message.messageId !== '') {
      if (progressIds.has(message.messageId)) return
      progressIds.add(message.messageId)
    }
    const text = message.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n')
    if (text !== '') progress.push(text)
  }

  function settle(status: TaskStatus, final: boolean): void {
    noteProgress(status)
    ended = final || isTerminal(status.state) || status.state === 'input-required'
  }

  function addStatus(event: StreamEvent & { type: 'status' }): void {
    const isFirst = task === undefined
    const current = ensureTask(event)
    const { state } = current.status
    if (!isFirst && isTerminal(state) && !isTerminal(event.status.state)) {
      note('wire/after-end', `state "${event.status.state}" was reported after the terminal state "${state}"`)
      return
    }
    remember(current, current.status.message)
    current.status = event.status
    settle(event.status, event.final)
  }

  function addArtifact(event: StreamEvent & { type: 'artifact' }): void {
    const { artifacts } = ensureTask(event)
    const id = event.artifact.artifactId
    const known = artifacts.get(id)
    if (event.append && known !== undefined) {
      extend(known, event.artifact)
      return
    }
    if (event.append) note('wire/append-first', `artifact ${id}: first chunk has append: true`)
    else if (known === undefined && isSmall(event.artifact) && ++small > mostSmallArtifacts) {
      note('wire/changing-artifact-ids', 'looks like one artifact streamed under changing artifactIds')
    }
    artifacts.set(id, { ...event.artifact, parts: [...event.artifact.parts] })
  }

  function addMessage(message: Message): void {
    if (task !== undefined) {
      remember(task, message)
      return
    }
    answer = message
    ended = true
  }

  return {
    add(event, more = []) {
      more.forEach(keep)
      if (event.type === 'message') addMessage(event.message)
      else if (event.type === 'status') addStatus(event)
      else if (event.type === 'artifact') addArtifact(event)
      else {
        task = grow(event.task)
        settle(event.task.status, false)
      }
    },
    reply: () => (task === undefined ? answer : snapshot(task)),
    get hasReply() {
      return task !== undefined || answer !== undefined
    },
    get ended() {
      return ended
    },
    progress,
    findings,
  }
}

/** A task under construction: artifacts by id, so that a stream of many chunks stays linear. */
interface GrowingTask extends Omit<Task, 'artifacts'> {
  artifacts: Map<string, Artifact>
  historyIds: Set<string>
  /** Artifacts that share an id with an earlier one of the same snapshot. */
  doubles: Artifact[]
}

function grow(task: Task): GrowingTask {
  const artifacts = new Map<string, Artifact>()
  const doubles: Artifact[] = []
  for (const artifact of task.artifacts) {
    const copy = { ...artifact, parts: [...artifact.parts] }
    if (artifacts.has(artifact.artifactId)) doubles.push(copy)
    else artifacts.set(artifact.artifactId, copy)
  }
  const historyIds = new Set(task.history.map((message) => message.messageId))
  return { ...task, artifacts, doubles, history: [...task.history], historyIds }
}

function snapshot(growing: GrowingTask): Task {
  const { artifacts, doubles, historyIds: _, ...task } = growing
  const copies = [...artifacts.values(), ...doubles].map((one) => ({ ...one, parts: [...one.parts] }))
  return { ...task, artifacts: copies, history: [...task.history] }
}

function remember(task: GrowingTask, message: Message | undefined): void {
  if (message === undefined) return
  if (message.messageId !== '') {
    if (task.historyIds.has(message.messageId)) return
    task.historyIds.add(message.messageId)
  }
  task.history.push(message)
}

function extend(known: Artifact, chunk: Artifact): void {
  for (const part of chunk.parts) known.parts.push(part)
  if (chunk.name !== undefined) known.name = chunk.name
  if (chunk.description !== undefined) known.description = chunk.description
  if (chunk.extensions !== undefined) known.extensions = chunk.extensions
  if (chunk.metadata !== undefined) known.metadata = { ...known.metadata, ...chunk.metadata }
}

function isSmall(artifact: Artifact): boolean {
  let length = 0
  for (const part of artifact.parts) {
    if (part.kind !== 'text') return false
    length += part.text.length
  }
  return length <= smallArtifact
}
