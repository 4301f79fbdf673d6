import {
  checkOptions,
  filledText,
  listOf,
  record,
  text,
  truth,
  wholeNumber,
  type Kind,
  type OptionsSpec,
} from '../core/validate.ts'

type Operation = 'send' | 'stream' | 'subscribe'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const time: Kind = {
  what: 'a number of at least 0',
  accepts: (value) => typeof value === 'number' && value >= 0,
}
const reply: Kind = {
  what: 'the reply of an earlier send()',
  accepts: (value) => isObject(value) && value['isA2AReply'] === true,
}
const signal: Kind = {
  what: 'an AbortSignal',
  // Not by its class: a test environment may have its own.
  accepts: (value) => isObject(value) && typeof value['aborted'] === 'boolean',
}

const always: OptionsSpec = { signal, waitMs: time }
const messageOptions: OptionsSpec = {
  contextId: filledText,
  taskId: filledText,
  referenceTaskIds: listOf(text),
  after: reply,
  metadata: record,
  configuration: record,
}
const streamOptions: OptionsSpec = { force: truth, keep: truth, closeMs: time }
const specs: Record<Operation, OptionsSpec> = {
  send: { ...messageOptions, noWait: truth, ...always },
  stream: { ...messageOptions, ...streamOptions, ...always },
  subscribe: { ...streamOptions, ...always },
}
const configuration: OptionsSpec = {
  acceptedOutputModes: listOf(text),
  historyLength: wholeNumber,
  wait: truth,
  pushConfig: record,
}

/**
 * Checks the options of one `send()`, `stream()` or `subscribe()` before anything is sent.
 * Throws A2AUsageError `BAD_OPTIONS` that names the right key or value.
 */
export function checkSendOptions(operation: Operation, options: unknown): void {
  checkOptions(`${operation}()`, options, specs[operation])
  const inner = isObject(options) ? options['configuration'] : undefined
  if (inner !== undefined) checkOptions(`configuration of ${operation}()`, inner, configuration)
}
