import type { A2AAgent } from '../../agent/types.ts'
import { isRecord } from '../phrases.ts'

/** Whether the card declares streaming; undefined where there is no card to ask. */
export async function declaresStreaming(agent: A2AAgent): Promise<boolean | undefined> {
  // Whatever keeps the card away has had its say when the agent was called.
  const found = await agent.card().catch(() => undefined)
  const card = found?.report.card
  if (card === undefined) return undefined
  return isRecord(card['capabilities']) && card['capabilities']['streaming'] === true
}
