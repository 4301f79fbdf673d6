import type { ReplayCount, UsageByRole } from '../model/types.ts'

/** What every runner gives a matcher as `this`; nothing else may be relied on. See `docs/runners.md`. */
export interface MatcherThis {
  isNot?: boolean
  /** `''` in a direct call, `resolves`/`rejects` after those, undefined when nested as an asymmetric matcher. */
  promise?: string
  utils: {
    RECEIVED_COLOR?: (text: string) => string
    EXPECTED_COLOR?: (text: string) => string
    DIM_COLOR?: (text: string) => string
    printReceived(value: unknown): string
  }
  equals?(a: unknown, b: unknown, testers?: unknown[]): boolean
  currentTestName?: string
  testPath?: string
  /** Vitest 4 and later. */
  task?: VitestTask
  poll?: boolean
}

export interface VitestTask {
  id: string
  name: string
  /** The block around it. */
  suite?: VitestBlock
  file?: { filepath?: string }
  /** A number, or since 4.1 an object. */
  retry?: number | { count?: number }
  timeout?: number
  concurrent?: boolean
  result?: {
    startTime?: number
    retryCount?: number
    state?: string
    hooks?: { beforeEach?: string }
  }
  meta: Record<string, unknown>
  context: {
    signal?: AbortSignal
    onTestFinished?(fn: () => void | Promise<void>): void
    /** Since 3.2. */
    annotate?(
      message: string,
      type: string,
      attachment: { contentType: string; body: string },
    ): Promise<unknown>
  }
}

interface VitestBlock {
  name: string
  suite?: VitestBlock
}

/** What a matcher gives back to its runner. */
export interface MatcherResult {
  pass: boolean
  message: () => string
  /** The values of one comparison, from which runners print a diff. */
  expected?: unknown
  actual?: unknown
}

/** What a matcher leaves behind for reporters, one per call: `task.meta.a2a` in Vitest. */
export interface MatcherRecord {
  matcher: string
  agent: string
  outcome: string
  negated: boolean
  received: string
  findings: { id: string; level: string; path?: string }[]
  scores?: Record<string, number>
  /** Of matchers that hold or judge a conversation. */
  conversation?: ConversationRecord
  retry: number
  ms: number
}

/** A conversation in a record: what a table shows of it; the file has the rest. */
export interface ConversationRecord {
  score?: number
  scoreMax?: number
  threshold?: number
  criteria: { id: string; kind: string; verdict: string }[]
  turns: number
  maxTurns: number
  endReason: string
  models: { simulator?: string; judge?: string }
  trials?: { n: number; passed: number; inconclusive: number; rerun: number; planned: number; needed: number }
  usage: UsageByRole
  /** How many answers of models came from a cassette, and how many calls went out. */
  replay: ReplayCount
  /** Where the transcript was written. */
  file?: string
}
