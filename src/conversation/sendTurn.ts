import { linkedController } from '../core/abort.ts'
import { afterTurnMs } from '../core/deadline.ts'
import type { A2AAgent } from '../agent/types.ts'
import type { MessageInput, Reply } from '../client/types.ts'
import type { Clock } from '../core/clock.ts'
import { isNoAnswer, isReplyError } from '../core/errors.ts'
import type { Finding } from '../findings/types.ts'
import type { ModelCalls } from '../model/types.ts'
import { isInterrupted, type TaskState } from '../protocol/model.ts'
import type { ConversationPlan } from './planConversation.ts'
import type { TranscriptArtifact, TranscriptFile } from '../transcript/types.ts'
import { artifactOf, fileOf } from './transcriptEntries.ts'

/** The answer to one message: plain data, so that it can be recorded. */
export interface TurnAnswer {
  text: string
  reason?: string | undefined
  state?: TaskState | undefined
  taskId?: string | undefined
  contextId?: string | undefined
  unsettled?: boolean | undefined
  data: unknown[]
  files: TranscriptFile[]
  artifacts: TranscriptArtifact[]
  findings: Finding[]
  ms: number
  /** An answer that is not valid A2A. */
  error?: { code: string; message: string; finding: string; fix?: string | undefined; unanswered?: boolean }
}

/** One message to the agent. */
export interface TurnRequest {
  agent: A2AAgent
  message: MessageInput
  turn: number
  trial: number
  /** The answer of the previous turn. */
  previous: TurnAnswer | undefined
  /** The context of the conversation, once the agent has named one. */
  contextId: string | undefined
  plan: Pick<ConversationPlan, 'turnTimeoutMs' | 'metadata' | 'configuration'>
  calls: Pick<ModelCalls, 'agentAnswer'>
  clock: Clock
  signal: AbortSignal
}

/** Sends one message and reads the answer, from the cassette if the agent is replayed. Throws A2AError if nothing answered. */
export function sendTurn(request: TurnRequest): Promise<TurnAnswer> {
  const { agent, message, turn, trial, plan, clock, signal } = request
  return request.calls.agentAnswer({ trial, turn, attempt: 1 }, message, async () => {
    const startedAt = clock.now()
    const time = linkedController(signal, startedAt + plan.turnTimeoutMs + afterTurnMs)
    const { metadata, configuration } = plan
    const { contextId, previous } = request
    const open = previous?.state !== undefined && isInterrupted(previous.state) ? previous.taskId : undefined
    try {
      const reply = await agent.send(message, {
        ...(contextId !== undefined && { contextId }),
        ...(open !== undefined && { taskId: open }),
        ...(metadata !== undefined && { metadata }),
        ...(configuration !== undefined && { configuration }),
        waitMs: plan.turnTimeoutMs,
        signal: time.signal,
      })
      return answerOf(reply, clock.now() - startedAt)
    } catch (error) {
      if (!isReplyError(error)) throw error
      const { code, message: text, finding, fix } = error
      return {
        ...noContent,
        ms: clock.now() - startedAt,
        error: { code, message: text, finding, fix, unanswered: isNoAnswer(error) },
      }
    } finally {
      time.unlink()
    }
  })
}

const noContent = { text: '', data: [], files: [], artifacts: [], findings: [] }

function answerOf(reply: Reply, ms: number): TurnAnswer {
  const { text, reason, state, taskId, contextId, unsettled, data, files, artifacts, findings } = reply
  return {
    text: text === '' ? (reason ?? '') : text,
    reason,
    state,
    taskId: state === undefined ? undefined : taskId,
    contextId,
    unsettled,
    data,
    files: files.map(fileOf),
    artifacts: artifacts.map(artifactOf),
    findings,
    ms,
  }
}
