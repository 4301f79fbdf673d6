import { linkedController } from '../core/abort.ts'
import { afterTurnMs } from '../core/deadline.ts'
import type { A2AAgent } from '../agent/types.ts'
import type { MessageInput, Reply } from '../client/types.ts'
import { inlineSize } from '../client/message.ts'
import type { Clock } from '../core/clock.ts'
import { isNoAnswer, isReplyError } from '../core/errors.ts'
import type { Finding } from '../core/finding.ts'
import type { ModelCalls } from '../model/types.ts'
import { isInterrupted, type Artifact, type FilePart, type Part, type TaskState } from '../protocol/model.ts'
import type { ConversationPlan } from './planConversation.ts'
import type { TranscriptArtifact, TranscriptEntry, TranscriptFile } from '../transcript/types.ts'

/** What the agent made of one message: plain data, so that it can be recorded. */
export interface Heard {
  text: string
  reason?: string
  state?: TaskState
  taskId?: string
  contextId?: string
  unsettled?: boolean
  data: unknown[]
  files: TranscriptFile[]
  artifacts: TranscriptArtifact[]
  findings: Finding[]
  ms: number
  /** An answer that is not as A2A demands. */
  error?: { code: string; message: string; finding: string; fix?: string; unanswered?: boolean }
}

/** One message to the agent. */
export interface Saying {
  agent: A2AAgent
  message: MessageInput
  turn: number
  trial: number
  /** The answer before. */
  after: Heard | undefined
  /** The context of the conversation, once the agent has named one. */
  contextId: string | undefined
  plan: Pick<ConversationPlan, 'turnTimeoutMs' | 'metadata' | 'configuration'>
  calls: Pick<ModelCalls, 'hear'>
  clock: Clock
  signal: AbortSignal
}

/** Says something to the agent and reads its answer, from the cassette where that was asked for. Throws A2AError where nothing answered. */
export function say(about: Saying): Promise<Heard> {
  const { agent, message, turn, trial, plan, clock, signal } = about
  return about.calls.hear({ trial, turn, attempt: 1 }, message, async () => {
    const began = clock.now()
    const time = linkedController(signal, began + plan.turnTimeoutMs + afterTurnMs)
    const { metadata, configuration } = plan
    const { contextId, after } = about
    const open = after?.state !== undefined && isInterrupted(after.state) ? after.taskId : undefined
    try {
      const reply = await agent.send(message, {
        ...(contextId !== undefined && { contextId }),
        ...(open !== undefined && { taskId: open }),
        ...(metadata !== undefined && { metadata }),
        ...(configuration !== undefined && { configuration }),
        waitMs: plan.turnTimeoutMs,
        signal: time.signal,
      })
      return heard(reply, clock.now() - began)
    } catch (error) {
      if (!isReplyError(error)) throw error
      const { code, message: said, finding, fix } = error
      return {
        ...nothing,
        ms: clock.now() - began,
        error: {
          code,
          message: said,
          finding,
          ...(fix !== undefined && { fix }),
          ...(isNoAnswer(error) && { unanswered: true }),
        },
      }
    } finally {
      time.unlink()
    }
  })
}

const nothing = { text: '', data: [], files: [], artifacts: [], findings: [] }

function heard(reply: Reply, ms: number): Heard {
  const { text, reason, state, taskId, contextId, unsettled, data, files, artifacts, findings } = reply
  return {
    text: text === '' ? (reason ?? '') : text,
    ...(reason !== undefined && { reason }),
    ...(state !== undefined && { state }),
    ...(taskId !== undefined && state !== undefined && { taskId }),
    ...(contextId !== undefined && { contextId }),
    ...(unsettled && { unsettled }),
    data,
    files: files.map(toFile),
    artifacts: artifacts.map(toArtifact),
    findings,
    ms,
  }
}

/** The entry of an answer. `nth` counts the tasks of the conversation. */
export function answerEntry(turn: number, answer: Heard, nth: number | undefined): TranscriptEntry {
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
      notes: ['The task waits for authorization; the conversation goes on in the same task.'],
    }),
  }
}

/** The entry of a message as it is sent. */
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
    typeof part !== 'string' && part.kind === 'file' ? [toFile(part)] : [],
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

/** Data as it goes over the wire. */
function asSent(data: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(data) ?? 'null')
  } catch {
    // Sending it says what is wrong with it.
    return String(data)
  }
}

function toFile(part: FilePart): TranscriptFile {
  const { name, mediaType, url, bytes } = part
  return {
    ...(name !== undefined && { name }),
    ...(mediaType !== undefined && { mediaType }),
    ...(bytes !== undefined && { bytes: inlineSize(part) }),
    ...(url !== undefined && { url }),
  }
}

function toArtifact({ artifactId, name, parts }: Artifact): TranscriptArtifact {
  // Parts of one artifact are its chunks: an agent that streams cuts them anywhere.
  const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('')
  const data = parts.flatMap((part) => (part.kind === 'data' ? [part.data] : []))
  const files = parts.flatMap((part) => (part.kind === 'file' ? [toFile(part)] : []))
  return {
    artifactId,
    ...(name !== undefined && { name }),
    ...(text !== '' && { text }),
    ...(data.length > 0 && { data }),
    ...(files.length > 0 && { files }),
  }
}
