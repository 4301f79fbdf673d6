import { A2AUsageError } from '../core/errors.ts'
import {
  duration,
  either,
  fn,
  nonBlankText,
  oneOf,
  record,
  type Kind,
  type OptionsSpec,
} from '../core/validate.ts'

const number: Kind = { what: 'a number', accepts: (value) => typeof value === 'number' }

// What these hold is looked at by `checkModelOptions`.
const modelOptions: OptionsSpec = {
  cassette: either(oneOf('off', 'record', 'replay', 'refresh-misses'), record),
  budget: record,
  price: fn,
}
export const commonOptions: OptionsSpec = {
  ...modelOptions,
  name: nonBlankText,
  redact: fn,
  deadlineMs: duration,
}
export const judgingOptions: OptionsSpec = {
  judge: record,
  threshold: number,
  unknownAs: oneOf('inconclusive', 'not_met'),
}

/** The options of `judgeTranscript()` and `toMeetCriteria()`. */
export const judgeTranscriptOptions: OptionsSpec = { ...judgingOptions, ...commonOptions }

/** Throws A2AUsageError `BAD_OPTIONS` for a share that is no number from 0 to 1; a percentage is told as what it should be. */
export function checkShare(owner: string, key: string, value: unknown): void {
  if (typeof value === 'number' && value >= 0 && value <= 1) return
  const percentage = typeof value === 'number' && value > 1 && value <= 100
  throw new A2AUsageError(
    'BAD_OPTIONS',
    `the option "${key}" of ${owner} must be a number from 0 to 1, but is ${String(value)}.`,
    percentage ? { fix: `Use ${value / 100}, not ${value}.` } : {},
  )
}
