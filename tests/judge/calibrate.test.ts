import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { calibrateJudge, type CalibrationOptions } from '../../src/judge/calibrate.ts'
import { agreementOf, confusionOf, kappaOf, verdicts } from '../../src/judge/kappa.ts'
import type { LabelledConversation } from '../../src/judge/labels.ts'
import type { CriterionVerdict } from '../../src/judge/types.ts'
import { A2AModelError } from '../../src/core/errors.ts'
import { loadTape } from '../../src/model/cassette/file.ts'
import type { ModelRequest } from '../../src/model/types.ts'
import { temporaryFolder } from '../support/temporaryFolder.ts'
import { answer, claim, keysAsked, refund, conversationOf } from './support.ts'

const labelled = (
  labels: LabelledConversation['labels'],
  more: Partial<LabelledConversation> = {},
): LabelledConversation => ({
  conversation: { entries: refund },
  criteria: ['The agent refunds.', { id: 'thanks', must: 'The agent thanks.' }],
  labels,
  ...more,
})

/** A judge that finds c1 met and everything else not met. */
const half = (request: ModelRequest): string =>
  JSON.stringify(
    answer(
      Object.fromEntries(
        keysAsked(request).map((key) => [
          key,
          key === 'c1'
            ? claim('met', [1, 'refunded the second charge'])
            : claim('not_met', [2, 'within five']),
        ]),
      ),
    ),
  )
const judge = { model: half, votes: 1 } as const

afterEach(() => vi.unstubAllEnvs())

describe('kappa', () => {
  const table = (rows: number[][]) =>
    confusionOf(
      rows.flatMap((row, at) =>
        row.flatMap((count, by) =>
          Array.from(
            { length: count },
            () => [verdicts[at], verdicts[by]] as [CriterionVerdict, CriterionVerdict],
          ),
        ),
      ),
    )

  test.each<[string, number[][], number | undefined, number | undefined]>([
    // The classic example: 20 + 15 of 50 agree; by chance it would be 25.
    [
      'of the textbook example',
      [
        [20, 5, 0],
        [10, 15, 0],
        [0, 0, 0],
      ],
      0.7,
      0.4,
    ],
    [
      'of full agreement',
      [
        [3, 0, 0],
        [0, 2, 0],
        [0, 0, 1],
      ],
      1,
      1,
    ],
    [
      'of chance',
      [
        [1, 1, 0],
        [1, 1, 0],
        [0, 0, 0],
      ],
      0.5,
      0,
    ],
    [
      'below chance',
      [
        [0, 1, 0],
        [1, 0, 0],
        [0, 0, 0],
      ],
      0,
      -1,
    ],
    [
      'of a single verdict is undefined',
      [
        [5, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
      ],
      1,
      undefined,
    ],
    [
      'of no pairs is undefined',
      [
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
      ],
      undefined,
      undefined,
    ],
  ])('%s', (_, rows, agreement, kappa) => {
    const confusion = table(rows)
    if (agreement === undefined) expect(agreementOf(confusion)).toBeUndefined()
    else expect(agreementOf(confusion)).toBeCloseTo(agreement, 10)
    if (kappa === undefined) expect(kappaOf(confusion)).toBeUndefined()
    else expect(kappaOf(confusion)).toBeCloseTo(kappa, 10)
  })

  test('is never above the agreement, and the same in both directions', () => {
    const pair = fc.tuple(fc.constantFrom(...verdicts), fc.constantFrom(...verdicts))
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1 }), (pairs) => {
        const kappa = kappaOf(confusionOf(pairs))
        const turned = kappaOf(confusionOf(pairs.map(([a, b]) => [b, a] as const)))
        if (kappa === undefined) {
          expect(turned).toBeUndefined()
          return
        }
        expect(kappa).toBeCloseTo(turned ?? Number.NaN, 10)
        expect(kappa).toBeLessThanOrEqual((agreementOf(confusionOf(pairs)) ?? 0) + 1e-12)
      }),
    )
  })
})

