import { A2AUsageError } from '../../core/errors.ts'
import { isRecord } from '../../core/guards.ts'
import { profileOf } from '../../protocol/versions/profiles.ts'
import type { Connection } from './types.ts'

/** What an agent must declare before a client may call the operations behind it (A2A 0.3 §5.5.2, A2A 1.0 §3.3.4). */
export type Capability = 'streaming' | 'pushNotifications' | 'extendedAgentCard'

/** Whether the card declares a capability; undefined without a card. */
export function declares({ found }: Connection, capability: Capability): boolean | undefined {
  const card = found?.card
  if (card === undefined) return undefined
  // In 0.x it is a member of its own.
  if (capability === 'extendedAgentCard' && card['supportsAuthenticatedExtendedCard'] === true) return true
  const capabilities = card['capabilities']
  return isRecord(capabilities) && capabilities[capability] === true
}

/** Throws A2AUsageError `NOT_DECLARED` if the card lacks the capability. */
export function assertDeclared(connection: Connection, capability: Capability, method: () => string): void {
  if (declares(connection, capability) !== false) return
  const name =
    capability === 'extendedAgentCard'
      ? profileOf(connection.declared ?? '0.3').card.extendedCardFlag
      : `capabilities.${capability}`
  throw new A2AUsageError(
    'NOT_DECLARED',
    `${name} is not declared in the agent card, so ${method()} was not called`,
    {
      fix: `Set ${name} to true once the agent has it, or pass force: true to call it anyway.`,
    },
  )
}
