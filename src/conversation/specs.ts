import {
  countingNumber,
  duration,
  either,
  fn,
  oneOf,
  record,
  wholeNumber,
  type Kind,
  type OptionsSpec,
} from '../core/validate.ts'

const number: Kind = { what: 'a number', accepts: (value) => typeof value === 'number' }
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A text that says something. */
export const words: Kind = {
  what: 'a text that says something',
  accepts: (value) => typeof value === 'string' && value.trim() !== '',
}

/** What `send()` takes; the parts are looked at more closely when they are sent. */
export const messageKind: Kind = {
  what: 'a text that says something, or a list of texts and parts',
  accepts: (value) =>
    Array.isArray(value)
      ? value.length > 0 && value.every((part) => typeof part === 'string' || isObject(part))
      : words.accepts(value),
}

const facts: Kind = {
  what: 'an object of strings, numbers and truth values, or a list of texts',
  accepts: (value) =>
    Array.isArray(value)
      ? value.every((one) => words.accepts(one))
      : isObject(value) &&
        Object.values(value).every((one) => ['string', 'number', 'boolean'].includes(typeof one)),
}

/** A text or a list; `parseCriteria` tells what is wrong with each. */
const criteria: Kind = {
  what: 'a text with one criterion a line, or a list of criteria',
  accepts: (value) => typeof value === 'string' || Array.isArray(value),
}
const script: Kind = { what: 'a list of turns, such as ["Hello", "Goodbye"]', accepts: Array.isArray }

// What these hold is looked at by `checkModelOptions`.
const modelOptions: OptionsSpec = {
  cassette: either(oneOf('off', 'record', 'replay', 'refresh-misses'), record),
  budget: record,
  price: fn,
}
const common: OptionsSpec = { ...modelOptions, name: words, redact: fn, deadlineMs: duration }
const judging: OptionsSpec = { judge: record, threshold: number, unknownAs: oneOf('inconclusive', 'not_met') }

/** The options of `converse()`. */
export const conversationOptions: OptionsSpec = {
  persona: words,
  goal: words,
  facts,
  openingMessage: messageKind,
  script,
  maxTurns: number,
  minTurns: number,
  language: words,
  stopWhen: fn,
  onTurn: fn,
  simulator: record,
  turnTimeoutMs: duration,
  onAgentError: oneOf('fail', 'error'),
  metadata: record,
  configuration: record,
  ...common,
}

/** The options of `toPassConversation()`; numbers are only looked at for being some, for what is wrong with them is told with the fix. */
export const passConversationOptions: OptionsSpec = {
  successCriteria: criteria,
  ...conversationOptions,
  ...judging,
  trials: number,
  passRate: number,
  trialConcurrency: countingNumber,
  maxInvalid: wholeNumber,
  beforeTrial: fn,
}

/** The options of `judgeTranscript()` and `toMeetCriteria()`. */
export const judgeTranscriptOptions: OptionsSpec = { ...judging, ...common }
