import type { A2AAgent } from '../../agent/types.ts'
import { isRecord } from '../phrases.ts'

/** True if the card declares streaming; undefined without a card. */
export async function declaresStreaming(agent: A2AAgent): Promise<boolean | undefined> {
  // A missing card was reported when the agent was called.
  const found = await agent.card().catch(() => undefined)
  const card = found?.report.card
  if (card === undefined) return undefined
  return isRecord(card['capabilities']) && card['capabilities']['streaming'] === true
}
