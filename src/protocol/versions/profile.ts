import type { Binding, Dialect, TaskState } from '../model.ts'

/** The operations of A2A that a client calls. */
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

export type OperationNames = Readonly<Record<Operation, string>>

/** Over HTTP+JSON, and in 1.0 everywhere, operations have the names of the service in the proto file. */
export const protoNames: OperationNames = {
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

/** Everything in which a version of A2A differs from the others, apart from how its requests are written (the codecs). */
export interface Profile {
  /** The wire that it speaks: 0.2 and 0.3 share one. */
  readonly dialect: Dialect
  /**
   * The names of its operations, by binding; undefined for a binding that it does not have. An operation that it does not have has
   * its name of 1.0, for messages.
   */
  readonly names: Readonly<Record<Binding, OperationNames | undefined>>
  readonly headers: HeaderTraits
  readonly card: CardTraits
  readonly wire: WireTraits
  readonly tasks: TaskTraits
  readonly push: PushTraits
  readonly sources: Sources
}

export interface HeaderTraits {
  /** Announces the version of a request. */
  readonly version: 'A2A-Version' | undefined
  /** Names the extensions that a client wants active; 0.1 has no extensions. */
  readonly extensions: 'A2A-Extensions' | 'X-A2A-Extensions' | undefined
}

export interface CardTraits {
  /** The card lists its interfaces in the order in which a client should try them; before 1.0 it has a main URL. */
  readonly listsInterfaces: boolean
  /** The card can say which version it is of. */
  readonly hasProtocolVersion: boolean
  /** The member that declares a card for authenticated clients. */
  readonly extendedCardFlag: 'supportsAuthenticatedExtendedCard' | 'capabilities.extendedAgentCard'
  /** How that card is fetched: by GET in 0.2, by an operation later, and by either from agents between the two. */
  readonly extendedCardBy: 'get' | 'operation' | 'operation-or-get'
  /** The text defines which bytes of a card are signed. */
  readonly definesSignedForm: boolean
  /** Capabilities that the version no longer has. */
  readonly removedCapabilities: readonly string[]
}

/** How messages, parts and tasks are written. */
export interface WireTraits {
  /** What tells parts apart: a tag of that name, or the one member that is there. */
  readonly partTag: 'type' | 'kind' | 'none'
  /** Replies and events stand under the name of what they are: `{"task": …}`. */
  readonly wrapsReplies: boolean
  /** A message can be the reply; 0.1 always replies with a task. */
  readonly repliesWithMessages: boolean
  /** A stream can hold a whole task; a bare id and status is an update of one otherwise. */
  readonly streamsTasks: boolean
  /** Messages and artifacts have ids, and not only tasks. */
  readonly hasIds: boolean
  /** A task must have a context. */
  readonly requiresContextId: boolean
  /** What the id of the context is called. */
  readonly contextName: 'sessionId' | 'contextId'
  /** The client makes the ids of tasks and sessions. */
  readonly clientMakesIds: boolean
  /** What a timestamp must be, as a phrase. */
  readonly timestamp: string
  readonly timestampNeedsZone: boolean
  /** States that came later. */
  readonly lacksStates: readonly TaskState[]
  /** A push notification config is flat, its task's id next to its own. */
  readonly flatPushConfigs: boolean
  /** Lists stand in an object: `{"configs": […]}`. */
  readonly wrapsLists: boolean
  /** Some early servers require the accepted output modes with every configuration. */
  readonly mayRequireOutputModes: boolean
}

/** How tasks and their streams go on and end. */
export interface TaskTraits {
  /** A stream is one Message, or a Task and then its updates only; a subscription starts with the task as it is now. */
  readonly streamsStartWithTask: boolean
  /** What ends a stream: any terminal state, or `final: true`. */
  readonly endedBy: 'state' | 'final'
  /** A blocking send returns once the task waits for the user or for authorization. */
  readonly returnsWhenInterrupted: boolean
  /** A task that waits for authorization must say what is to be authorized. */
  readonly explainsAuthorization: boolean
}

export interface PushTraits {
  /** A notification carries a stream event; the task itself before 1.0. */
  readonly payload: 'event' | 'task'
  /** The media types of a notification. */
  readonly mediaTypes: readonly string[]
  /** What proves who sent a notification: the token of the config, or its credentials. */
  readonly proof: 'token' | 'credentials'
}

/** Where the text of the version says it. */
export interface Sources {
  readonly replies: string
  readonly parts: string
  readonly states: string
  readonly roles: string
  readonly timestamps: string
  readonly push: string
}
