import type { Verdict } from '../verdict.ts'
import type { RunningTest } from './runningTest.ts'
import type { MatcherRecord, MatcherThis } from './types.ts'

const kept = 200

/** Makes the record of one matcher call; plain data, so that it survives the way to a reporter. */
export function makeRecord(about: {
  matcher: string
  outcome: string
  negated: boolean
  retry: number
  ms: number
  agent: string
  received: string
  verdict?: Verdict
}): MatcherRecord {
  const { verdict, ...rest } = about
  return {
    ...rest,
    findings: (verdict?.findings ?? [])
      .slice(0, kept)
      .map(({ id, level, path }) => ({ id, level, ...(path !== undefined && { path }) })),
    ...(verdict?.scores !== undefined && { scores: verdict.scores }),
  }
}

/** Leaves a record with the test. `expect.poll` calls a matcher again and again: only its last call counts. */
export function leaveRecord(self: MatcherThis, test: RunningTest | undefined, record: MatcherRecord): void {
  const records = test?.records?.()
  if (records === undefined) return
  const last = records.at(-1)
  const again =
    self.poll === true && last?.matcher === record.matcher && last.retry === record.retry && polled.has(last)
  if (again) records.pop()
  if (self.poll === true) polled.add(record)
  records.push(record)
}

const polled = new WeakSet<MatcherRecord>()
