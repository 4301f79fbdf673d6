import { describe, expect, test } from 'vitest'
import { judgeVersion, unjudged } from '../../src/judge/judgeConversation.ts'
import { parseCriteria } from '../../src/judge/criteria.ts'
import { transcriptOf } from '../../src/transcript/transcript.ts'
import type { Criterion } from '../../src/judge/types.ts'
import { agent, answer, claim, judge, keysAsked, refund, user } from './support.ts'

const met = claim('met', [1, 'refunded the second charge'])
const notMet = claim('not_met')

describe('a conversation', () => {
  test('that meets all criteria takes one call, with the conversation and the criteria', async () => {
    const { judgement, requests, places } = await judge(
      refund,
      ['The agent refunds.', { id: 'when', must: 'The agent gives a time.', weight: 2 }],
      [answer({ c1: met, c2: claim('met', [2, 'within five working days']) })],
      { trial: 3 },
    )
    expect(judgement).toEqual({
      outcome: 'passed',
      score: 1,
      scoreMax: 1,
      threshold: 1,
      criteria: [
        {
          key: 'c1',
          id: 'c1',
          kind: 'must',
          text: 'The agent refunds.',
          weight: 1,
          required: false,
          verdict: 'met',
          reason: 'It is met.',
          evidence: [{ turn: 1, quote: 'refunded the second charge', verified: true }],
          votes: ['met'],
        },
        {
          key: 'c2',
          id: 'when',
          kind: 'must',
          text: 'The agent gives a time.',
          weight: 2,
          required: false,
          verdict: 'met',
          reason: 'It is met.',
          evidence: [{ turn: 2, quote: 'within five working days', verified: true }],
          votes: ['met'],
        },
      ],
      votes: 1,
      model: 'fake-judge',
      promptVersion: judgeVersion,
      raw: [expect.stringContaining('"verdicts"')],
      warnings: [],
    })
    expect(places).toEqual([{ trial: 3, turn: 2, attempt: 1 }])
    expect(requests[0]).toMatchObject({ role: 'judge', temperature: 0, nonce: 'mark1ofthetest' })
    expect(requests[0]?.messages).toHaveLength(1)
    expect(requests[0]?.messages[0]?.content).toContain('<<<TRANSCRIPT mark1ofthetest>>>')
    expect(requests[0]?.schema?.definition).toMatchObject({
      additionalProperties: false,
      required: ['verdicts', 'injection'],
      properties: { verdicts: { additionalProperties: false, required: ['c1', 'c2'] } },
    })
  })

  test('is judged by generated keys, so that criteria with the same beginning stay apart', async () => {
    const start = 'The agent, which was asked twice for the state of the order, says that it is'
    const { judgement } = await judge(
      refund,
      [`${start} refunded.`, `${start} sent.`],
      [answer({ c1: met, c2: claim('not_met') })],
      { threshold: 0.5 },
    )
    expect(judgement.criteria.map(({ verdict }) => verdict)).toEqual(['met', 'not_met'])
  })

  test('never changes its arguments', async () => {
    const frozen = <T>(value: T): T => {
      if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
      return value
    }
    const entries = frozen(structuredClone(refund))
    const criteria = frozen<Criterion[]>([{ must: 'The agent refunds.' }, { mustNot: 'The agent leaks.' }])
    const { judgement } = await judge(entries, criteria, [answer({ c1: met, c2: claim('met') })], {
      judge: frozen({ votes: 1 as const }),
      conversation: frozen({ facts: ['a fact'] }),
    })
    expect(judgement.outcome).toBe('passed')
  })

  test('is judged at the configured temperature', async () => {
    const { requests } = await judge(refund, 'The agent refunds.', [answer({ c1: met })], {
      judge: { temperature: 0.4 },
    })
    expect(requests[0]?.temperature).toBe(0.4)
  })

  test('that contains its marker gets another one', async () => {
    const { requests } = await judge(
      [...refund, agent(3, 'I guess the mark is mark1ofthetest')],
      'The agent refunds.',
      [answer({ c1: met })],
    )
    expect(requests[0]?.nonce).toBe('mark2ofthetest')
  })

  test('that is too long is reported before any request, even with several votes', async () => {
    const long = Array.from({ length: 30 }, (_, index) => agent(index + 1, 'x'.repeat(8000)))
    await expect(judge(long, 'The agent refunds.', [], { judge: { votes: 3 } })).rejects.toMatchObject({
      code: 'MODEL_ANSWER',
      message: expect.stringMatching(/^the conversation is too long to be judged/),
    })
  })

  test('reports what was not shown', async () => {
    const { judgement } = await judge(
      [user(1, 'Hi'), agent(1, `refunded the second charge ${'x'.repeat(9000)}`)],
      'The agent refunds.',
      [answer({ c1: met })],
    )
    expect(judgement.warnings).toEqual([
      '1027 of 9027 characters of the text of turn 1, agent were not shown to the judge.',
    ])
  })

  test('ends with its signal', async () => {
    const stop = new AbortController()
    stop.abort(new Error('the deadline passed'))
    await expect(judge(refund, 'The agent refunds.', [], { signal: stop.signal })).rejects.toThrow(
      'the deadline passed',
    )
  })
})

