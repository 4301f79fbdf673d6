import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import { a2aAgent, converse } from '../../src/index.ts'
import { startHelpdesk } from '../../src/testing/index.ts'
import type { PassConversationOptions } from '../../src/conversation/types.ts'
import { scriptedModel } from '../../src/model/scripted.ts'
import { echoAgent, failureOf, wireTask } from './support.ts'
import { judging, saying } from './scriptedModels.ts'
import { messagesOf } from './conversations.ts'

const confirmed = 'One of the two charges for order #4411 has been refunded.'
const scripted: Pick<PassConversationOptions, 'script'> = {
  script: ['I was charged twice', 'It is order #4411'],
}
const refunded = {
  check: (conversation: { agentText: string }) => /refunded/.test(conversation.agentText),
  description: 'refunds',
}
const timeline = {
  check: (conversation: { agentText: string }) => /days/.test(conversation.agentText),
  description: 'says when',
}

/** The refund of the founding test, in words, with models that answer from a list. */
function inWords(over: Partial<PassConversationOptions> = {}): PassConversationOptions {
  return {
    persona: 'A customer who was charged twice and writes short, polite messages.',
    goal: 'Get the duplicate charge for order #4411 refunded.',
    openingMessage: 'Hi, I was charged twice for order #4411. Can one of them be refunded?',
    successCriteria: ['The agent confirms the refund', 'The agent gives a timeline for the refund'],
    maxTurns: 4,
    simulator: { model: saying() },
    judge: {
      model: judging({
        c1: { verdict: 'met', quote: confirmed },
        c2: { verdict: 'met', quote: 'The money arrives within 5 to 7 business days.' },
      }),
    },
    ...over,
  }
}
const noTimeline = judging({
  c1: { verdict: 'met', quote: confirmed },
  c2: { verdict: 'not_met', reason: 'The agent names neither a day nor a duration.' },
})

describe('passes', () => {
  test('a scripted conversation that code decides, without any model', async () => {
    await using helpdesk = await startHelpdesk()
    await expect(helpdesk.url).toPassConversation({ ...scripted, successCriteria: [refunded, timeline] })
  })

  test('a simulated conversation that a judge decides', async () => {
    await using helpdesk = await startHelpdesk()
    await expect(helpdesk.url).toPassConversation(inWords())
  })

  test('a conversation that reaches its threshold', async () => {
    await using helpdesk = await startHelpdesk({ timeline: false })
    await expect(helpdesk.url).toPassConversation({
      ...scripted,
      successCriteria: [{ ...refunded, weight: 3 }, timeline],
      threshold: 0.75,
    })
  })

  test('trials, as many as are needed', async ({ task }) => {
    await using helpdesk = await startHelpdesk()
    await expect(helpdesk.url).toPassConversation({
      ...scripted,
      successCriteria: [refunded],
      trials: 3,
      passRate: 0.5,
    })
    expect(task.meta.a2a?.[0]).toMatchObject({
      matcher: 'toPassConversation',
      outcome: 'passed',
      conversation: {
        score: 1,
        criteria: [{ id: 'c1', kind: 'check', verdict: 'met' }],
        endReason: 'script_end',
        turns: 2,
        trials: { n: 2, passed: 2, planned: 3, needed: 2 },
      },
    })
  })

  test('under .not when the agent fails its criteria', async () => {
    await using helpdesk = await startHelpdesk({ timeline: false })
    await expect(helpdesk.url).not.toPassConversation({ ...scripted, successCriteria: [timeline] })
  })
})

