import { A2AUsageError } from '../core/errors.ts'
import { isRecord } from '../core/guards.ts'
import type { SendContext } from './codec.ts'
import type { DataPart, FilePart, Message } from './model.ts'
import { dataCompatFlag } from './parts.ts'
import { isEmpty, type JsonObject } from './reading.ts'

/** The members that carry something, in the order given: what was not asked for is not sent. */
export function compact(members: JsonObject): JsonObject {
  const kept: JsonObject = {}
  for (const name of Object.keys(members)) if (!isEmpty(members[name])) kept[name] = members[name]
  return kept
}

/** The `kind`ed or wrapped content and the metadata that 0.x sends for data: its data parts hold objects only. */
export function objectData(part: DataPart): { data: JsonObject; metadata?: JsonObject } {
  if (isRecord(part.data))
    return part.metadata === undefined ? { data: part.data } : { data: part.data, metadata: part.metadata }
  return { data: { value: part.data ?? null }, metadata: { ...part.metadata, [dataCompatFlag]: true } }
}

/** Names the one source of a file as a dialect calls it. Throws A2AUsageError `BAD_OPTIONS` unless there is exactly one. */
export function fileSource(part: FilePart, bytesName: string, urlName: string): JsonObject {
  if (part.bytes !== undefined && part.url === undefined) return { [bytesName]: part.bytes }
  if (part.url !== undefined && part.bytes === undefined) return { [urlName]: part.url }
  const found = part.bytes === undefined ? 'neither bytes nor url' : 'both bytes and url'
  throw new A2AUsageError('BAD_OPTIONS', `a file part has ${found}`, {
    fix: 'Give exactly one: bytes (base64) for an inline file, url for one that the agent fetches.',
  })
}

/** How many messages of history are asked for, when anyone asked. */
export function historyLength(context: SendContext): number | undefined {
  return context.configuration?.historyLength ?? context.historyLength
}

/** `configuration` of 0.x. `blocking` is always explicit: servers disagree about its default. */
export function blockingConfiguration(context: SendContext): JsonObject {
  return compact({
    acceptedOutputModes: context.configuration?.acceptedOutputModes,
    historyLength: historyLength(context),
    blocking: context.configuration?.wait !== false,
  })
}

/** The members of a message that 0.3 and 1.0 order alike, around the role and the parts as the dialect writes them. */
export function messageMembers(message: Message, role: string, parts: JsonObject): JsonObject {
  return {
    messageId: message.messageId,
    ...compact({ contextId: message.contextId, taskId: message.taskId }),
    role,
    ...parts,
    ...compact({ metadata: message.metadata, extensions: message.extensions }),
  }
}
