import type { Binding, Dialect } from './model.ts'

/** The operations that a codec encodes. */
export type Operation =
  | 'send'
  | 'stream'
  | 'subscribe'
  | 'getTask'
  | 'listTasks'
  | 'cancelTask'
  | 'createPushConfig'
  | 'getPushConfig'
  | 'listPushConfigs'
  | 'deletePushConfig'
  | 'extendedCard'

/** What the name of an operation depends on. */
export interface Speech {
  dialect: Dialect
  binding: Binding
}

/** Over HTTP+JSON the operations go by the names of the service in the proto file. */
const protoNames: Record<Operation, string> = {
  send: 'SendMessage',
  stream: 'SendStreamingMessage',
  subscribe: 'SubscribeToTask',
  getTask: 'GetTask',
  listTasks: 'ListTasks',
  cancelTask: 'CancelTask',
  createPushConfig: 'CreateTaskPushNotificationConfig',
  getPushConfig: 'GetTaskPushNotificationConfig',
  listPushConfigs: 'ListTaskPushNotificationConfigs',
  deletePushConfig: 'DeleteTaskPushNotificationConfig',
  extendedCard: 'GetExtendedAgentCard',
}
/** What a version lacks goes by its name in 1.0, for messages. */
const rpcNames: Record<Dialect, Record<Operation, string>> = {
  '0.1': {
    ...protoNames,
    send: 'tasks/send',
    stream: 'tasks/sendSubscribe',
    subscribe: 'tasks/resubscribe',
    getTask: 'tasks/get',
    cancelTask: 'tasks/cancel',
    createPushConfig: 'tasks/pushNotification/set',
    getPushConfig: 'tasks/pushNotification/get',
  },
  '0.3': {
    ...protoNames,
    send: 'message/send',
    stream: 'message/stream',
    subscribe: 'tasks/resubscribe',
    getTask: 'tasks/get',
    cancelTask: 'tasks/cancel',
    createPushConfig: 'tasks/pushNotificationConfig/set',
    getPushConfig: 'tasks/pushNotificationConfig/get',
    listPushConfigs: 'tasks/pushNotificationConfig/list',
    deletePushConfig: 'tasks/pushNotificationConfig/delete',
    extendedCard: 'agent/getAuthenticatedExtendedCard',
  },
  '1.0': protoNames,
}

/** Name of an operation as that interface calls it: the JSON-RPC method, or the operation of the HTTP+JSON binding. */
export function methodName(operation: Operation, speech: Speech): string {
  return (speech.binding === 'JSONRPC' ? rpcNames[speech.dialect] : protoNames)[operation]
}

/** Name of the operation that sends a message: `tasks/send`, `message/send`, `SendMessage`. */
export function sendMethodName(dialect: Dialect, binding: Binding = 'JSONRPC'): string {
  return methodName('send', { dialect, binding })
}

const jsonRpcErrors: readonly [number, string][] = [
  [-32700, 'ParseError'],
  [-32600, 'InvalidRequest'],
  [-32601, 'MethodNotFound'],
  [-32602, 'InvalidParams'],
  [-32603, 'InternalError'],
]
const firstErrors: readonly [number, string][] = [
  ...jsonRpcErrors,
  [-32001, 'TaskNotFound'],
  [-32002, 'TaskNotCancelable'],
  [-32003, 'PushNotificationNotSupported'],
  [-32004, 'UnsupportedOperation'],
]
const errorNames: Record<Dialect, ReadonlyMap<number, string>> = {
  // Beyond these, the text and the schema of 0.1 disagree, so that a code says nothing; its message does.
  '0.1': new Map([...firstErrors, [-32005, 'ContentTypeNotSupported']]),
  '0.3': new Map([
    ...firstErrors,
    [-32005, 'ContentTypeNotSupported'],
    [-32006, 'InvalidAgentResponse'],
    [-32007, 'AuthenticatedExtendedCardNotConfigured'],
  ]),
  '1.0': new Map([
    ...firstErrors,
    [-32005, 'ContentTypeNotSupported'],
    [-32006, 'InvalidAgentResponse'],
    [-32007, 'ExtendedAgentCardNotConfigured'],
    [-32008, 'ExtensionSupportRequired'],
    [-32009, 'VersionNotSupported'],
  ]),
}

/** Name of a JSON-RPC or A2A error code in that version; undefined for a code that it does not define (A2A 1.0 §5.4). */
export function errorName(code: number, dialect: Dialect): string | undefined {
  return errorNames[dialect].get(code)
}
