import type { Finding } from '../findings/types.ts'
import {
  isActive,
  isInterrupted,
  isTerminal,
  type Dialect,
  type FilePart,
  type Message,
  type Part,
  type Task,
} from '../protocol/model.ts'
import type { Exchange } from '../http/types.ts'
import type { Reply } from './types.ts'

/** What a reply has besides the answer itself. */
export interface ReplyContext {
  dialect: Dialect
  declared?: Dialect | undefined
  progress?: readonly string[]
  unsettled?: boolean
  wait?: Reply['wait'] | undefined
  findings?: readonly Finding[]
  exchanges?: readonly Exchange[]
  agent: string
  secrets?: readonly string[]
}

/** Reads an answer into the one shape that matchers look at, whatever version the agent speaks. Pure. */
export function toReply(answer: Message | Task, context: ReplyContext): Reply {
  const data: unknown[] = []
  const files: FilePart[] = []
  for (const part of answerParts(answer)) {
    if (part.kind === 'data') data.push(part.data)
    else if (part.kind === 'file') files.push(part)
  }
  const reply: Reply = {
    isA2AReply: true,
    kind: answer.kind,
    text: replyText(answer),
    progress: [...(context.progress ?? [])],
    artifacts: answer.kind === 'task' ? answer.artifacts : [],
    data,
    files,
    dialect: context.dialect,
    unsettled: context.unsettled ?? false,
    wait: context.wait ?? { polls: 0, ms: 0 },
    findings: [...(context.findings ?? [])],
    exchanges: context.exchanges ?? [],
    agent: context.agent,
    secrets: context.secrets ?? [],
  }
  if (context.declared !== undefined) reply.declared = context.declared
  if (answer.contextId !== undefined) reply.contextId = answer.contextId
  if (answer.kind === 'message') {
    reply.message = answer
    if (answer.taskId !== undefined) reply.taskId = answer.taskId
    return reply
  }
  reply.task = answer
  reply.taskId = answer.id
  reply.state = answer.status.state
  const reason = endedBadly(answer) ? messageText(answer.status.message) : ''
  if (reason !== '') reply.reason = reason
  return reply
}

/**
 * The text of an answer: the artifacts, else the status message, else the last agent message in the history; of an
 * interrupted task the status message first. One level is taken, never several joined, because bridges repeat the same answer
 * on each. Empty for a task that failed, was canceled or rejected, so that an error is never graded as an answer.
 */
export function replyText(answer: Message | Task): string {
  if (answer.kind === 'message') return messageText(answer)
  if (endedBadly(answer)) return ''
  const artifacts = artifactsText(answer)
  // The message of a working status is progress.
  if (isActive(answer.status.state)) return artifacts
  const status = messageText(answer.status.message)
  const levels = isInterrupted(answer.status.state) ? [status, artifacts] : [artifacts, status]
  return [...levels, messageText(lastAgentMessage(answer))].find(hasText) ?? ''
}

/** The text of a message by the agent, its parts joined by one newline; a user's own words are never reply text. */
export function messageText(message: Message | undefined): string {
  if (message === undefined || message.role === 'user') return ''
  return texts(message.parts).join('\n')
}

/** True when a text says anything at all. */
export function hasText(text: string): boolean {
  return text.trim() !== ''
}

function artifactsText(task: Task): string {
  // Parts of one artifact are its chunks: an agent that streams splits them anywhere, even within a word.
  return task.artifacts
    .map((artifact) => texts(artifact.parts).join(''))
    .filter(hasText)
    .join('\n')
}

function texts(parts: readonly Part[]): string[] {
  const found: string[] = []
  for (const part of parts) if (part.kind === 'text') found.push(part.text)
  return found
}

function answerParts(answer: Message | Task): Part[] {
  if (answer.kind === 'message') return answer.role === 'agent' ? answer.parts : []
  const status = answer.status.message?.role === 'agent' ? answer.status.message.parts : []
  const artifacts = answer.artifacts.flatMap((artifact) => artifact.parts)
  const parts = isInterrupted(answer.status.state) ? [...status, ...artifacts] : [...artifacts, ...status]
  return parts.length > 0 ? parts : (lastAgentMessage(answer)?.parts ?? [])
}

function lastAgentMessage(task: Task): Message | undefined {
  return task.history.findLast((message) => message.role === 'agent')
}

function endedBadly(task: Task): boolean {
  return isTerminal(task.status.state) && task.status.state !== 'completed'
}
