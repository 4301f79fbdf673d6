import { copyOf } from '../transcript/transcript.ts'
import type { ModelCalls, ModelRole, ReplayCount, Usage, UsageByRole } from '../model/types.ts'

/** What one conversation of several took of models that they share. */
export interface Tally {
  /** Since the tally began; of conversations that go on at the same time only the sum is exact. */
  taken(): { usage: UsageByRole; replay: ReplayCount }
}

const roles: readonly (ModelRole | 'agent')[] = ['simulator', 'judge', 'check', 'agent']

/** Begins to count. */
export function tallyOf({ usage, replay }: Pick<ModelCalls, 'usage' | 'replay'>): Tally {
  // The counters go on in place.
  const before = copyOf({ usage, replay })
  return {
    taken: () => ({ usage: usageSince(before.usage, usage), replay: replaySince(before.replay, replay) }),
  }
}

function usageSince(before: UsageByRole, now: UsageByRole): UsageByRole {
  const taken: UsageByRole = { unreported: now.unreported - before.unreported }
  for (const role of roles) {
    const used = now[role]
    if (used === undefined) continue
    const { inputTokens, outputTokens }: Usage = before[role] ?? { inputTokens: 0, outputTokens: 0 }
    if (before[role] !== undefined && used.inputTokens === inputTokens && used.outputTokens === outputTokens)
      continue
    taken[role] = {
      inputTokens: used.inputTokens - inputTokens,
      outputTokens: used.outputTokens - outputTokens,
    }
  }
  if (now.usd !== undefined) taken.usd = now.usd - (before.usd ?? 0)
  return taken
}

function replaySince(before: ReplayCount, now: ReplayCount): ReplayCount {
  return {
    simulator: now.simulator - before.simulator,
    judge: now.judge - before.judge,
    check: now.check - before.check,
    agent: now.agent - before.agent,
    live: now.live - before.live,
  }
}