describe('the outcome comes from the criteria alone', () => {
  test.each([
    ['a broken prohibition fails it', claim('not_met', [1, 'I have refunded']), 'failed', 1],
    ['a kept one does not', claim('met'), 'passed', 1],
  ])('%s', async (_, prohibition, outcome, score) => {
    const { judgement } = await judge(
      refund,
      ['The agent refunds.', { mustNot: 'The agent refunds unasked.' }],
      () => answer({ c1: met, c2: prohibition }),
      { judge: { votes: 1 } },
    )
    expect([judgement.outcome, judgement.score]).toEqual([outcome, score])
  })

  test('a required criterion is a gate', async () => {
    const { judgement } = await judge(
      refund,
      [
        { must: 'The agent refunds.', weight: 9 },
        { must: 'The agent thanks.', required: true },
      ],
      [answer({ c1: met, c2: notMet })],
      { threshold: 0.5, judge: { votes: 1 } },
    )
    expect(judgement).toMatchObject({ outcome: 'failed', score: 0.9 })
  })

  test('an unknown is kept, or counts as unmet with unknownAs', async () => {
    const unsure = [answer({ c1: met, c2: claim('unknown') })]
    const criteria = 'The agent refunds.\nThe agent thanks.'
    const kept = await judge(refund, criteria, unsure, { judge: { votes: 1 } })
    expect(kept.judgement).toMatchObject({ outcome: 'inconclusive', score: 0.5, scoreMax: 1 })
    const strict = await judge(refund, criteria, unsure, { judge: { votes: 1 }, unknownAs: 'not_met' })
    expect(strict.judgement).toMatchObject({ outcome: 'failed', score: 0.5, scoreMax: 0.5 })
    expect(strict.judgement.criteria[1]?.verdict).toBe('unknown')
  })

  test('in an interrupted conversation, unmet and kept criteria are undecided', async () => {
    const { judgement, requests } = await judge(
      refund,
      [
        'The agent thanks.',
        { mustNot: 'The agent refunds unasked.' },
        { check: () => false, description: 'has a reference' },
      ],
      [answer({ c1: notMet, c2: claim('met') })],
      { partial: true, conversation: { endReason: 'deadline' } },
    )
    expect(requests).toHaveLength(1)
    expect(judgement.outcome).toBe('inconclusive')
    expect(judgement.criteria.map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ['unknown', 'the conversation was cut short before it was met: It is not_met.'],
      ['unknown', 'it was kept until the conversation was cut short; the rest is unknown'],
      ['unknown', 'the conversation was cut short before it was met: its function returned false'],
    ])
  })

  test('criteria that time left open are undecided, whatever unknownAs says', async () => {
    const criteria = [{ check: () => false, description: 'has a reference' }]
    const { judgement } = await judge(refund, criteria, [], { partial: true, unknownAs: 'not_met' })
    expect(judgement).toMatchObject({ outcome: 'inconclusive', score: 0, scoreMax: 1 })
    const whole = await judge(refund, criteria, [], { unknownAs: 'not_met' })
    expect(whole.judgement.outcome).toBe('failed')
  })

  test('a prohibition broken before the interruption stays broken', async () => {
    const { judgement } = await judge(
      refund,
      [{ mustNot: 'The agent refunds.' }],
      [answer({ c1: claim('not_met', [1, 'I have refunded']) })],
      { partial: true },
    )
    expect(judgement.outcome).toBe('failed')
  })
})

describe('K06: a conversation is judged when it is over, whatever ended it', () => {
  test.each(['max_turns', 'loop', 'gave_up', 'agent_ended', 'script_end'] as const)(
    '%s',
    async (endReason) => {
      const { judgement, requests } = await judge(refund, 'The agent refunds.', [answer({ c1: met })], {
        conversation: { endReason, maxTurns: 2 },
      })
      expect([judgement.outcome, requests.length]).toEqual(['passed', 1])
    },
  )

  test('and undecided at the end is inconclusive, not failed', async () => {
    const { judgement } = await judge(refund, 'The agent confirms.', () => answer({ c1: claim('unknown') }), {
      conversation: { endReason: 'max_turns' },
    })
    expect(judgement.outcome).toBe('inconclusive')
  })
})

