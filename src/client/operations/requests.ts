import type { Deps } from '../../core/deps.ts'
import { A2AReplyError } from '../../core/errors.ts'
import type { CallContext, Codec, SendConfiguration, SendContext } from '../../protocol/codec.ts'
import type { Message, PushConfig, Task, TaskList, TaskQuery } from '../../protocol/model.ts'
import type { Request, Route } from '../route/types.ts'
import type { Operation } from './call.ts'
import type { SendOptions } from '../types.ts'
import { profileOf } from '../../protocol/versions/profiles.ts'

/** A message to be sent, with the session that the client makes for it in 0.1. */
export interface MessageRequest {
  context(codec: Codec, route: Route): SendContext
  /** The 0.1 session in which it was last encoded. */
  sessionId(): string | undefined
}

/** What is sent with a message in each dialect. `short` asks for no history. */
function messageRequest(
  message: Message,
  options: Pick<SendOptions, 'configuration' | 'noWait' | 'metadata'>,
  { short, deps }: { short: boolean; deps: Deps },
): MessageRequest {
  // Only 0.1 has ids of the client; they are made once a message, however often it is encoded.
  let newTaskId: string | undefined
  let newSessionId: string | undefined
  let sessionId: string | undefined
  return {
    context(codec, { interface: { dialect, tenant, acceptedOutputModes } }) {
      const { clientMakesIds, mayRequireOutputModes } = profileOf(dialect).wire
      if (clientMakesIds) {
        newTaskId ??= deps.id()
        if (message.contextId === undefined) newSessionId ??= deps.id()
        sessionId = message.contextId ?? newSessionId
      }
      const configuration: SendConfiguration = { ...options.configuration }
      if (short && countsHistory(codec)) configuration.historyLength ??= 0
      if (options.noWait) configuration.wait ??= false
      if (mayRequireOutputModes && acceptedOutputModes)
        configuration.acceptedOutputModes ??= acceptedOutputModes
      return {
        newTaskId: newTaskId ?? '',
        newSessionId: newSessionId ?? '',
        ...(tenant !== undefined && { tenant }),
        ...(Object.keys(configuration).length > 0 && { configuration }),
        ...(options.metadata && { metadata: options.metadata }),
      }
    },
    sessionId: () => sessionId,
  }
}

/** How a message is sent in each dialect. */
export function sendOperation(
  message: Message,
  options: SendOptions,
  about: { short: boolean; deps: Deps },
): Operation & Pick<MessageRequest, 'sessionId'> {
  const { context, sessionId } = messageRequest(message, options, about)
  return {
    encode: (codec, route) => codec.send(message, context(codec, route)),
    decode: (codec, result) => codec.readReply(result),
    folded: (value) => value,
    sessionId,
  }
}

/** How a message is sent in each dialect so that its events come as they happen. */
export function streamRequest(
  message: Message,
  options: Pick<SendOptions, 'configuration' | 'metadata'>,
  about: { short: boolean; deps: Deps },
): Request & Pick<MessageRequest, 'sessionId'> {
  const { context, sessionId } = messageRequest(message, options, about)
  return { encode: (codec, route) => codec.stream(message, context(codec, route)), sessionId }
}

/** How the events of a task are requested in each dialect. */
export function subscribeRequest(taskId: string): Request {
  return { encode: (codec, route) => codec.subscribe(taskId, contextOf(route)) }
}

/** How a task is fetched in each dialect. `short` asks for no history. */
export function getTaskOperation(
  id: string,
  { short = false, historyLength }: { short?: boolean; historyLength?: number | undefined } = {},
): Operation<Task> {
  return {
    encode: (codec, route) => {
      const length = historyLength ?? (short && countsHistory(codec) ? 0 : undefined)
      return codec.getTask(id, {
        ...contextOf(route),
        ...(length !== undefined && { historyLength: length }),
      })
    },
    decode: (codec, result) => codec.readTask(result),
    folded: (value) => asTask(value, 'get-task', 'tasks/get (GetTask)'),
  }
}

/** How a task is canceled in each dialect. */
export function cancelTaskOperation(id: string, metadata?: Record<string, unknown>): Operation<Task> {
  return {
    encode: (codec, route) => codec.cancelTask(id, { ...contextOf(route), ...(metadata && { metadata }) }),
    decode: (codec, result) => codec.readTask(result, 'cancelTask'),
    folded: (value) => asTask(value, 'cancel-task', 'tasks/cancel (CancelTask)'),
  }
}

/** How tasks are listed, in 1.0. */
export function listTasksOperation(query: TaskQuery): Operation<TaskList> {
  return {
    exists: (codec) => codec.listTasks !== undefined,
    since: 'ListTasks came with A2A 1.0',
    encode: (codec, route) => present(codec.listTasks)(query, contextOf(route)),
    decode: (codec, result) => codec.readTaskList(result),
  }
}

/** How push configs are kept in each dialect. */
export const pushOperations = {
  create: (taskId: string, config: PushConfig): Operation<PushConfig> => ({
    encode: (codec, route) => codec.createPushConfig(taskId, config, contextOf(route)),
    decode: (codec, result) => codec.readPushConfig(result),
  }),
  get: (taskId: string, id?: string): Operation<PushConfig> => ({
    encode: (codec, route) => codec.getPushConfig(taskId, id, contextOf(route)),
    decode: (codec, result) => codec.readPushConfig(result),
  }),
  list: (taskId: string): Operation<PushConfig[]> => ({
    exists: (codec) => codec.listPushConfigs !== undefined,
    since: 'listing push notification configs came with A2A 0.2.5',
    encode: (codec, route) => present(codec.listPushConfigs)(taskId, contextOf(route)),
    decode: (codec, result) => codec.readPushConfigs(result),
  }),
  delete: (taskId: string, id: string): Operation<void> => ({
    exists: (codec) => codec.deletePushConfig !== undefined,
    since: 'deleting a push notification config came with A2A 0.2.5',
    encode: (codec, route) => present(codec.deletePushConfig)(taskId, id, contextOf(route)),
    // Servers answer null, an empty object or nothing at all.
    decode: () => ({ value: undefined, findings: [] }),
  }),
}

/** How the card for authenticated clients is fetched, since 0.3. */
export function extendedCardOperation(): Operation<Record<string, unknown>> {
  return {
    exists: (codec) => codec.extendedCard !== undefined,
    since: 'cards for authenticated clients came with A2A 0.2.1',
    encode: (codec, route) => present(codec.extendedCard)(contextOf(route)),
    decode: (codec, result) => codec.readCard(result),
  }
}

function contextOf({ interface: { tenant } }: Route): CallContext {
  return tenant === undefined ? {} : { tenant }
}

/** An encoder that `exists` has already checked. */
function present<T>(encoder: T | undefined): T {
  if (encoder === undefined) throw new TypeError('this version lacks the operation')
  return encoder
}

function asTask(value: Message | Task, name: string, methods: string): Task {
  if (value.kind === 'task') return value
  throw new A2AReplyError('BAD_REPLY', `${name} was answered with a message, not with a task`, {
    finding: 'wire/reply-shape',
    fix: `Answer ${methods} with the task itself.`,
  })
}

/** False where 0 means "all" instead of "none". */
function countsHistory({ earlyProto = false }: Codec): boolean {
  return !earlyProto
}
