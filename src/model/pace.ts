/** How fast one provider may be called. */
export interface Pace {
  /** Calls at the same time; absent while nothing was refused. */
  cap?: number
  /** Answers since the cap last grew. */
  answers?: number
  /** When the cap was last halved, in milliseconds since the epoch. */
  halvedAt?: number
  /** No call starts before: what `Retry-After` asked for. */
  notBefore?: number
}

/** The longest pause in ms that a provider is granted. */
export const longestWaitMs = 60_000
const answersToGrow = 5
const memoryMs = 120_000

/** Calls that may run now: none while the provider asked for a pause. */
export function allowed(pace: Pace, limit: number, now: number): number {
  return waitFor(pace, now) > 0 ? 0 : currentCap(pace, limit, now)
}

/** How long from now no call may start, in ms. */
export function waitFor({ notBefore = 0 }: Pace, now: number): number {
  return Math.max(0, notBefore - now)
}

/** The pace after a 429 to a call that started at `startedAt`. */
export function slower(
  pace: Pace,
  limit: number,
  now: number,
  { startedAt, retryAfterMs = 0 }: { startedAt: number; retryAfterMs?: number | undefined },
): Pace {
  const notBefore = Math.max(pace.notBefore ?? 0, now + retryAfterMs)
  // Calls that were running at the last halving were refused for the same reason: they do not halve it again.
  if (pace.halvedAt !== undefined && startedAt <= pace.halvedAt) return { ...pace, notBefore }
  return {
    cap: Math.max(1, Math.floor(currentCap(pace, limit, now) / 2)),
    answers: 0,
    halvedAt: now,
    notBefore,
  }
}

/** The pace after an answer; the same object if that changes nothing. */
export function faster(pace: Pace, limit: number, now: number): Pace {
  if (pace.cap === undefined) return pace
  const cap = currentCap(pace, limit, now)
  // A pause outlives an answer that was under way.
  if (cap >= limit) return waitFor(pace, now) > 0 ? pace : {}
  const answers = (pace.answers ?? 0) + 1
  return answers < answersToGrow ? { ...pace, answers } : { ...pace, cap: cap + 1, answers: 0 }
}

function currentCap({ cap = Infinity, halvedAt = 0 }: Pace, limit: number, now: number): number {
  return Math.abs(now - halvedAt) > memoryMs ? limit : Math.min(limit, cap)
}
