import { isRecord } from '../core/guards.ts'
import {
  countingNumber,
  duration,
  fn,
  nonBlankText,
  oneOf,
  record,
  wholeNumber,
  type Kind,
  type OptionsSpec,
} from '../core/validate.ts'
import { commonOptions, judgingOptions } from '../judge/options.ts'

const number: Kind = { what: 'a number', accepts: (value) => typeof value === 'number' }

/** What `send()` takes; the parts are looked at more closely when they are sent. */
export const messageKind: Kind = {
  what: 'a string that is not blank, or a list of strings and parts',
  accepts: (value) =>
    Array.isArray(value)
      ? value.length > 0 && value.every((part) => typeof part === 'string' || isRecord(part))
      : nonBlankText.accepts(value),
}

const facts: Kind = {
  what: 'an object of strings, numbers and booleans, or a list of strings',
  accepts: (value) =>
    Array.isArray(value)
      ? value.every((one) => nonBlankText.accepts(one))
      : isRecord(value) &&
        Object.values(value).every((one) => ['string', 'number', 'boolean'].includes(typeof one)),
}

/** A text or a list; `parseCriteria` tells what is wrong with each. */
const criteria: Kind = {
  what: 'a string with one criterion a line, or a list of criteria',
  accepts: (value) => typeof value === 'string' || Array.isArray(value),
}
const script: Kind = { what: 'a list of turns, such as ["Hello", "Goodbye"]', accepts: Array.isArray }

/** The options of `converse()`. */
export const conversationOptions: OptionsSpec = {
  persona: nonBlankText,
  goal: nonBlankText,
  facts,
  openingMessage: messageKind,
  script,
  maxTurns: number,
  minTurns: number,
  language: nonBlankText,
  stopWhen: fn,
  onTurn: fn,
  simulator: record,
  turnTimeoutMs: duration,
  onAgentError: oneOf('fail', 'error'),
  metadata: record,
  configuration: record,
  ...commonOptions,
}

/** The options of `toPassConversation()`; numbers are only looked at for being some, for what is wrong with them is told with the fix. */
export const passConversationOptions: OptionsSpec = {
  successCriteria: criteria,
  ...conversationOptions,
  ...judgingOptions,
  trials: number,
  passRate: number,
  trialConcurrency: countingNumber,
  maxInvalid: wholeNumber,
  beforeTrial: fn,
}
