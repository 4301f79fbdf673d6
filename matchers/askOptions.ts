import { duration, filledText, record, type Kind, type OptionsSpec } from '../src/core/validate.ts'

/** What every matcher that sends a message takes along with it. */
export const askOptions: OptionsSpec = {
  waitMs: duration,
  contextId: filledText,
  after: {
    what: 'the reply of an earlier send()',
    accepts: (value) => (value as { isA2AReply?: unknown } | null)?.isA2AReply === true,
  },
  metadata: record,
  configuration: record,
}

/** What can be said to an agent. */
export const message: Kind = {
  what: 'a text, or a list of texts and parts',
  accepts: (value) =>
    Array.isArray(value)
      ? value.length > 0 && value.every(isPiece)
      : typeof value === 'string' && value !== '',
}

function isPiece(value: unknown): boolean {
  return typeof value === 'string' || typeof (value as { kind?: unknown } | null)?.kind === 'string'
}
