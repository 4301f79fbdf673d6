import { protoNames, type Profile } from './profile.ts'

/** A2A 1.0: the ProtoJSON of its proto file in both bindings. */
export const v10: Profile = {
  dialect: '1.0',
  names: { JSONRPC: protoNames, 'HTTP+JSON': protoNames },
  headers: { version: 'A2A-Version', extensions: 'A2A-Extensions' },
  card: {
    listsInterfaces: true,
    hasProtocolVersion: true,
    extendedCardFlag: 'capabilities.extendedAgentCard',
    extendedCardBy: 'operation',
    definesSignedForm: true,
    removedCapabilities: ['stateTransitionHistory'],
  },
  wire: {
    partTag: 'none',
    wrapsReplies: true,
    repliesWithMessages: true,
    streamsTasks: true,
    hasIds: true,
    requiresContextId: false,
    contextName: 'contextId',
    clientMakesIds: false,
    timestamp: 'an RFC 3339 time such as "2026-01-31T12:00:00.000Z"',
    timestampNeedsZone: true,
    lacksStates: [],
    flatPushConfigs: true,
    wrapsLists: true,
    mayRequireOutputModes: false,
  },
  tasks: {
    streamsStartWithTask: true,
    endedBy: 'state',
    returnsWhenInterrupted: true,
    explainsAuthorization: true,
  },
  push: {
    payload: 'event',
    mediaTypes: ['application/a2a+json', 'application/json'],
    proof: 'credentials',
  },
  sources: {
    replies: 'A2A 1.0 a2a.proto',
    parts: 'A2A 1.0 a2a.proto Part',
    states: 'A2A 1.0 §5.5',
    roles: 'A2A 1.0 §5.5',
    timestamps: 'A2A 1.0 §5.6.1',
    push: 'A2A 1.0 §4.3.3',
  },
}
