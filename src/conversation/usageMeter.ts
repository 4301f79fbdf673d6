import { copyOf } from '../transcript/transcript.ts'
import type { ModelCalls, ModelRole, ReplayCount, Usage, UsageByRole } from '../model/types.ts'

/** What one conversation used of the models that several conversations share. */
export interface UsageMeter {
  /** Since the start. For conversations that run at the same time, only the sum is exact. */
  used(): { usage: UsageByRole; replay: ReplayCount }
}

const roles: readonly (ModelRole | 'agent')[] = ['simulator', 'judge', 'check', 'agent']

/** Starts counting. */
export function startUsageMeter({ usage, replay }: Pick<ModelCalls, 'usage' | 'replay'>): UsageMeter {
  // The counters change in place.
  const before = copyOf({ usage, replay })
  return {
    used: () => ({ usage: usageSince(before.usage, usage), replay: replaySince(before.replay, replay) }),
  }
}

function usageSince(before: UsageByRole, now: UsageByRole): UsageByRole {
  const result: UsageByRole = { unreported: now.unreported - before.unreported }
  for (const role of roles) {
    const used = now[role]
    if (used === undefined) continue
    const { inputTokens, outputTokens }: Usage = before[role] ?? { inputTokens: 0, outputTokens: 0 }
    if (before[role] !== undefined && used.inputTokens === inputTokens && used.outputTokens === outputTokens)
      continue
    result[role] = {
      inputTokens: used.inputTokens - inputTokens,
      outputTokens: used.outputTokens - outputTokens,
    }
  }
  if (now.usd !== undefined) result.usd = now.usd - (before.usd ?? 0)
  return result
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
