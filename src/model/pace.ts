/** How fast one provider may be asked, as all workers of a run agree on it. */
export interface Pace {
  /** Calls at the same time; absent while nothing was refused. */
  cap?: number
  /** Answers since the cap last grew. */
  answers?: number
  /** When the cap was last halved, in milliseconds since the epoch. */
  halvedAt?: number
  /** Before that nobody calls: what `Retry-After` asked for. */
  notBefore?: number
}

/** Longest wait in ms that is granted to a provider. */
export const longestWait = 60_000
const answersToGrow = 5
const memory = 120_000

/** Calls that may go on now: none while the provider asked to wait. */
export function allowed(pace: Pace, limit: number, now: number): number {
  return waitFor(pace, now) > 0 ? 0 : currentCap(pace, limit, now)
}

/** Until when nobody may call, from now, in ms. */
export function waitFor({ notBefore = 0 }: Pace, now: number): number {
  // A clock that was set back must not stop a run.
  return notBefore - now > longestWait ? 0 : Math.max(0, notBefore - now)
}

/** After a 429 to a call that began at `began`. */
export function slower(
  pace: Pace,
  limit: number,
  now: number,
  { began, retryAfterMs = 0 }: { began: number; retryAfterMs?: number | undefined },
): Pace {
  const notBefore = Math.max(pace.notBefore ?? 0, now + Math.min(retryAfterMs, longestWait))
  // Calls that were under way at the last halving were refused for the same reason: they halve it no further.
  const known = pace.halvedAt !== undefined && began <= pace.halvedAt
  if (known) return { ...pace, notBefore }
  return {
    cap: Math.max(1, Math.floor(currentCap(pace, limit, now) / 2)),
    answers: 0,
    halvedAt: now,
    notBefore,
  }
}

/** After an answer; the same object where that changes nothing. */
export function faster(pace: Pace, limit: number, now: number): Pace {
  if (pace.cap === undefined) return pace
  const cap = currentCap(pace, limit, now)
  if (cap >= limit) return {}
  const answers = (pace.answers ?? 0) + 1
  return answers < answersToGrow ? { ...pace, answers } : { ...pace, cap: cap + 1, answers: 0 }
}

function currentCap({ cap = Infinity, halvedAt = 0 }: Pace, limit: number, now: number): number {
  return Math.abs(now - halvedAt) > memory ? limit : Math.min(limit, cap)
}
