import { describe, expect, test } from 'vitest'
import type { ConversationRun, TranscriptEntry } from '../../src/conversation/types.ts'
import { asRun } from '../../src/conversation/files.ts'
import { judged } from '../../src/checks/conversation/judged.ts'
import { parseCriteria } from '../../src/judge/criteria.ts'
import { unjudged } from '../../src/judge/judge.ts'
import { transcriptOf } from '../../src/conversation/transcript.ts'
import { runBlocks } from '../../src/report/conversation.ts'

function runOf(answer: Partial<TranscriptEntry>, more: Partial<ConversationRun> = {}): ConversationRun {
  const entries = [
    { turn: 1, from: 'user', text: 'Hi' },
    { turn: 1, from: 'agent', text: '', ...answer },
  ]
  return { ...asRun({ entries }, 'the talk'), ...more }
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

  test('and a name of several lines is no line of ours', () => {
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
    expect(judged({ run, fault, outcome: 'error', judgement: await judgement })).toBe(
      'the judge refused it; until then score 0, 1 is needed; undecided: c1 "The agent greets."',
    )
  })
})

test('an agent that gave no answer did not fail', () => {
  const silent = { outcome: 'error' as const, code: 'UNREACHABLE', message: 'turn 1: connection refused' }
  const about = (fault: ConversationRun['fault'] & object): string | undefined =>
    block(runOf({}, { endReason: 'agent_error', fault }), 'Talk')[0]
  expect(about(silent)).toMatch(/^ended after 1 of 1 turns: no answer came/)
  const failed = { ...silent, outcome: 'failed' as const, finding: 'reply/task-failed' }
  expect(about(failed)).toMatch(/^ended after 1 of 1 turns: the agent failed/)
})
