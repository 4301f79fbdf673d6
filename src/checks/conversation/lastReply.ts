import { toReply } from '../../client/reply.ts'
import type { Reply } from '../../client/types.ts'
import type { ConversationRun, TranscriptArtifact, TranscriptEntry } from '../../transcript/types.ts'
import type { Message, Part, Task } from '../../protocol/model.ts'

/**
 * The last answer of a conversation as a reply, so that every reply matcher checks the same answer of a run. Undefined if the agent never
 * answered. Inline files have names and types, but no bytes, because transcripts do not keep them.
 */
export function lastReply(run: ConversationRun): Reply | undefined {
  const last = run.entries.findLast(({ from, error }) => from === 'agent' && error === undefined)
  if (last === undefined) return undefined
  const { artifacts = [] } = last
  const reply = toReply(answerOf(last), {
    dialect: '1.0',
    agent: run.agent,
    secrets: run.secrets,
    findings: [],
  })
  return {
    ...reply,
    text: last.text,
    artifacts: artifacts.map((artifact) => ({
      artifactId: artifact.artifactId,
      ...(artifact.name !== undefined && { name: artifact.name }),
      parts: partsOf(artifact),
    })),
    ...(last.reason !== undefined && { reason: last.reason }),
  }
}

function answerOf(entry: TranscriptEntry): Message | Task {
  const { text, data, files, task, contextId } = entry
  const message: Message = {
    kind: 'message',
    messageId: '',
    role: 'agent',
    parts: partsOf({
      text,
      ...(data !== undefined && { data }),
      ...(files !== undefined && { files }),
    }),
    ...(contextId !== undefined && { contextId }),
  }
  if (task === undefined) return message
  return {
    kind: 'task',
    id: task.id,
    status: { state: task.state, message },
    artifacts: [],
    history: [],
    ...(contextId !== undefined && { contextId }),
  }
}

function partsOf({ text, data = [], files = [] }: Omit<TranscriptArtifact, 'artifactId'>): Part[] {
  return [
    ...(text === undefined || text === '' ? [] : [{ kind: 'text' as const, text }]),
    ...data.map((one) => ({ kind: 'data' as const, data: one })),
    ...files.map(({ name, mediaType, url }) => ({
      kind: 'file' as const,
      ...(name !== undefined && { name }),
      ...(mediaType !== undefined && { mediaType }),
      ...(url !== undefined && { url }),
    })),
  ]
}
