import type { Deps } from '../deps.ts'
import { A2AReplyError } from '../errors.ts'
import type { Codec, SendConfiguration } from '../protocol/codec.ts'
import type { Message, Task } from '../protocol/model.ts'
import type { Answer, Operation } from './call.ts'
import type { SendOptions } from './types.ts'

/** A message on its way, with the session that it was given where the client makes them. */
export interface SendOperation extends Operation {
  /** The 0.1 session in which it was last encoded. */
  sessionId(): string | undefined
}

/** How a message is sent in each dialect. `short` asks for no history. */
export function sendOperation(
  message: Message,
  options: SendOptions,
  { short, deps }: { short: boolean; deps: Deps },
): SendOperation {
  // Only 0.1 has ids of the client; they are made once a message, however often it is encoded.
  let newTaskId: string | undefined
  let newSessionId: string | undefined
  let sessionId: string | undefined
  return {
    encode(codec, { interface: { dialect, tenant, acceptedOutputModes } }) {
      if (dialect === '0.1') {
        newTaskId ??= deps.id()
        if (message.contextId === undefined) newSessionId ??= deps.id()
        sessionId = message.contextId ?? newSessionId
      }
      const configuration: SendConfiguration = { ...options.configuration }
      if (short && countsHistory(codec)) configuration.historyLength ??= 0
      if (options.noWait) configuration.wait ??= false
      if (dialect === '0.3' && acceptedOutputModes) configuration.acceptedOutputModes ??= acceptedOutputModes
      return codec.send(message, {
        newTaskId: newTaskId ?? '',
        newSessionId: newSessionId ?? '',
        ...(tenant !== undefined && { tenant }),
        ...(Object.keys(configuration).length > 0 && { configuration }),
        ...(options.metadata && { metadata: options.metadata }),
      })
    },
    decode: (codec, result) => codec.readReply(result),
    sessionId: () => sessionId,
  }
}

/** How a task is fetched in each dialect. `short` asks for no history. */
export function getTaskOperation(id: string, short = false): Operation {
  return {
    encode: (codec, { interface: { tenant } }) =>
      codec.getTask(id, {
        ...(tenant !== undefined && { tenant }),
        ...(short && countsHistory(codec) && { historyLength: 0 }),
      }),
    decode: (codec, result) => codec.readTask(result),
  }
}

/** The task that get-task gave. Throws A2AReplyError `BAD_REPLY`. */
export function asTask({ value }: Answer): Task {
  if (value.kind === 'task') return value
  throw new A2AReplyError('BAD_REPLY', 'get-task was answered with a message, not with a task', {
    finding: 'wire/reply-shape',
    mend: 'Answer tasks/get (GetTask) with the task itself.',
  })
}

/** False where 0 means "all" instead of "none": in the ProtoJSON of 0.3. */
function countsHistory({ dialect, binding }: Codec): boolean {
  return dialect !== '0.3' || binding === 'JSONRPC'
}
