import { modelOptions } from '../model/configuration.ts'
import { sendConfiguration } from '../client/checkCall.ts'
import { isRecord } from '../core/guards.ts'
import {
  countingNumber,
  duration,
  fn,
  nonBlankText,
  oneOf,
  record,
  required,
  wholeNumber,
  type Kind,
  type OptionsSpec,
} from '../core/validate.ts'
import { commonOptions, judgingOptions, share } from '../judge/options.ts'

/** A count whose fraction is rounded in the advice. */
const counted = (advice: string): Kind => ({
  ...countingNumber,
  advice: (value) =>
    (typeof value === 'number' && value > 1 ? `${advice} Use ${Math.round(value)}.` : advice).trim(),
})
const turnCount = counted('It counts the messages of the user, the opening included.')

/** What `send()` takes; parts are checked in detail when they are sent. */
export const messageKind: Kind = {
  what: 'a string that is not blank, or an array of strings and parts',
  accepts: (value) =>
    Array.isArray(value)
      ? value.length > 0 && value.every((part) => typeof part === 'string' || isRecord(part))
      : nonBlankText.accepts(value),
}

const facts: Kind = {
  what: 'an object of strings, numbers and booleans, or an array of strings',
  accepts: (value) =>
    Array.isArray(value)
      ? value.every((one) => nonBlankText.accepts(one))
      : isRecord(value) &&
        Object.values(value).every((one) => ['string', 'number', 'boolean'].includes(typeof one)),
}

/** A string or an array; `parseCriteria` reports what is wrong with a criterion. */
const criteria: Kind = {
  what: 'a string with one criterion per line, or an array of criteria',
  accepts: (value) => typeof value === 'string' || Array.isArray(value),
}
const script: Kind = { what: 'an array of turns, such as ["Hello", "Goodbye"]', accepts: Array.isArray }

/** The options of `converse()`. */
export const conversationOptions: OptionsSpec = {
  persona: nonBlankText,
  goal: nonBlankText,
  facts,
  openingMessage: messageKind,
  script,
  maxTurns: turnCount,
  minTurns: countingNumber,
  language: nonBlankText,
  stopWhen: fn,
  onTurn: fn,
  simulator: modelOptions.simulator,
  turnTimeoutMs: duration,
  onAgentError: oneOf('fail', 'error'),
  metadata: record,
  configuration: sendConfiguration,
  ...commonOptions,
}

/** The options of `toPassConversation()`. */
export const passConversationOptions: OptionsSpec = {
  successCriteria: required(criteria),
  ...conversationOptions,
  ...judgingOptions,
  trials: counted(''),
  passRate: {
    ...share,
    what: 'a number above 0 and up to 1',
    accepts: (value) => share.accepts(value) && value !== 0,
    advice: (value) => (value === 0 ? 'Leave passRate out if every trial must pass.' : share.advice?.(value)),
  },
  trialConcurrency: countingNumber,
  maxInvalid: wholeNumber,
  beforeTrial: fn,
}
