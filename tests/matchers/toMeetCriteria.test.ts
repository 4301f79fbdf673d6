import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import { scriptedModel } from '../../src/model/scripted.ts'
import { failureOf, misuse } from './support.ts'
import { brokenRun, heldRun } from './runs.ts'
import { judging } from './scriptedModels.ts'

const run = heldRun()
const met = { verdict: 'met', quote: 'has been refunded', turn: 2 } as const
const judge = {
  model: judging({ c1: met, c2: { verdict: 'not_met', reason: 'No day is named.' } }),
  votes: 1,
} as const

describe('passes', () => {
  test('when the judge finds the words', async () => {
    await expect(run).toMeetCriteria('The agent confirms the refund', { judge })
  })

  test('when code says so, without a model', async () => {
    await expect(run).toMeetCriteria([
      { check: (conversation) => conversation.turns === 2, description: 'takes two turns' },
    ])
  })

  test('at a threshold', async () => {
    await expect(run).toMeetCriteria('- confirms the refund\n- gives a timeline', { judge, threshold: 0.5 })
  })

  test('under .not when a criterion is not met', async () => {
    await expect(run).not.toMeetCriteria(['confirms the refund', 'gives a timeline'], { judge })
  })
})

test('fails with each criterion and its evidence', async () => {
  const message = await failureOf(() =>
    expect(run).toMeetCriteria(['confirms the refund', 'gives a timeline'], { judge }),
  )
  expect(message).toContain(
    `[failed] expect(run).toMeetCriteria(["confirms the refund", "gives a timeline"], `,
  )
  expect(message).toContain(`
Expected: a conversation that meets its 2 criteria
Received: score 0.5, 1 required; not met: c2 "gives a timeline", after 2 turns

Criteria   score 0.5; 1 required
  ✓ c1  confirms the refund
      turn 2: "has been refunded"
  ✗ c2  gives a timeline   criterion/not-met
      No day is named.
      no supporting quote in the transcript

Conversation
  ended after 2 of 2 turns: the script ended · <n> ms · judge scripted, 1 vote
`)
})

test('under .not fails when all are met', async () => {
  const message = await failureOf(() => expect(run).not.toMeetCriteria(['confirms the refund'], { judge }))
  expect(message).toContain(
    'Expected: not a conversation that meets its criterion\nReceived: score 1, after 2 turns',
  )
})

describe('throws, negated or not', () => {
  test.each([false, true])('without a judge (.not: %s)', async (not) => {
    const message = await failureOf(() =>
      (not ? expect(run).not : expect(run)).toMeetCriteria(['confirms the refund']),
    )
    expect(message).toMatch(/^\[error\] expect\(run\)/)
    expect(message).toContain('A2A_JUDGE_MODEL')
  })

  test.each([false, true])('where the judge fails, with what code decided (.not: %s)', async (not) => {
    const model = scriptedModel(() => {
      throw new Error('the model fell over')
    })
    const message = await failureOf(() =>
      (not ? expect(run).not : expect(run)).toMeetCriteria(
        ['confirms the refund', { check: () => true, description: 'is held' }],
        { judge: { model } },
      ),
    )
    expect(message).toMatch(/^\[error\] expect\(run\)/)
    expect(message).toContain('the model fell over')
    expect(message).toContain('✓ c2  is held (code)')
  })

  test('if the judge writes no verdict, with its output', async () => {
    const model = scriptedModel(() => 'I rather liked the conversation.')
    const message = await failureOf(() => expect(run).not.toMeetCriteria('confirms', { judge: { model } }))
    expect(message).toMatch(/^\[error\] expect\(run\)/)
    expect(message).toContain('judge')
    expect(message).toContain('\nThe model wrote\n  I rather liked the conversation.')
  })

  test.each([
    ['error', false],
    ['error', true],
    ['invalid', true],
  ] as const)('for a conversation with a fault: %s (.not: %s)', async (outcome, not) => {
    const broken = brokenRun(outcome)
    const message = await failureOf(() =>
      (not ? expect(broken).not : expect(broken)).toMeetCriteria([{ check: () => false, description: 'no' }]),
    )
    expect(message).toContain(`[${outcome}] expect(run)`)
    expect(message).toContain('connection refused')
  })
})

test.each([
  [
    'an agent',
    'http://127.0.0.1:1',
    ['x'],
    'toMeetCriteria checks what converse() returned, but received an agent.',
  ],
  [
    'no criteria',
    run,
    [],
    'toMeetCriteria(): `criteria` must be a non-empty string or an array, each element any value; received undefined.',
  ],
  [
    'an unknown option',
    run,
    ['x', { judges: {} }],
    'toMeetCriteria(): there is no option `judges`. Did you mean `judge`?',
  ],
  ['an empty list', run, [[]], 'criteria'],
])('misuse: %s', async (_, given, args, text) => {
  const message = await failureOf(() => misuse(expect(given).not, 'toMeetCriteria')(...args))
  expect(message).toMatch(/^\[error\] expect\(run\)/)
  expect(message).toContain(text)
})

test('reply matchers check the last answer of a conversation', () => {
  expect(run).toBeInTaskState('completed')
  expect(run).toHaveReplyText('has been refunded')
  expect(run).toHaveReplyData({ refunded: true })
  expect(run).toHaveArtifact('refund', 'refunded')
  expect(run).not.toBeInTaskState('input-required')
})

test('toHaveArtifact checks only the last answer', () => {
  const [first, ...rest] = run.entries.filter(({ from }) => from === 'agent')
  const artifacts = [{ artifactId: 'early', name: 'early', text: 'a draft' }]
  const entries = [{ ...first!, artifacts }, ...rest]
  expect(heldRun({ entries })).not.toHaveArtifact('early')
  expect(heldRun({ entries: [...rest, { ...first!, artifacts }] })).toHaveArtifact('early')
})

test('reply matchers report a missing answer', async () => {
  const silent = heldRun({ entries: [], turns: 0 })
  expect(await failureOf(() => expect(silent).not.toBeInTaskState('completed'))).toContain(
    'toBeInTaskState looks at the last answer of a conversation, but the agent never answered: nothing was said.',
  )
})