describe('a judge is compared with people', () => {
  test('criterion by criterion, conversation by conversation, group by group', async () => {
    const result = await calibrateJudge(
      [
        labelled(['met', 'not_met'], { group: 'refunds' }),
        labelled({ c1: 'met', thanks: 'met' }, { name: 'polite', group: 'manners' }),
        labelled(['unknown', 'not_met']),
      ],
      { judge },
    )
    expect(result).toMatchObject({
      model: 'half',
      promptVersion: 'judge/1',
      n: 6,
      agreement: 4 / 6,
      confusion: {
        met: { met: 2, not_met: 1, unknown: 0 },
        not_met: { met: 0, not_met: 2, unknown: 0 },
        unknown: { met: 1, not_met: 0, unknown: 0 },
      },
      failed: [],
      replay: { live: 3, judge: 0 },
    })
    // Chance: 1/2 of 1/2 met, 1/3 of 1/2 not.
    expect(result.kappa).toBeCloseTo((4 / 6 - 5 / 12) / (7 / 12), 10)
    expect(Object.keys(result.groups)).toEqual(['refunds', 'manners'])
    expect(result.groups).toMatchObject({
      refunds: { n: 2, agreement: 1, kappa: 1 },
      manners: { n: 2, agreement: 0.5 },
    })
    expect(result.disagreements).toEqual([
      {
        conversation: 'polite',
        group: 'manners',
        criterion: 'thanks',
        text: 'The agent thanks.',
        label: 'met',
        verdict: 'not_met',
        reason: 'It is not_met.',
        evidence: [{ turn: 2, quote: 'within five', verified: true }],
      },
      expect.objectContaining({
        conversation: 'conversation 3',
        criterion: 'c1',
        label: 'unknown',
        verdict: 'met',
      }),
    ])
  })

  test('in the given order, with at most `concurrency` at a time', async () => {
    let [now, most] = [0, 0]
    const model = async (request: ModelRequest): Promise<string> => {
      most = Math.max(most, ++now)
      for (let turn = 0; turn < 5; turn++) await Promise.resolve()
      now--
      return half(request)
    }
    const conversations = Array.from({ length: 9 }, (_, index) =>
      labelled(['met', 'met'], { name: `n${index}` }),
    )
    const result = await calibrateJudge(conversations, { judge: { model, votes: 1 }, concurrency: 3 })
    expect(most).toBe(3)
    expect(result.disagreements.map(({ conversation }) => conversation)).toEqual(
      conversations.map(({ name }) => name),
    )
  })

  test('each conversation is a separate trial in the cassette', async () => {
    const folder = temporaryFolder()
    await calibrateJudge([labelled(['met', 'met']), labelled(['met', 'met']), labelled(['met', 'met'])], {
      judge,
      cassette: { mode: 'record', folder },
    })
    const tape = await loadTape(join(folder, readdirSync(folder)[0] ?? ''))
    expect(tape?.recordings.map(({ role, place }) => [role, place.trial])).toEqual([
      ['judge', 1],
      ['judge', 2],
      ['judge', 3],
    ])
  })

  test('a saved run is a conversation, and its facts are not shown to the judge', async () => {
    const asked: string[] = []
    const model = (request: ModelRequest): string => {
      asked.push(request.messages[0]?.content ?? '')
      return half(request)
    }
    const run = {
      ...conversationOf(refund, { facts: ['booking: AB12CD'], endReason: 'gave_up' }),
      isA2AConversation: true,
    }
    await calibrateJudge([labelled(['met', 'met'], { conversation: run })], { judge: { model, votes: 1 } })
    expect(asked[0]).toContain('the user gave up')
    expect(asked[0]).not.toContain('AB12CD')
  })

  test('conversations without a usable answer are not counted', async () => {
    const model = (request: ModelRequest): string =>
      request.messages[0]?.content.includes('Second') ? 'I would rather not.' : half(request)
    const result = await calibrateJudge(
      [
        labelled(['met', 'not_met']),
        labelled(['met'], { name: 'odd', group: 'odd ones', criteria: 'Second.' }),
      ],
      { judge: { model, votes: 1 } },
    )
    expect(result).toMatchObject({ n: 2, agreement: 1 })
    expect(result.groups['odd ones']).toEqual({ n: 0, confusion: confusionOf([]) })
    expect(result.failed).toEqual([
      { conversation: 'odd', message: 'the judge gave no usable verdict: no JSON object in the answer.' },
    ])
  })

  test('a missing model is an error, thrown when all running calls have ended', async () => {
    const gone = new A2AModelError('BUDGET', 'the budget is spent.')
    let asked = 0
    const model = (): string => {
      asked++
      throw gone
    }
    const conversations = Array.from({ length: 9 }, () => labelled(['met', 'met']))
    await expect(calibrateJudge(conversations, { judge: { model }, concurrency: 2 })).rejects.toMatchObject({
      code: 'BUDGET',
    })
    expect(asked).toBe(2)
  })
})

