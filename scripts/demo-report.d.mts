/** A record of one check, as the package leaves it with a test. */
export interface DemoRecord {
  agent: string
  matcher: string
  negated: boolean
  outcome: string
  findings: { id: string; level: string }[]
  conversation?: {
    criteria: { id: string; kind: string; verdict: 'met' | 'not_met' | 'unknown' }[]
    models: Record<string, string>
    replay: { live: number }
  }
}

/** A test of an example spec. */
export interface DemoTest {
  file: string
  title: string
  state: string
  /** Why it was skipped. */
  note?: string
  messages: string[]
  records: DemoRecord[]
}

export interface DemoVerdict {
  green: boolean
  reasons: string[]
}

export function judge(run: { tests: DemoTest[]; troubles: string[] }): DemoVerdict

export function printDemo(
  run: { tests: DemoTest[]; seconds: number; endpoint?: string },
  verdict: DemoVerdict,
  options: { colour: boolean },
): string
