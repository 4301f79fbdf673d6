import { modelOptions } from '../model/configuration.ts'
import {
  duration,
  fn,
  nonBlankText,
  numberFrom,
  oneOf,
  type Kind,
  type OptionsSpec,
} from '../core/validate.ts'

/** A share of 1, with advice for percentages. */
export const share: Kind = {
  ...numberFrom(0, 1),
  advice: (value) =>
    typeof value === 'number' && value > 1 && value <= 100 ? `Use ${value / 100}, not ${value}.` : undefined,
}

/** Options of everything that runs or judges a conversation. */
export const commonOptions: OptionsSpec = {
  cassette: modelOptions.cassette,
  budget: modelOptions.budget,
  price: modelOptions.price,
  name: nonBlankText,
  redact: fn,
  deadlineMs: duration,
}

/** Options of everything that judges a conversation. */
export const judgingOptions: OptionsSpec = {
  judge: modelOptions.judge,
  threshold: share,
  unknownAs: oneOf('inconclusive', 'not_met'),
}

/** The options of `judgeTranscript()` and `toMeetCriteria()`. */
export const judgeTranscriptOptions: OptionsSpec = { ...judgingOptions, ...commonOptions }
