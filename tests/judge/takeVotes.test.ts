import { describe, expect, test } from 'vitest'
import { A2AModelError } from '../../src/core/errors.ts'
import { rotated } from '../../src/judge/countVotes.ts'
import type { CriterionVerdict } from '../../src/judge/types.ts'
import { answer, claim, judge, keysAsked, refund, type Reply } from './support.ts'

const said: Record<CriterionVerdict, object> = {
  met: claim('met', [1, 'refunded the second charge']),
  not_met: claim('not_met'),
  unknown: claim('unknown'),
}

/** One answer to a list of verdicts for c1, c2, … */
const vote = (...verdicts: CriterionVerdict[]): object =>
  answer(Object.fromEntries(verdicts.map((verdict, index) => [`c${index + 1}`, said[verdict]])) as never)

const [yes, no, unsure] = [vote('met'), vote('not_met'), vote('unknown')]
const lost = (): Error => new A2AModelError('MODEL_ANSWER', 'it said nothing of use.')
const once = 'The agent refunds.'
const twice = 'The agent refunds.\nThe agent thanks.'
const thrice = `${twice}\nThe agent smiles.`

describe('auto: one vote, and two more where it is close', () => {
  test.each<[string, string, Reply[], number, string]>([
    ['green', twice, [vote('met', 'met')], 1, 'passed'],
    ['clearly red', thrice, [vote('met', 'not_met', 'not_met')], 1, 'failed'],
    [
      'red by one criterion',
      twice,
      [vote('met', 'not_met'), vote('met', 'not_met'), vote('met', 'met')],
      3,
      'failed',
    ],
    [
      'red by one criterion, and wrongly so',
      twice,
      [vote('met', 'not_met'), vote('met', 'met'), vote('met', 'met')],
      3,
      'passed',
    ],
    ['an unknown', once, [unsure, unsure, unsure], 3, 'inconclusive'],
    ['an unknown that others can decide', once, [unsure, yes, yes], 3, 'passed'],
    ['no majority', once, [unsure, yes, no], 3, 'inconclusive'],
  ])('%s', async (_, criteria, replies, calls, outcome) => {
    const { judgement, requests, places } = await judge(refund, criteria, replies)
    expect([judgement.outcome, requests.length]).toEqual([outcome, calls])
    expect(judgement.votes).toBe(calls)
    expect(places.map(({ attempt }) => attempt)).toEqual([1, 4, 7].slice(0, calls))
  })

  test('a certain failure needs no more votes', async () => {
    const { judgement, requests } = await judge(
      refund,
      [once, { check: () => false, description: 'a' }],
      [answer({ c1: said.not_met as never })],
    )
    expect([judgement.outcome, requests.length]).toEqual(['failed', 1])
  })

  test('with a threshold a failure is close only if one criterion decides', async () => {
    const replies = [vote('met', 'not_met', 'not_met')]
    const far = await judge(refund, thrice, replies, { threshold: 1 })
    expect(far.requests).toHaveLength(1)
    const near = await judge(refund, thrice, [replies[0], replies[0], replies[0]] as Reply[], {
      threshold: 0.6,
    })
    expect(near.requests).toHaveLength(3)
    expect(near.judgement.outcome).toBe('failed')
  })

  test('a broken prohibition alone is close', async () => {
    const broken = answer({ c1: claim('not_met', [1, 'I have refunded']) })
    const { requests } = await judge(refund, [{ mustNot: 'The agent refunds.' }], [broken, broken, broken])
    expect(requests).toHaveLength(3)
  })

  test('a quote that stays unsupported is close: three votes, and one more call for each retry', async () => {
    const forged = answer({ c1: claim('met', [1, 'a new phone for you']) })
    const { judgement, requests, places } = await judge(refund, once, ({ messages }) =>
      messages.length > 1 ? forged : forged,
    )
    expect(requests).toHaveLength(6)
    expect(places.map(({ attempt }) => attempt).toSorted((a, b) => a - b)).toEqual([1, 3, 4, 6, 7, 9])
    expect(judgement).toMatchObject({ outcome: 'inconclusive', votes: 3 })
  })

  test('a quote that is fixed is not close', async () => {
    const forged = answer({ c1: claim('met', [1, 'a new phone for you']) })
    const { judgement, requests } = await judge(refund, once, [forged, yes])
    expect([judgement.outcome, requests.length]).toEqual(['passed', 2])
  })

  test('an invented quote is close, even if no quote is needed', async () => {
    const invented = answer({
      c1: said.met as never,
      c2: claim('not_met', [1, 'the manager refused it']),
      c3: said.not_met as never,
    })
    const { requests } = await judge(refund, thrice, [invented, invented, invented])
    expect(requests).toHaveLength(3)
  })

  test('an interrupted conversation gets one vote: there is no time for more', async () => {
    const { judgement, requests } = await judge(refund, once, [unsure], { partial: true })
    expect([judgement.outcome, requests.length]).toEqual(['inconclusive', 1])
  })

  test('reports how far the votes agree', async () => {
    const { judgement } = await judge(refund, twice, [
      vote('met', 'not_met'),
      vote('met', 'met'),
      vote('met', 'not_met'),
    ])
    expect(judgement.agreement).toEqual({ agreeing: 5, of: 6 })
    expect(judgement.criteria.map(({ votes }) => votes)).toEqual([
      ['met', 'met', 'met'],
      ['not_met', 'met', 'not_met'],
    ])
    expect(judgement.raw).toHaveLength(3)
    const single = await judge(refund, once, [yes])
    expect(single.judgement.agreement).toBeUndefined()
  })

  test('each vote has the criteria in another order, and its own marker', async () => {
    const { requests } = await judge(refund, thrice, () => vote('unknown', 'unknown', 'unknown'))
    expect(requests.map(keysAsked)).toEqual([
      ['c1', 'c2', 'c3'],
      ['c2', 'c3', 'c1'],
      ['c3', 'c1', 'c2'],
    ])
    expect(
      requests.map(({ messages }) =>
        messages[0]?.content
          .split('\n')
          .slice(1, 4)
          .map((line) => line.slice(0, 2)),
      ),
    ).toEqual(requests.map(keysAsked))
    expect(new Set(requests.map(({ nonce }) => nonce)).size).toBe(3)
  })

  test.each([1, 2, 3, 4, 7])('no criterion is lost, of %i', (count) => {
    const all = Array.from({ length: count }, (_, index) => index)
    for (const nth of [1, 2, 3, 4, 5]) expect(rotated(all, nth).toSorted((a, b) => a - b)).toEqual(all)
    if (count > 1) expect(rotated(all, 2)).not.toEqual(all)
  })
})

