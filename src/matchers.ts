/** The bare matcher functions, for `expect.extend()`; the set-up entries register them by themselves. */
export * from '../matchers/index.ts'
export type { A2AMatchers, A2AReplyMatchers, DeadlineOption } from './runners/matcherTypes.ts'
export type { MatcherRecord, MatcherResult, MatcherThis } from './runners/types.ts'
