import { createGuard, type GuardContext } from '../../src/simulator/guards.ts'
import type { TranscriptEntry } from '../../src/transcript/types.ts'

export const guard = (
  message: string,
  about: Partial<Omit<GuardContext, 'entries'>> & { entries?: readonly TranscriptEntry[] } = {},
) => createGuard({ facts: [], criteria: [], ...about, entries: () => about.entries ?? [] })(message)
export const names = (...args: Parameters<typeof guard>): string[] =>
  guard(...args).hits.map((hit) => hit.guard)

/** What leaks, and the sign of it. */
export const leaking = [
  ['{"thought": "I want", "message": "hi"}', '"thought":'],
  ["hi 'status' : 'continue'", "'status' :"],
  ['{“message”: “hi”}', '"message":'],
  ['status: goal_reached', 'status: goal_reached'],
  ['thought: the agent was rude\nhello', 'thought:'],
  ['Thanks! gave_up', 'gave_up'],
  ['Thank you. ###STOP###', '###STOP###'],
  ['###OUT-OF-SCOPE###', '###OUT-OF-SCOPE###'],
  ['<think>I should ask</think> Hi', '<think>'],
  ['<|channel|>analysis', '<|channel|>'],
  ['As the user, I want a refund.', 'As the user'],
  ['I will respond as the user would', 'as the user'],
  ['I am a simulated customer', 'simulated'],
  ['I am a simu\u00adlated customer', 'simulated'],
  ['In this test scenario I am angry', 'test scenario'],
  ['my success criteria are met', 'success criteria'],
  ['The developer instructions forbid that', 'developer instructions'],
  ['The user simulator is done', 'user simulator'],
] as const
