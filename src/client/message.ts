import type { MessageInput, SendOptions } from './types.ts'
import { A2AUsageError } from '../core/errors.ts'
import { isInterrupted, type FilePart, type Message, type Part } from '../protocol/model.ts'

/** Builds the user's message. Of `after`, the task is continued only if it is interrupted: a finished one cannot be. */
export function toMessage(input: MessageInput, options: SendOptions, messageId: string): Message {
  const { after } = options
  const contextId = options.contextId ?? after?.contextId
  const open = after?.state !== undefined && isInterrupted(after.state) ? after.taskId : undefined
  const taskId = options.taskId ?? open
  const message: Message = { kind: 'message', messageId, role: 'user', parts: toParts(input) }
  if (contextId !== undefined) message.contextId = contextId
  if (taskId !== undefined) message.taskId = taskId
  if (options.referenceTaskIds !== undefined) message.referenceTaskIds = options.referenceTaskIds
  return message
}

function toParts(input: MessageInput): Part[] {
  if (typeof input === 'string') return [{ kind: 'text', text: input }]
  if (!Array.isArray(input) || input.length === 0) {
    throw new A2AUsageError(
      'BAD_OPTIONS',
      `a message must be a string or an array of strings and parts; received ${shown(input)}`,
      {
        fix: "Send a string, or parts such as [{kind: 'text', text: 'Hello'}, {kind: 'file', bytes: '…', mediaType: 'image/png'}].",
      },
    )
  }
  return (input as readonly unknown[]).map((part, at) => {
    if (typeof part === 'string') return { kind: 'text', text: part }
    if (isPart(part)) return part
    throw new A2AUsageError(
      'BAD_OPTIONS',
      `part ${at} of the message has no known kind; received ${shown(part)}`,
      {
        fix: "Use {kind: 'text', text}, {kind: 'file', bytes or url} or {kind: 'data', data}.",
      },
    )
  })
}

function isPart(part: unknown): part is Part {
  if (typeof part !== 'object' || part === null) return false
  const { kind, text, bytes, url } = part as Record<string, unknown>
  if (kind === 'text') return typeof text === 'string'
  if (kind === 'file') return typeof bytes === 'string' || typeof url === 'string'
  return kind === 'data' && 'data' in part
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** Size in bytes of what a file part carries inline, before base64. */
export function inlineSize(part: FilePart): number {
  return part.bytes === undefined ? 0 : Buffer.byteLength(part.bytes, 'base64')
}

const largeFile = 100_000

/** The file parts that are too large to be repeated in the history. */
export function largeFiles(message: Message): FilePart[] {
  return message.parts.filter(
    (part): part is FilePart => part.kind === 'file' && inlineSize(part) > largeFile,
  )
}

/** Names the large files of a message, never their content: `file part p.png: 1048576 bytes before base64`. */
export function describeFiles(files: readonly FilePart[]): string {
  return files
    .map(
      (part) =>
        `file part ${part.name ?? part.mediaType ?? 'without a name'}: ${inlineSize(part)} bytes before base64`,
    )
    .join(', ')
}
