import { redact } from '../core/redact.ts'
import type { Verdict } from '../checks/verdict.ts'
import type { RunningTest } from './runningTest.ts'
import { conversationLine, conversationMarkdown } from '../report/markdown.ts'
import type { ConversationRecord, MatcherRecord, MatcherThis } from './types.ts'

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
    ...(verdict?.conversation !== undefined && { conversation: recordOfConversation(verdict.conversation) }),
  }
}

function recordOfConversation(conversation: NonNullable<Verdict['conversation']>): ConversationRecord {
  const result = 'trials' in conversation ? conversation : undefined
  const { run, judgement } = 'trials' in conversation ? conversation.shown : conversation
  const { turns, maxTurns, endReason, models } = run
  const statistics = result?.statistics
  return {
    ...(judgement !== undefined && {
      score: judgement.score,
      scoreMax: judgement.scoreMax,
      threshold: judgement.threshold,
    }),
    criteria: (judgement?.criteria ?? []).map(({ id, kind, verdict }) => ({ id, kind, verdict })),
    turns,
    maxTurns,
    endReason,
    models: { ...models },
    ...(statistics !== undefined && {
      trials: {
        n: statistics.n,
        passed: statistics.passed,
        inconclusive: statistics.inconclusive,
        rerun: statistics.rerun,
        planned: statistics.planned,
        needed: statistics.needed,
      },
    }),
    usage: { ...(result?.usage ?? run.usage) },
    replay: { ...(result?.replay ?? run.replay) },
    ...(result?.shown.file !== undefined && { file: result.shown.file }),
  }
}

/** Leaves one line of a conversation that was held with its test, and the transcript attached. */
export function annotate(verdict: Verdict, test: RunningTest | undefined): void {
  const { conversation, secrets } = verdict
  if (conversation === undefined || !('trials' in conversation)) return
  const again = test === undefined || test.retry === 0 ? '' : `try ${test.retry + 1} · `
  test?.annotate?.(
    redact(`${again}${conversationLine(conversation)}`, secrets),
    'conversation',
    redact(conversationMarkdown(conversation), secrets),
  )
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
