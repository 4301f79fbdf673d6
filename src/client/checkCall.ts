import { isRecord } from '../core/guards.ts'
import {
  abortSignal,
  checkArguments,
  checkOptions,
  filledText,
  flag,
  httpUrl,
  listOf,
  oneOf,
  optionsOf,
  record,
  required,
  secret,
  text,
  wait,
  wholeNumber,
  type ArgumentSpec,
  type Kind,
  type OptionsSpec,
} from '../core/validate.ts'
import { taskStates } from '../protocol/model.ts'

/** What a message may be: text, or texts and parts. */
export const message: Kind = {
  what: 'a non-empty string or an array of strings and parts',
  accepts: (value) =>
    Array.isArray(value)
      ? value.length > 0 && value.every((each) => typeof each === 'string' || isPart(each))
      : filledText.accepts(value),
}
/** What a handle sends: also an empty text, so that a test can see how the agent answers it. */
const sentMessage: Kind = {
  what: 'a string or an array of strings and parts',
  accepts: (value) => value === '' || message.accepts(value),
}
const isPart = (value: unknown): boolean => isRecord(value) && typeof value['kind'] === 'string'

/** A reply to continue from. */
export const earlierReply: Kind = {
  what: 'the reply of an earlier send()',
  accepts: (value) => isRecord(value) && value['isA2AReply'] === true,
}

const pushConfig: OptionsSpec = {
  id: filledText,
  url: required(httpUrl),
  token: secret(text),
  authentication: secret(record),
}
/** What `configuration` of a message may have. */
export const sendConfiguration: Kind = optionsOf({
  acceptedOutputModes: listOf(text),
  historyLength: wholeNumber,
  wait: flag,
  pushConfig: optionsOf(pushConfig),
})

const always: OptionsSpec = { signal: abortSignal }
const waiting: OptionsSpec = { ...always, waitMs: wait }
const gated: OptionsSpec = { ...always, force: flag }
const sent: OptionsSpec = {
  contextId: filledText,
  taskId: filledText,
  referenceTaskIds: listOf(text),
  after: earlierReply,
  metadata: record,
  configuration: sendConfiguration,
}
const streamed: OptionsSpec = { force: flag, keep: flag, closeMs: wait }
const query: OptionsSpec = {
  contextId: filledText,
  status: oneOf(...taskStates),
  // Any, for it is the agent's task to refuse one that is out of range.
  pageSize: { what: 'a whole number', accepts: Number.isInteger },
  pageToken: text,
  historyLength: wholeNumber,
  statusTimestampAfter: filledText,
  includeArtifacts: flag,
}

const taskId: ArgumentSpec = { name: 'taskId', kind: filledText }
const configId: ArgumentSpec = { name: 'id', kind: filledText }
/** The operations of a handle whose arguments are checked. */
export type CheckedCall =
  | 'send'
  | 'stream'
  | 'subscribe'
  | 'getTask'
  | 'cancelTask'
  | 'listTasks'
  | `pushConfigs.${'create' | 'get' | 'list' | 'delete'}`
  | 'extendedCard'

const calls: Record<CheckedCall, { args: ArgumentSpec[]; options: OptionsSpec }> = {
  send: { args: [{ name: 'message', kind: sentMessage }], options: { ...sent, noWait: flag, ...waiting } },
  stream: { args: [{ name: 'message', kind: sentMessage }], options: { ...sent, ...streamed, ...waiting } },
  subscribe: { args: [taskId], options: { ...streamed, ...waiting } },
  getTask: { args: [{ ...taskId, name: 'id' }], options: { ...always, historyLength: wholeNumber } },
  cancelTask: { args: [{ ...taskId, name: 'id' }], options: { ...always, metadata: record } },
  listTasks: {
    args: [{ name: 'query', kind: optionsOf(query), required: false }],
    options: always,
  },
  'pushConfigs.create': { args: [taskId, { name: 'config', kind: optionsOf(pushConfig) }], options: gated },
  'pushConfigs.get': { args: [taskId, { ...configId, required: false }], options: gated },
  'pushConfigs.list': { args: [taskId], options: gated },
  'pushConfigs.delete': { args: [taskId, configId], options: gated },
  extendedCard: { args: [], options: gated },
}

/**
 * Checks the arguments and options of one operation before anything is sent.
 * Throws A2AUsageError `BAD_OPTIONS` that names the right key or value.
 */
export function checkCall(operation: CheckedCall, ...args: readonly unknown[]): void {
  const { args: specs, options } = calls[operation]
  checkArguments(operation, args, specs)
  checkOptions(operation, args[specs.length], options)
}
