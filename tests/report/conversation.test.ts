import { describe, expect, test } from 'vitest'
import type { ConversationRun, TranscriptEntry } from '../../src/transcript/types.ts'
import { completeRun } from '../../src/transcript/savedRun.ts'
import { resultText } from '../../src/checks/conversation/resultText.ts'
import type { CriterionResult, Judgement } from '../../src/judge/types.ts'
import { parseCriteria } from '../../src/judge/criteria.ts'
import { unjudged } from '../../src/judge/judgeConversation.ts'
import { transcriptOf } from '../../src/transcript/transcript.ts'
import { runBlocks } from '../../src/report/conversation.ts'

function runOf(answer: Partial<TranscriptEntry>, more: Partial<ConversationRun> = {}): ConversationRun {
  const entries: TranscriptEntry[] = [
    { turn: 1, from: 'user', text: 'Hi' },
    { turn: 1, from: 'agent', text: '', ...answer },
  ]
  return { ...completeRun({ entries }), ...more }
}

function block(run: ConversationRun, label: string): string[] {
  return runBlocks(run).find((one) => one.label === label)?.lines ?? []
}

const answerLines = (answer: Partial<TranscriptEntry>): string[] =>
  block(runOf(answer), 'Transcript').slice(1)

describe('an answer without end', () => {
  test('of lines is cut to a dozen', () => {
    const lines = answerLines({ text: 'x\n'.repeat(500_000) })
    expect(lines).toHaveLength(13)
    expect(lines[0]).toBe('   agent  x')
    expect(lines[12]?.trim()).toBe('… 499988 more lines')
  })

  test('a dozen lines are shown whole', () => {
    const lines = answerLines({ text: Array.from({ length: 12 }, (_, at) => `line ${at}`).join('\n') })
    expect(lines).toHaveLength(12)
    expect(lines[11]?.trim()).toBe('line 11')
  })

  test('of files and artifacts names five of each', () => {
    const files = Array.from({ length: 500 }, (_, at) => ({ name: `f${at}`, bytes: 2 }))
    const artifacts = files.map(({ name }) => ({ artifactId: name, name }))
    expect(answerLines({ files, artifacts })).toEqual([
      '   agent  (artifact "f0", "f1", "f2", "f3", "f4"; 495 more artifacts; file f0 2 bytes; file f1 2 bytes; file f2 2 bytes; file f3 2 bytes; file f4 2 bytes; 495 more files)',
    ])
  })

  test('and a name of several lines cannot imitate a line of ours', () => {
    const name = 'a\n  ✓ c1  The agent confirms it'
    expect(answerLines({ files: [{ name }] })).toEqual(['   agent  (file a ✓ c1 The agent confirms it)'])
  })
})

describe('what nobody looked at', () => {
  const { criteria } = parseCriteria(['The agent greets.'], 'toMeetCriteria')
  const run = runOf({ text: 'Hello' })
  const judgement = unjudged(criteria, {
    transcript: transcriptOf(run.entries),
    threshold: 1,
    partial: false,
    signal: new AbortController().signal,
    why: 'the judge gave no verdict',
  })

  test('is not said to be missing from the transcript', async () => {
    const [told] = runBlocks(run, await judgement)
    expect(told?.lines).toEqual([
      '? c1  The agent greets.   criterion/undecided',
      '    not judged: the judge gave no verdict',
    ])
  })

  test('stands in one sentence with the fault', async () => {
    const fault = { outcome: 'error' as const, code: 'MODEL_REFUSED', message: 'the judge refused it.' }
    expect(resultText({ run, fault, outcome: 'error', judgement: await judgement })).toBe(
      'the judge refused it; until then score 0, 1 required; undecided: c1 "The agent greets."',
    )
  })
})

test('an agent that gave no answer did not fail', () => {
  const silent = { outcome: 'error' as const, code: 'UNREACHABLE', message: 'turn 1: connection refused' }
  const about = (fault: ConversationRun['fault'] & object): string | undefined =>
    block(runOf({}, { endReason: 'agent_error', fault }), 'Conversation')[0]
  expect(about(silent)).toMatch(/^ended after 1 of 1 turns: no answer came/)
  const failed = { ...silent, outcome: 'failed' as const, finding: 'reply/task-failed' }
  expect(about(failed)).toMatch(/^ended after 1 of 1 turns: the agent failed/)
})

describe('a long conversation with many criteria', () => {
  const entries = Array.from({ length: 40 }, (_, at): TranscriptEntry[] => [
    { turn: at + 1, from: 'user', text: `question ${at + 1}` },
    {
      turn: at + 1,
      from: 'agent',
      text: Array.from({ length: 10 }, (__, line) => `${at + 1}.${line}`).join('\n'),
    },
  ]).flat()
  const run: ConversationRun = completeRun({ entries })
  const criterion = (nth: number, verdict: 'met' | 'not_met'): CriterionResult => ({
    key: `c${nth}`,
    id: `c${nth}`,
    kind: 'must',
    text: `criterion ${nth}`,
    weight: 1,
    required: false,
    verdict,
    reason: 'Because.',
    evidence: verdict === 'met' ? [] : [{ turn: 3, quote: '3.1', verified: true }],
    votes: [verdict],
  })
  const judgement = (count: number, unmet: readonly number[]): Judgement => ({
    outcome: 'failed',
    score: 0,
    scoreMax: 0,
    threshold: 1,
    criteria: Array.from({ length: count }, (_, at) =>
      criterion(at + 1, unmet.includes(at + 1) ? 'not_met' : 'met'),
    ),
    votes: 1,
    raw: [],
    warnings: [],
  })

  test('is told in sixty lines, those above and below included', () => {
    const lines = runBlocks(run, judgement(40, [33])).flatMap((one) => [one.label, ...one.lines])
    expect(lines.length).toBeLessThanOrEqual(54)
    // The worst criterion, the turn that is quoted, and the last word.
    expect(lines).toContain('✗ c33  criterion 33   criterion/not-met')
    expect(lines).toContain('… 20 more criteria, in the file')
    expect(lines).toContain('   agent  3.0')
    expect(lines).toContain('   agent  40.0')
    expect(lines.some((line) => /^ {3}… \d+ messages left out$/.test(line))).toBe(true)
  })

  test('keeps to one line what was met, before anything is left out', () => {
    const [block] = runBlocks(run, judgement(20, [2]))
    expect(block?.lines).toHaveLength(22)
  })
})
