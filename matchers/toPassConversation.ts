import { passConversationOptions } from '../src/conversation/optionSpecs.ts'
import { defineMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedMatcher } from '../src/runners/matcherTypes.ts'

/**
 * Passes when a conversation between a scripted or simulated user and the agent meets its success criteria.
 * Sends up to `maxTurns` messages per trial; calls models only for simulated turns and for criteria in words.
 */
export const toPassConversation: NamedMatcher<'toPassConversation'> = defineMatcher({
  name: 'toPassConversation',
  subject: 'agent',
  options: passConversationOptions,
  costly: true,
  expected: () => 'a conversation that meets its criteria',
  load: async () => (await import('../src/checks/conversation/checkConversation.ts')).checkConversation,
})
