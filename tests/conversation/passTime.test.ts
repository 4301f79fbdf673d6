import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startAgentFrom } from '../../examples/agents/agentFrom.ts'
import { chanceOfPassing } from '../../src/conversation/retries.ts'
import type { PassConversationOptions } from '../../src/conversation/types.ts'
import { A2AConnectionError } from '../../src/errors.ts'
import { configureA2A } from '../../src/model/configuration.ts'
import { resetConfiguration } from '../support/configuration.ts'
import { manualClock } from '../support/manualClock.ts'
import { desk, pass, quietDeps } from './talks.ts'

beforeEach(() => configureA2A({ folder: false }))
afterEach(resetConfiguration)

/** An agent that answers its first talk, and in the second one never. */
async function once() {
  const clock = manualClock()
  const deps = quietDeps({ clock })
  let tell: () => void = () => {}
  const asked = new Promise<void>((resolve) => (tell = resolve))
  let posts = 0
  const held = await desk(
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
  successCriteria: [{ check: () => true, says: 'is fine' }],
  trials: 3,
}

describe('time that is up in the second of three talks', () => {
  test('loses nothing of the first', async () => {
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
      fault: { code: 'DEADLINE', message: expect.stringContaining('the answer of the agent in turn 1') },
      run: { entries: [{ text: 'Hello' }, { error: { code: 'DEADLINE' } }] },
    })
    expect(result.statistics).toMatchObject({ n: 1, passed: 1, planned: 3 })
    expect(clock.pending).toBe(0)
  })

  test('for the runner: all of it is given back at once', async () => {
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

describe('time that is up in the midst of a talk', () => {
  const greets = { check: () => true, says: 'greets' }
  const ends = { check: () => false, says: 'ends it' }
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

  test('leaves to code what it was until then', async () => {
    const { outcome, shown, warnings } = await withTime([greets, ends])

    expect(outcome).toBe('inconclusive')
    expect(shown.fault).toBeUndefined()
    expect(shown.judgement).toMatchObject({ score: 0.5, scoreMax: 1 })
    expect(warnings).toEqual([
      expect.stringMatching(/^time was up after \d+ ms of waiting for the answer of the agent in turn 2/),
    ])
  })

  test('and what was met by then stays met', async () => {
    expect((await withTime([greets])).outcome).toBe('passed')
  })
})

test.each([
  [0.6, 1, 1, 0.6],
  [0.6, 3, 1, 0.216],
  [0.5, 3, 0.6, 0.5],
  [1, 5, 0.8, 1],
  [0, 5, 0.2, 0],
])('a talk that passes with %d: %d trials at a rate of %d pass with %d', (talk, trials, rate, chance) => {
  expect(chanceOfPassing(talk, trials, rate)).toBeCloseTo(chance, 9)
})
