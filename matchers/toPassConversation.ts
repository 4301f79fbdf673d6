import { passConversationOptions } from '../src/conversation/optionSpecs.ts'
import type { PassConversationOptions } from '../src/conversation/types.ts'
import { defineMatcher, type AsyncMatcher } from '../src/runners/defineMatcher.ts'

/**
 * Passes when a conversation of a scripted or simulated user with the agent meets its success criteria. Sends up to `maxTurns` messages a trial, and asks
 * models for simulated turns and judged criteria only.
 */
export const toPassConversation: AsyncMatcher<[options: PassConversationOptions]> = defineMatcher({
  name: 'toPassConversation',
  subject: 'agent',
  options: passConversationOptions,
  costly: true,
  expected: () => 'a conversation that meets its criteria',
  check: async (...given) =>
    (await import('../src/checks/conversation/checkConversation.ts')).checkConversation(...given),
})