describe('K08: a fixed number of votes', () => {
  test.each<[string, 1 | 3 | 5, Reply[], number, string, CriterionVerdict[]]>([
    ['1 of 1', 1, [no], 1, 'failed', ['not_met']],
    ['2 of 3 for it', 3, [no, yes, yes], 3, 'passed', ['not_met', 'met', 'met']],
    ['2 of 3 against it', 3, [no, yes, no], 3, 'failed', ['not_met', 'met', 'not_met']],
    ['decided after two', 3, [yes, yes], 2, 'passed', ['met', 'met']],
    ['decided after three', 5, [no, no, no], 3, 'failed', ['not_met', 'not_met', 'not_met']],
    ['decided after four', 5, [no, yes, no, no], 4, 'failed', ['not_met', 'met', 'not_met', 'not_met']],
    ['3 of 5', 5, [no, yes, no, yes, yes], 5, 'passed', ['not_met', 'met', 'not_met', 'met', 'met']],
    ['no majority', 3, [no, yes, unsure], 3, 'inconclusive', ['not_met', 'met', 'unknown']],
    [
      'none that can still come',
      5,
      [no, yes, unsure, yes, no],
      5,
      'inconclusive',
      ['not_met', 'met', 'unknown', 'met', 'not_met'],
    ],
  ])('%s', async (_, votes, replies, calls, outcome, given) => {
    const { judgement, requests } = await judge(refund, once, replies, { judge: { votes } })
    expect([judgement.outcome, requests.length]).toEqual([outcome, calls])
    expect(judgement.criteria[0]?.votes).toEqual(given)
  })

  test('continues while one criterion is open', async () => {
    const { judgement, requests } = await judge(
      refund,
      twice,
      [vote('met', 'met'), vote('met', 'not_met'), vote('not_met', 'not_met')],
      { judge: { votes: 3 } },
    )
    expect(requests).toHaveLength(3)
    expect(judgement.criteria.map(({ verdict }) => verdict)).toEqual(['met', 'not_met'])
    expect(judgement.agreement).toEqual({ agreeing: 4, of: 6 })
  })

  test('returns the reason of the majority, and says if there is no majority', async () => {
    const split = await judge(refund, once, [no, yes, unsure], { judge: { votes: 3 } })
    expect(split.judgement.criteria[0]).toMatchObject({
      verdict: 'unknown',
      reason: 'the votes disagree: not_met, met, unknown',
      evidence: [],
    })
    const most = await judge(refund, once, [no, yes, yes], { judge: { votes: 3 } })
    expect(most.judgement.criteria[0]).toMatchObject({ reason: 'It is met.', evidence: [{ verified: true }] })
  })
})