describe('fails', () => {
  test('with each criterion, its evidence if any, and the conversation', async () => {
    await using helpdesk = await startHelpdesk({ timeline: false })
    const message = await failureOf(() =>
      expect(helpdesk.url).toPassConversation(
        inWords({ judge: { model: noTimeline, votes: 1 }, name: 'refund' }),
      ),
    )
    expect(message).toContain(
      '[failed] expect(agent).toPassConversation({ persona: …, goal: …, openingMessage: …, successCriteria: …, maxTurns: …, simulator: …, 2 more })\n',
    )
    expect(message).toContain(
      `
Agent:    Helpdesk (http://127.0.0.1:<port>)
Expected: a conversation that meets its 2 criteria
Received: score 0.5, 1 required; not met: c2 "The agent gives a timeline for the refund", after 1 turn

Criteria   score 0.5; 1 required
  ✓ c1  The agent confirms the refund
      turn 1: "One of the two charges for order #4411 has been refunded."
  ✗ c2  The agent gives a timeline for the refund   criterion/not-met
      The agent names neither a day nor a duration.
      no supporting quote in the transcript

Conversation
  ended after 1 of 4 turns: the user reached the goal · <n> ms · judge scripted, 1 vote · simulator scripted
`,
    )
    expect(message).toContain(
      'transcript: .a2a-conversations/refund.1.json   judge it again with judgeTranscript()',
    )
    expect(message).toContain(
      `
Transcript
   1 user   Hi, I was charged twice for order #4411. Can one of them be refunded?
     agent  One of the two charges for order #4411 has been refunded. (artifact "refund"; data {"order":"4411","refunded":true})`,
    )
    expect(message).not.toContain('Exchanges')
  })

  test('with the words of a breach', async () => {
    await using helpdesk = await startHelpdesk()
    const message = await failureOf(() =>
      expect(helpdesk.url).toPassConversation(
        inWords({
          successCriteria: [
            'The agent confirms the refund',
            { id: 'no-promise', mustNot: 'The agent promises a day' },
          ],
          judge: {
            model: judging({
              c1: { verdict: 'met', quote: confirmed },
              c2: { verdict: 'not_met', quote: 'arrives within 5 to 7 business days' },
            }),
            votes: 1,
          },
        }),
      ),
    )
    expect(message).toContain(
      'Received: score 1; broken: no-promise "The agent promises a day", after 1 turn\n',
    )
    expect(message).toContain(
      '  ✗ c2 no-promise  The agent promises a day (must not)   criterion/broken\n      So it says.\n      turn 1: "arrives within 5 to 7 business days"\n',
    )
  })

  test('with the rate of its trials', async () => {
    await using helpdesk = await startHelpdesk()
    let at = 0
    const message = await failureOf(() =>
      expect(helpdesk.url).toPassConversation({
        ...scripted,
        successCriteria: [{ check: () => at++ === 0, description: 'the first only' }],
        trials: 4,
        passRate: 0.75,
      }),
    )
    expect(message).toContain('Expected: a conversation that meets its criterion, in 3 of 4 trials\n')
    expect(message).toContain(
      'Received: 1 of 3 trials passed, 3 of 4 needed; trial 2: score 0, 1 required; not met: c1 "the first only", after 2 turns\n',
    )
    expect(message).toContain('\nConversation   trial 2 of 3\n')
    expect(message).toContain(
      '1 of 3 trials passed, 3 of 4 needed · 95 % interval 0.06 to 0.79, decided after 3 of 4 · pass^2 0',
    )
  })

  test('when a task of the agent fails, whatever was said before', async () => {
    await using helpdesk = await echoAgent(wireTask('failed', 'quota used up'))
    const message = await failureOf(() =>
      expect(helpdesk.origin).toPassConversation({ script: ['Hello'], successCriteria: [refunded] }),
    )
    expect(message).toMatch(/^\[failed\] expect\(agent\)\.toPassConversation\(/)
    expect(message).toMatch(/\nReceived: turn 1: .*failed.*"quota used up"; until then score 0/)
    expect(message).toContain('\nExchanges\n')
  })

  test('under .not when the agent meets its criteria', async () => {
    await using helpdesk = await startHelpdesk()
    const message = await failureOf(() =>
      expect(helpdesk.url).not.toPassConversation({ ...scripted, successCriteria: [refunded] }),
    )
    expect(message).toMatch(/^\[failed\] expect\(agent\)\.not\.toPassConversation\(/)
    expect(message).toContain(
      '\nExpected: not a conversation that meets its criterion\nReceived: score 1, after 2 turns\n',
    )
  })
})

describe('throws, negated or not', () => {
  const unsure = judging({ c1: { verdict: 'unknown', reason: 'The conversation does not touch it.' } })

  test.each([false, true])('where the judge cannot tell (.not: %s)', async (not) => {
    await using helpdesk = await startHelpdesk()
    const assertion = not ? expect(helpdesk.url).not : expect(helpdesk.url)
    const message = await failureOf(() =>
      assertion.toPassConversation(
        inWords({ successCriteria: ['The agent is licensed'], judge: { model: unsure, votes: 1 } }),
      ),
    )
    expect(message).toMatch(/^\[inconclusive\] expect\(agent\)/)
    expect(message).toContain(
      'Received: score 0, 1 required; undecided: c1 "The agent is licensed", after 1 turn',
    )
    expect(message).toContain(
      "Fix:      Word the criterion as something that the agent's own messages can show",
    )
    expect(message).toContain('Criteria   score 0, at most 1 if the unknown are met; 1 required')
    expect(message).toContain(
      '  ? c1  The agent is licensed   criterion/undecided\n      The conversation does not touch it.\n',
    )
  })

  test("counts as unmet with unknownAs: 'not_met', but does not pass a negated matcher", async () => {
    await using helpdesk = await startHelpdesk()
    const strict: PassConversationOptions = {
      ...scripted,
      successCriteria: ['The agent apologises'],
      judge: { model: unsure },
      unknownAs: 'not_met',
    }
    const failing = await failureOf(() => expect(helpdesk.url).toPassConversation(strict))
    expect(failing).toMatch(/^\[failed\] expect\(agent\)/)
    const negated = await failureOf(() => expect(helpdesk.url).not.toPassConversation(strict))
    expect(negated).toMatch(/^\[inconclusive\] expect\(agent\)\.not/)
    expect(negated).toContain('Fix:      `.not` passes only if a criterion is not met; omit')
    const run = await converse(helpdesk.url, scripted)
    const { successCriteria, judge, unknownAs } = strict
    const judged = await failureOf(() =>
      expect(run).not.toMeetCriteria(successCriteria, {
        judge: judge ?? {},
        unknownAs: unknownAs ?? 'not_met',
      }),
    )
    expect(judged).toMatch(/^\[inconclusive\] expect\(run\)\.not/)
    const met = { check: () => false, description: 'closes the case' }
    await expect(helpdesk.url).not.toPassConversation({
      ...strict,
      successCriteria: ['The agent apologises', met],
    })
  })

  test.each([false, true])('where the simulated user breaks (.not: %s)', async (not) => {
    await using helpdesk = await startHelpdesk()
    const leaking = scriptedModel(() => ({
      thought: '',
      status: 'continue',
      message: 'As the user in this test scenario I would now ask for a refund.',
    }))
    const assertion = not ? expect(helpdesk.url).not : expect(helpdesk.url)
    const message = await failureOf(() =>
      assertion.toPassConversation(inWords({ simulator: { model: leaking } })),
    )
    expect(message).toMatch(/^\[invalid\] expect\(agent\)/)
    expect(message).toContain('Fix:      This says nothing about the agent.')
    expect(message).toContain('(a simulated message was discarded, leak: ')
    // What the model wrote was never sent.
    expect(message).toContain('Transcript\n   1 user   Hi, I was charged twice for order #4411.')
  })

  test.each([false, true])('where nothing answers (.not: %s)', async (not) => {
    const helpdesk = await startHelpdesk()
    await helpdesk.close()
    const assertion = not ? expect(helpdesk.url).not : expect(helpdesk.url)
    const message = await failureOf(() =>
      assertion.toPassConversation({ ...scripted, successCriteria: [refunded] }),
    )
    expect(message).toMatch(/^\[error\] expect\(agent\)/)
    expect(message).toContain('connection refused')
  })

  test.each([false, true])('where the judge is unavailable (.not: %s)', async (not) => {
    await using helpdesk = await startHelpdesk()
    const broken = scriptedModel(() => {
      throw new Error('the model fell over')
    })
    const assertion = not ? expect(helpdesk.url).not : expect(helpdesk.url)
    const message = await failureOf(() => assertion.toPassConversation(inWords({ judge: { model: broken } })))
    expect(message).toMatch(/^\[error\] expect\(agent\)/)
    expect(message).toContain('the model fell over')
    // The conversation is shown anyway.
    expect(message).toContain('Transcript\n   1 user   Hi, I was charged twice for order #4411.')
  })

  test('if the judge writes no verdict, without asking the agent again', async () => {
    await using helpdesk = await echoAgent(wireTask('completed', 'Done.'))
    const rambling = scriptedModel(() => 'What a lovely conversation.')
    const message = await failureOf(() =>
      expect(helpdesk.origin).not.toPassConversation({
        script: ['Hello'],
        successCriteria: ['The agent is done'],
        judge: { model: rambling },
      }),
    )
    expect(message).toMatch(/^\[error\] expect\(agent\)/)
    expect(message).toContain('The model wrote\n  What a lovely conversation.')
    expect(messagesOf(helpdesk)).toHaveLength(1)
  })

  test('without a model, before the agent is talked to', async () => {
    await using helpdesk = await echoAgent(wireTask('completed', 'Done.'))
    const { judge: _, ...options } = inWords()
    const message = await failureOf(() => expect(helpdesk.origin).not.toPassConversation(options))
    expect(message).toMatch(/^\[error\] expect\(agent\)/)
    expect(message).toContain('A2A_JUDGE_MODEL')
    expect(message).toContain('configureA2A(')
    expect(messagesOf(helpdesk)).toEqual([])
  })

  test('without requests of an earlier call', async () => {
    await using helpdesk = await startHelpdesk()
    const agent = a2aAgent(helpdesk.url)
    await agent.send('Hi')
    const { judge: _, ...options } = inWords()
    const message = await failureOf(() => expect(agent).toPassConversation(options))
    expect(message).toContain('no model is configured for the judge')
    expect(message).not.toContain('Exchanges')
  })

  test('does not print the requests to the agent if a model is at fault', async () => {
    await using helpdesk = await startHelpdesk()
    const broken = (): Promise<string> => Promise.reject(new Error('out of order'))
    const message = await failureOf(() =>
      expect(helpdesk.url).toPassConversation(inWords({ judge: { model: broken } })),
    )
    expect(message).toContain('out of order')
    expect(message).toContain('Transcript\n   1 user   Hi, I was charged twice')
    expect(message).not.toContain('Exchanges')
  })
})
