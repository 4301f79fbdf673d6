import type { Json } from './wire.ts'

/** A part in the shape of A2A 1.0; other dialects are converted from and to it. */
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

/** An artifact of a demo agent, before it is written in a dialect. */
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

/** A whole artifact, or one chunk of it: `append` adds to an existing artifact, `more` says that chunks follow. */
export interface ArtifactStep {
  artifact: DemoArtifact
  append?: boolean
  more?: boolean
}

/** One step of a task: a new status, with or without text, or an artifact. */
export type Step = { state: DemoState; text?: string } | ArtifactStep

/** What the agent receives. */
export interface Turn {
  /** The text of the message, its parts joined. */
  text: string
  parts: DemoPart[]
  /** The user's texts in this task, oldest first, the current one last. */
  said: string[]
  /** All parts that the user sent in this task, oldest first. */
  given: DemoPart[]
  contextId: string
  /** Id of the task that the steps belong to. */
  taskId: string
  /** Aborted when the work is no longer needed: the task was canceled, or another message continues it. */
  signal: AbortSignal
}

/**
 * How an agent answers: a string becomes a message, steps become a task. Steps from an asynchronous generator
 * (`async function*`) run in the background, with or without listeners.
 */
export type Respond = (turn: Turn) => string | Iterable<Step> | AsyncIterable<Step>

/** An event of a task. `final` is true if nothing follows without a new message. */
export type DemoEvent =
  | { task: DemoTask }
  | { message: DemoMessage }
  | { status: DemoStatus; task: DemoTask; final: boolean }
  | ({ task: DemoTask } & ArtifactStep)

/** A message as read from the wire. */
export interface Incoming {
  messageId: string
  contextId?: string
  taskId?: string
  parts: DemoPart[]
  metadata?: Json
}

/** A refusal with its JSON-RPC code. */
export class Refusal extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const terminal = new Set<DemoState>(['completed', 'canceled', 'failed', 'rejected'])

/** True if a task in this state never changes again. */
export function isTerminal(state: DemoState): boolean {
  return terminal.has(state)
}

/** True if a task in this state waits for the caller. */
export function isInterrupted(state: DemoState): boolean {
  return state === 'input-required' || state === 'auth-required'
}

/** Adds an artifact, or a chunk of one, to its task. */
export function addArtifact(task: DemoTask, { artifact, append }: ArtifactStep): void {
  const at = task.artifacts.findIndex((one) => one.artifactId === artifact.artifactId)
  const known = task.artifacts[at]
  if (known && append) task.artifacts[at] = { ...known, parts: [...known.parts, ...artifact.parts] }
  else if (known) task.artifacts[at] = artifact
  else task.artifacts.push(artifact)
}

export function textOf(parts: DemoPart[]): string {
  return parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n')
}