describe('a vote without a verdict', () => {
  test('is not counted against the agent', async () => {
    const { judgement, requests } = await judge(refund, once, [yes, lost, yes], { judge: { votes: 3 } })
    expect([judgement.outcome, judgement.votes, requests.length]).toEqual(['passed', 2, 3])
    expect(judgement.criteria[0]?.votes).toEqual(['met', 'met'])
    expect(judgement.warnings).toEqual(['vote 2 of the judge gave no verdict: it said nothing of use.'])
  })

  test('leaves no majority if the others disagree', async () => {
    const { judgement } = await judge(refund, once, [yes, lost, no], { judge: { votes: 3 } })
    expect(judgement.outcome).toBe('inconclusive')
  })

  test('is an error if less than a majority gave a verdict', async () => {
    const fixed = judge(refund, once, [yes, lost, lost], { judge: { votes: 3 } })
    await expect(fixed).rejects.toMatchObject({
      name: 'A2AModelError',
      code: 'MODEL_ANSWER',
      message: 'only 1 of 3 votes of the judge gave a verdict: it said nothing of use.',
    })
    const close = judge(refund, once, [unsure, lost, lost])
    await expect(close).rejects.toThrow('only 1 of 3 votes of the judge gave a verdict')
  })

  test('stops after two of three votes are lost', async () => {
    const asked: number[] = []
    const failing = judge(
      refund,
      once,
      () => {
        asked.push(1)
        throw lost()
      },
      { judge: { votes: 3 } },
    )
    await expect(failing).rejects.toThrow('only 0 of 3 votes')
    expect(asked).toHaveLength(2)
  })

  test.each(['BUDGET', 'NO_MODEL', 'CASSETTE_MISS', 'MODEL_UNAVAILABLE'] as const)(
    'for a permanent reason (%s) is an error at once',
    async (code) => {
      const error = new A2AModelError(code, 'no more.')
      await expect(judge(refund, once, [yes, error, yes], { judge: { votes: 3 } })).rejects.toBe(error)
    },
  )

  test('that may succeed later is a lost vote', async () => {
    const busy = new A2AModelError('MODEL_UNAVAILABLE', 'it is busy.', { transient: true })
    const { judgement } = await judge(refund, once, [yes, busy, yes], { judge: { votes: 3 } })
    expect(judgement.outcome).toBe('passed')
  })
})
