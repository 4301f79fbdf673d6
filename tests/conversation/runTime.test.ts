import { describe, expect, test } from 'vitest'
import { startAgentFrom } from '../../examples/agents/agentFrom.ts'
import { createAgent } from '../../src/agent/handle.ts'
import type { RunTools } from '../../src/conversation/runConversation.ts'
import type { ConversationOptions } from '../../src/conversation/types.ts'
import type { ConversationRun } from '../../src/transcript/types.ts'
import { A2AConnectionError } from '../../src/core/errors.ts'
import type { ModelRequest } from '../../src/model/types.ts'
import { manualClock, type ManualClock } from '../support/manualClock.ts'
import { converseWith, fakeCalls, quietDeps } from './runs.ts'
import { scriptedModel } from '../../src/model/scripted.ts'

/** An agent that answers `now` at once, and anything else never; time stands still until a test moves it. */
async function silentAgent() {
  const clock = manualClock()
  let tell: () => void = () => {}
  const asked = new Promise<void>((resolve) => (tell = resolve))
  const demo = await startAgentFrom({
    respond: ({ text }) => (text === 'now' ? 'Yes?' : [{ state: 'working' as const, text: 'Wait' }]),
    fault: {
      reply: (own, { body }) => {
        if (!body.includes('"later"')) return own
        tell()
        return { fail: 'hang' }
      },
    },
  })
  const deps = quietDeps({ clock })
  const agent = createAgent(demo.url, {}, deps)
  return {
    clock,
    asked,
    agent,
    run: (options: ConversationOptions, tools: Partial<RunTools> = {}): Promise<ConversationRun> =>
      converseWith(agent, options, { deps, ...tools }),
    async [Symbol.asyncDispose]() {
      await agent.close()
      await demo.close()
    },
  }
}

/** Moves time on, and lets what is due be noticed. */
const pass = (clock: ManualClock, ms: number): Promise<void> => clock.advance(ms)

describe('the deadline', () => {
  test('during an answer: returns the conversation so far, and what was pending', async () => {
    await using silent = await silentAgent()
    const { clock } = silent
    const holding = silent.run({ script: ['now', 'later', 'now'] }, { deadline: clock.now() + 4500 })
    await silent.asked
    await pass(clock, 4500)

    const run = await holding

    const reason = 'the deadline passed after 4500 ms of waiting for an answer in turn 2'
    expect(run).toMatchObject({ endReason: 'deadline', turns: 2 })
    expect(run.fault).toBeUndefined()
    expect(run.entries.slice(1)).toMatchObject([
      { turn: 1, from: 'agent', text: 'Yes?' },
      { turn: 2, from: 'user', text: 'later' },
      { turn: 2, from: 'agent', text: '', error: { code: 'DEADLINE' }, ms: 4500 },
    ])
    expect(run.warnings).toEqual([
      `${reason}, so the conversation was cut short. Raise the test timeout, e.g. it(name, fn, 60_000), or deadlineMs if it is set.`,
    ])
  })

  test('before the agent said anything: an error', async () => {
    await using silent = await silentAgent()
    const holding = silent.run({ script: ['later'] }, { deadline: silent.clock.now() + 3000 })
    await silent.asked
    await pass(silent.clock, 3000)

    expect(await holding).toMatchObject({
      endReason: 'deadline',
      turns: 1,
      fault: {
        outcome: 'error',
        code: 'DEADLINE',
        message: 'the deadline passed after 3000 ms of waiting for an answer in turn 1',
        fix: 'Raise the test timeout, e.g. it(name, fn, 60_000), or deadlineMs if it is set.',
      },
    })
  })

  test('before the conversation began: nothing is sent', async () => {
    await using silent = await silentAgent()

    const run = await silent.run({ script: ['now'] }, { deadline: silent.clock.now() })

    expect(run).toMatchObject({ endReason: 'deadline', turns: 0, entries: [], fault: { outcome: 'error' } })
    expect(silent.agent.exchanges).toEqual([])
  })

  test('in a function of the test that never ends', async () => {
    await using silent = await silentAgent()
    let called: () => void = () => {}
    const calling = new Promise<void>((resolve) => (called = resolve))
    const onTurn = (): Promise<void> => {
      called()
      return new Promise(() => {})
    }
    const holding = silent.run({ script: ['now', 'now'], onTurn }, { deadline: silent.clock.now() + 800 })
    await calling
    await pass(silent.clock, 800)

    const run = await holding
    expect(run).toMatchObject({ endReason: 'deadline', turns: 1 })
    expect(run.entries).toHaveLength(2)
    expect(run.warnings[0]).toContain('the deadline passed after 800 ms of waiting for the function onTurn')
  })

  test('in a simulated message', async () => {
    await using silent = await silentAgent()
    let asked: (request: ModelRequest) => void = () => {}
    const asking = new Promise<ModelRequest>((resolve) => (asked = resolve))
    const never = scriptedModel((request) => {
      asked(request)
      return new Promise<string>(() => {})
    })
    const holding = silent.run(
      { goal: 'g', openingMessage: 'now' },
      { deadline: silent.clock.now() + 700, calls: fakeCalls({ simulator: never }) },
    )
    const { signal } = await asking
    await pass(silent.clock, 700)

    const run = await holding
    expect(run).toMatchObject({ endReason: 'deadline', turns: 1 })
    expect(run.warnings[0]).toContain("waiting for the user's message of turn 2")
    expect(signal.aborted).toBe(true)
  })
})

test('an answer that takes longer than turnTimeoutMs is inconclusive', async () => {
  await using silent = await silentAgent()
  const holding = silent.run({ script: ['now', 'later'], turnTimeoutMs: 1000 })
  await silent.asked
  await pass(silent.clock, 1200)

  const run = await holding
  expect(run).toMatchObject({
    endReason: 'agent_error',
    turns: 2,
    fault: {
      outcome: 'error',
      code: 'TIMEOUT',
      message: 'turn 2: the agent did not answer within 1000 ms, the option turnTimeoutMs',
      fix: 'Raise turnTimeoutMs if the agent may take longer.',
    },
  })
})

test('a runner that aborts ends the conversation at once', async () => {
  await using silent = await silentAgent()
  const runner = new AbortController()
  const holding = silent.run({ script: ['now', 'later'] }, { signal: runner.signal })
  await silent.asked
  runner.abort(new A2AConnectionError('ABORTED', 'the runner ended the test before the agent answered'))

  expect(await holding).toMatchObject({
    endReason: 'deadline',
    turns: 2,
    fault: {
      outcome: 'error',
      code: 'ABORTED',
      message: 'the test was aborted after 0 ms of waiting for an answer in turn 2',
    },
  })
})
