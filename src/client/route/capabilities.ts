import { A2AUsageError } from '../../core/errors.ts'
import type { Connected } from './connection.ts'

/** What an agent must declare before a client may call the operations behind it (A2A 0.3 §5.5.2, A2A 1.0 §3.3.4). */
export type Capability = 'streaming' | 'pushNotifications' | 'extendedAgentCard'

/** Whether the card declares a capability; undefined where there is no card to ask. */
export function declares({ result }: Connected, capability: Capability): boolean | undefined {
  const card = result?.report.card
  if (card === undefined) return undefined
  // In 0.x this one stands by itself.
  if (capability === 'extendedAgentCard' && card['supportsAuthenticatedExtendedCard'] === true) return true
  const capabilities = card['capabilities']
  return (
    typeof capabilities === 'object' &&
    capabilities !== null &&
    (capabilities as Record<string, unknown>)[capability] === true
  )
}

/** Throws A2AUsageError `NOT_DECLARED` where the card lacks the capability, unless that is what the caller wants to see. */
export function assertDeclared(
  connection: Connected,
  capability: Capability,
  { method, force = false }: { method: string; force?: boolean | undefined },
): void {
  if (force || declares(connection, capability) !== false) return
  const name =
    capability === 'extendedAgentCard' && connection.route.declared !== '1.0'
      ? 'supportsAuthenticatedExtendedCard'
      : `capabilities.${capability}`
  throw new A2AUsageError(
    'NOT_DECLARED',
    `${name} is not declared in the agent card, so ${method} was not called`,
    {
      fix: `Set ${name} to true once the agent has it, or pass force: true to call it all the same.`,
    },
  )
}
