import { protoNames, type Profile } from './profile.ts'

/** A2A 0.1: JSON-RPC only; the client makes the ids of tasks and sessions, and messages have none. */
export const v01: Profile = {
  dialect: '0.1',
  names: {
    JSONRPC: {
      ...protoNames,
      send: 'tasks/send',
      stream: 'tasks/sendSubscribe',
      subscribe: 'tasks/resubscribe',
      getTask: 'tasks/get',
      cancelTask: 'tasks/cancel',
      createPushConfig: 'tasks/pushNotification/set',
      getPushConfig: 'tasks/pushNotification/get',
    },
    'HTTP+JSON': undefined,
  },
  headers: { version: undefined, extensions: undefined },
  card: {
    listsInterfaces: false,
    hasProtocolVersion: false,
    extendedCardFlag: 'supportsAuthenticatedExtendedCard',
    extendedCardBy: 'operation',
    definesSignedForm: false,
    removedCapabilities: [],
  },
  wire: {
    partTag: 'type',
    wrapsReplies: false,
    repliesWithMessages: false,
    streamsTasks: false,
    hasIds: false,
    requiresContextId: false,
    contextName: 'sessionId',
    clientMakesIds: true,
    timestamp: 'an ISO 8601 time',
    timestampNeedsZone: false,
    lacksStates: ['auth-required', 'rejected'],
    flatPushConfigs: false,
    wrapsLists: false,
    mayRequireOutputModes: false,
  },
  tasks: {
    streamsStartWithTask: false,
    endedBy: 'final',
    returnsWhenInterrupted: false,
    explainsAuthorization: false,
  },
  push: { payload: 'task', mediaTypes: ['application/json'], proof: 'token' },
  sources: {
    replies: 'A2A 0.1 §7',
    parts: 'A2A 0.1 §6.5',
    states: 'A2A 0.1 §6.3',
    roles: 'A2A 0.1 §6.4',
    timestamps: 'A2A 0.1 §6.2',
    push: 'A2A 0.3 §9.5',
  },
}
