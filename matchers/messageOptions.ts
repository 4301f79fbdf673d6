import { duration, record, type OptionsSpec } from '../src/core/validate.ts'

/** What every matcher that sends several messages takes along with each of them. */
export const multiTurnOptions: OptionsSpec = { waitMs: duration, metadata: record, configuration: record }