describe('rejects invalid input', () => {
  const check = { check: () => true, description: 'a' }

  test.each<[string, unknown, CalibrationOptions | undefined, string]>([
    [
      'no conversations',
      [],
      undefined,
      'calibrateJudge(): `labelled` must be a non-empty array of labelled conversations; received [].',
    ],
    [
      'not a list',
      'conversations',
      undefined,
      'calibrateJudge(): `labelled` must be a non-empty array of labelled conversations; received "conversations".',
    ],
    [
      'a conversation that is a number',
      [3],
      undefined,
      'the labelled conversation "conversation 1" cannot be read: expected object, received number.',
    ],
    [
      'missing entries',
      [labelled([], { conversation: {} as never })],
      undefined,
      'the labelled conversation "conversation 1" cannot be read: conversation.entries: missing, expected array.',
    ],
    [
      'no entries',
      [labelled([], { name: 'x', conversation: { entries: [] } })],
      undefined,
      'the labelled conversation "x" cannot be read: conversation.entries: must not be empty.',
    ],
    [
      'other entries',
      [labelled([], { conversation: { entries: [{ turn: 1, from: 'bot', text: 'hi' }] } as never })],
      undefined,
      'the labelled conversation "conversation 1" cannot be read: conversation.entries[0].from: expected "user" or "agent", received "bot".',
    ],
    [
      'a criterion for code',
      [labelled(['met'], { criteria: [check] })],
      undefined,
      'the criterion "c1" of "conversation 1" is decided by code, so a judge cannot be right or wrong about it.',
    ],
    [
      'a wrong criterion',
      [labelled(['met'], { name: 'x', criteria: [{ musst: 'a' } as never] })],
      undefined,
      'criterion 1 of "x" of calibrateJudge() has no key "musst". Did you mean "must"?',
    ],
    [
      'no labels',
      [labelled(undefined as never)],
      undefined,
      'the labelled conversation "conversation 1" cannot be read: labels: missing, expected array or object.',
    ],
    [
      'a label missing',
      [labelled(['met'])],
      undefined,
      '"conversation 1" has no label for the criterion "thanks".',
    ],
    [
      'a label too many',
      [labelled(['met', 'met', 'met'])],
      undefined,
      '"conversation 1" has a label for the criterion "number 3", but no such criterion.',
    ],
    [
      'a label for another',
      [labelled({ c1: 'met', thank: 'met' })],
      undefined,
      '"conversation 1" has a label for the criterion "thank", but no such criterion. Did you mean "thanks"?',
    ],
    [
      'another label',
      [labelled(['met', 'pass' as never])],
      undefined,
      'the labelled conversation "conversation 1" cannot be read: labels[1]: expected "met", "not_met" or "unknown", received "pass".',
    ],
    [
      'another label by id',
      [labelled({ c1: 'met', thanks: 'pass' as never })],
      undefined,
      'the labelled conversation "conversation 1" cannot be read: labels.thanks: expected "met", "not_met" or "unknown", received "pass".',
    ],
    [
      'another option',
      [labelled(['met', 'met'])],
      { votes: 3 } as never,
      'calibrateJudge(): there is no option `votes`.',
    ],
  ])('%s', async (_, conversations, options, message) => {
    const given = conversations as LabelledConversation[]
    await expect(calibrateJudge(given, options ?? { judge })).rejects.toMatchObject({
      name: 'A2AUsageError',
      code: 'BAD_OPTIONS',
      message,
    })
  })

  test('throws without a model', async () => {
    vi.stubEnv('A2A_JUDGE_MODEL', '')
    await expect(calibrateJudge([labelled(['met', 'met'])])).rejects.toMatchObject({
      name: 'A2AModelError',
      code: 'NO_MODEL',
      message: 'calibrateJudge() has no judge to calibrate: no model is configured.',
      fix: 'Pass `judge: { model }`, set A2A_JUDGE_MODEL, or call configureA2A({ model }).',
    })
  })
})
