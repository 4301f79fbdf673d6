import { inlineSize } from '../client/message.ts'
import type { MessageInput } from '../client/types.ts'
import type { Artifact, FilePart, Part } from '../protocol/model.ts'
import type { TranscriptArtifact, TranscriptEntry, TranscriptFile } from '../transcript/types.ts'
import type { TurnAnswer } from './sendTurn.ts'

/** The entry for an answer. `nth` counts the tasks of the conversation. */
export function answerEntry(turn: number, answer: TurnAnswer, nth: number | undefined): TranscriptEntry {
  const { text, data, files, artifacts, state, taskId = '', contextId, reason, error, ms } = answer
  return {
    turn,
    from: 'agent',
    text,
    ...(data.length > 0 && { data }),
    ...(files.length > 0 && { files }),
    ...(artifacts.length > 0 && { artifacts }),
    ...(state !== undefined && nth !== undefined && { task: { id: taskId, nth, state } }),
    ...(contextId !== undefined && { contextId }),
    ...(reason !== undefined && { reason }),
    ...(error !== undefined && { error: { code: error.code, message: error.message } }),
    ms: Math.round(ms),
    ...(state === 'auth-required' && {
      notes: ['The task waits for authorization; the conversation continues in the same task.'],
    }),
  }
}

/** The entry for a message that is sent. */
export function messageEntry(
  turn: number,
  message: MessageInput,
  more: Pick<TranscriptEntry, 'by' | 'guards' | 'notes'>,
): TranscriptEntry {
  const parts: readonly (string | Part)[] = typeof message === 'string' ? [message] : message
  const texts = parts.flatMap((part) =>
    typeof part === 'string' ? [part] : part.kind === 'text' ? [part.text] : [],
  )
  const data = parts.flatMap((part) =>
    typeof part !== 'string' && part.kind === 'data' ? [asSent(part.data)] : [],
  )
  const files = parts.flatMap((part) =>
    typeof part !== 'string' && part.kind === 'file' ? [fileOf(part)] : [],
  )
  const { by, guards = [], notes = [] } = more
  return {
    turn,
    from: 'user',
    text: texts.join('\n'),
    ...(by !== undefined && { by }),
    ...(data.length > 0 && { data }),
    ...(files.length > 0 && { files }),
    ...(guards.length > 0 && { guards }),
    ...(notes.length > 0 && { notes }),
  }
}

/** Data as it is sent. */
function asSent(data: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(data) ?? 'null')
  } catch {
    // Sending it reports what is wrong.
    return String(data)
  }
}

/** A file without its bytes. */
export function fileOf(part: FilePart): TranscriptFile {
  const { name, mediaType, url, bytes } = part
  return {
    ...(name !== undefined && { name }),
    ...(mediaType !== undefined && { mediaType }),
    ...(bytes !== undefined && { bytes: inlineSize(part) }),
    ...(url !== undefined && { url }),
  }
}

/** An artifact as transcripts have it. */
export function artifactOf({ artifactId, name, parts }: Artifact): TranscriptArtifact {
  // Parts of one artifact are its chunks: an agent that streams may split the text anywhere.
  const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('')
  const data = parts.flatMap((part) => (part.kind === 'data' ? [part.data] : []))
  const files = parts.flatMap((part) => (part.kind === 'file' ? [fileOf(part)] : []))
  return {
    artifactId,
    ...(name !== undefined && { name }),
    ...(text !== '' && { text }),
    ...(data.length > 0 && { data }),
    ...(files.length > 0 && { files }),
  }
}
