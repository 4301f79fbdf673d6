import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startAgentFrom } from '../../examples/agents/agentFrom.ts'
import { chanceOfPassing } from '../../src/conversation/statistics.ts'
import type { PassConversationOptions } from '../../src/conversation/types.ts'
import { A2AConnectionError, A2AModelError } from '../../src/core/errors.ts'
import { configureA2A } from '../../src/model/configuration.ts'
import { resetConfiguration } from '../support/configuration.ts'
import { manualClock } from '../support/manualClock.ts'
import { openTestAgent, pass, quietDeps } from './runs.ts'

beforeEach(() => configureA2A({ folder: false }))
afterEach(resetConfiguration)

/** An agent that answers its first conversation, and in the second one never. */
async function once() {
  const clock = manualClock()
  const deps = quietDeps({ clock })
  let tell: () => void = () => {}
  const asked = new Promise<void>((resolve) => (tell = resolve))
  let posts = 0
  const held = await openTestAgent(
    startAgentFrom({
      respond: ({ text }) => text,
      fault: {
        reply(own, { method }) {
          if (method !== 'POST' || ++posts === 1) return own
          tell()
          return { fail: 'hang' }
        },
      },
    }),
    {},
    deps,
  )
  return { ...held, clock, deps, asked }
}

const options: PassConversationOptions = {
  script: ['Hello'],
  successCriteria: [{ check: () => true, description: 'is fine' }],
  trials: 3,
}

describe('a deadline in the second of three conversations', () => {
  test('keeps the first', async () => {
    await using agent = await once()
    const { clock, deps } = agent
    const passing = pass(agent.agent, options, { deps, deadline: clock.now() + 5000 })
    await agent.asked
    await clock.advance(5000)

    const result = await passing

    expect(result.outcome).toBe('error')
    expect(result.trials.map(({ outcome }) => outcome)).toEqual(['passed', 'error'])
    expect(result.shown).toMatchObject({
      outcome: 'error',
      fault: { code: 'DEADLINE', message: expect.stringContaining('an answer in turn 1') },
      run: { entries: [{ text: 'Hello' }, { error: { code: 'DEADLINE' } }] },
    })
    expect(result.statistics).toMatchObject({ n: 1, passed: 1, planned: 3 })
    expect(clock.pending).toBe(0)
  })

  test('returns at once when the runner aborts', async () => {
    await using agent = await once()
    const runner = new AbortController()
    const passing = pass(agent.agent, options, { deps: agent.deps, signal: runner.signal })
    await agent.asked
    runner.abort(new A2AConnectionError('ABORTED', 'the runner ended the test'))

    const result = await passing

    expect(result.trials.map(({ outcome }) => outcome)).toEqual(['passed', 'error'])
    expect(result.shown.fault?.code).toBe('ABORTED')
  })
})

describe('a deadline during a conversation', () => {
  const greets = { check: () => true, description: 'greets' }
  const ends = { check: () => false, description: 'ends it' }
  const withTime = async (successCriteria: PassConversationOptions['successCriteria']) => {
    await using agent = await once()
    const { clock, deps } = agent
    const passing = pass(
      agent.agent,
      { script: ['Hello', 'Bye'], successCriteria, unknownAs: 'not_met' },
      { deps, deadline: clock.now() + 5000 },
    )
    await agent.asked
    await clock.advance(5000)
    return passing
  }

  test('lets code check the conversation so far', async () => {
    const { outcome, shown, warnings } = await withTime([greets, ends])

    expect(outcome).toBe('inconclusive')
    expect(shown.fault).toBeUndefined()
    expect(shown.judgement).toMatchObject({ score: 0.5, scoreMax: 1 })
    expect(warnings).toEqual([
      expect.stringMatching(/^the deadline passed after \d+ ms of waiting for an answer in turn 2/),
    ])
  })

  test('keeps met criteria, but an agent that owes an answer has not passed', async () => {
    const { outcome, shown } = await withTime([greets])
    expect(outcome).toBe('inconclusive')
    expect(shown.judgement).toMatchObject({ score: 1, criteria: [{ verdict: 'met' }] })
  })
})

describe('a deadline while the judge answers', () => {
  const judged = async (asked: (tell: () => void) => Promise<string>) => {
    const clock = manualClock()
    const time = new AbortController()
    const deps = quietDeps({ clock })
    await using echo = await openTestAgent(startAgentFrom({ respond: ({ text }) => text }), {}, deps)
    let tell: () => void = () => {}
    const judgeAsked = new Promise<void>((resolve) => (tell = resolve))
    const passing = pass(
      echo.agent,
      {
        script: ['Hello'],
        successCriteria: ['The agent greets.'],
        judge: {
          model: { id: 'slow-judge', scripted: true, generate: async () => ({ text: await asked(tell) }) },
        },
      },
      { deps, signal: time.signal },
    )
    await judgeAsked
    await clock.advance(3000)
    time.abort(new A2AConnectionError('DEADLINE', 'the deadline passed'))
    const { outcome, warnings } = await passing
    return { outcome, warnings }
  }

  test('reports a judge that did not answer', async () => {
    const never = (tell: () => void): Promise<string> => {
      tell()
      return new Promise(() => {})
    }
    expect(await judged(never)).toEqual({
      outcome: 'error',
      warnings: ['the judge gave no answer in 3000 ms: the model slow-judge did not answer.'],
    })
  })

  test('reports the last error of a retried judge', async () => {
    const busy = (tell: () => void): Promise<string> => {
      queueMicrotask(() => setImmediate(tell))
      const refusal = { status: 429, transient: true, retryAfterMs: 20_000 }
      return Promise.reject(new A2AModelError('MODEL_UNAVAILABLE', 'it answered 429: "slow down".', refusal))
    }
    expect(await judged(busy)).toEqual({
      outcome: 'error',
      warnings: [
        'the judge gave no answer in 3000 ms: the model slow-judge failed: it answered 429: "slow down".',
      ],
    })
  })
})

test.each([
  [0.6, 1, 1, 0.6],
  [0.6, 3, 1, 0.216],
  [0.5, 3, 0.6, 0.5],
  [1, 5, 0.8, 1],
  [0, 5, 0.2, 0],
])(
  'a conversation that passes with %d: %d trials at a rate of %d pass with %d',
  (conversation, trials, rate, chance) => {
    expect(chanceOfPassing(conversation, trials, rate)).toBeCloseTo(chance, 9)
  },
)