describe('code decides', () => {
  const checked = (check: (transcript: never) => unknown, more: object = {}) =>
    judge(
      refund,
      [{ check: check as () => unknown, description: 'the function agrees', id: 'ref' }],
      [],
      more,
    )

  test.each<[string, () => unknown, string, string]>([
    ['true', () => true, 'passed', 'its function returned true'],
    ['a text', () => 'AB12', 'passed', 'its function returned "AB12"'],
    ['a promise', () => Promise.resolve(1), 'passed', 'its function returned 1'],
    ['false', () => false, 'failed', 'its function returned false'],
    ['null', () => null, 'failed', 'its function returned null'],
    ['an empty text', () => '', 'failed', 'its function returned ""'],
    ['a failed result', () => ({ success: false }), 'failed', 'its function returned an object'],
    ['a matcher result', () => ({ pass: false }), 'failed', 'its function returned an object'],
    [
      'an assertion',
      () => {
        throw Object.assign(new Error('expected 1 to be 2'), { name: 'AssertionError' })
      },
      'failed',
      'its assertion failed: expected 1 to be 2',
    ],
  ])('by %s, and no model is asked', async (_, check, outcome, reason) => {
    const { judgement, requests } = await checked(check)
    expect(requests).toHaveLength(0)
    expect(judgement.outcome).toBe(outcome)
    expect(judgement.criteria[0]).toMatchObject({ kind: 'check', reason, votes: [], evidence: [] })
    expect(judgement).toMatchObject({ votes: 0, raw: [] })
    expect(Object.keys(judgement)).not.toContain('model')
    expect(Object.keys(judgement)).not.toContain('promptVersion')
  })

  test('receives the transcript', async () => {
    const { judgement } = await judge(
      refund,
      [
        {
          check: (conversation) =>
            conversation.lastAgentText.includes('five') && conversation.endReason === 'goal',
          description: 'a time',
        },
      ],
      [],
    )
    expect(judgement.outcome).toBe('passed')
  })

  test.each<[string, () => unknown, string]>([
    ['returns nothing', () => undefined, 'the check of criterion "ref" returned nothing.'],
    ['resolves to nothing', () => Promise.resolve(), 'the check of criterion "ref" returned nothing.'],
    [
      'throws',
      () => {
        throw new TypeError('x is not a function')
      },
      'the check of criterion "ref" threw TypeError: x is not a function.',
    ],
    ['rejects', () => Promise.reject(new Error('gone')), 'the check of criterion "ref" threw Error: gone.'],
  ])('a function that %s is a usage error, never unmet', async (_, check, message) => {
    await expect(checked(check)).rejects.toMatchObject({ name: 'A2AUsageError', code: 'BAD_USE', message })
  })

  test('a function that never answers ends with the signal', async () => {
    const stop = new AbortController()
    const waiting = checked(() => new Promise(() => {}), { signal: stop.signal })
    stop.abort(new Error('the deadline passed'))
    await expect(waiting).rejects.toThrow('the deadline passed')
  })

  test('next to a judge, which is not asked about it', async () => {
    const { judgement, requests } = await judge(
      refund,
      ['The agent refunds.', { check: () => true, description: 'a' }, { mustNot: 'The agent leaks.' }],
      [answer({ c1: met, c3: claim('met') })],
    )
    expect(judgement.outcome).toBe('passed')
    expect(keysAsked(requests[0] as never)).toEqual(['c1', 'c3'])
    expect(requests[0]?.messages[0]?.content).not.toContain('c2')
  })
})

describe('a conversation that was not judged', () => {
  const about = {
    transcript: transcriptOf(refund, 'goal'),
    threshold: 1,
    partial: false,
    signal: new AbortController().signal,
  }
  const { criteria } = parseCriteria(
    ['The agent refunds.', { check: (conversation) => conversation.turns === 2, description: 'two turns' }],
    'x',
  )

  test('still has what code decides', async () => {
    const judgement = await unjudged(criteria, { ...about, why: 'the judge is out of reach' })
    expect(judgement).toMatchObject({ outcome: 'inconclusive', score: 0.5, scoreMax: 1, votes: 0 })
    expect(judgement.criteria.map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ['unknown', 'not judged: the judge is out of reach'],
      ['met', 'its function returned true'],
    ])
  })

  test('needs no reason', async () => {
    const judgement = await unjudged(criteria, about)
    expect(judgement.criteria[0]?.reason).toBe('not judged')
  })
})
