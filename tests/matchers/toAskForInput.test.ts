import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import { startCodeReviewer, startHelpdesk, startStudio } from '../../src/testing/index.ts'
import { startFixture, type FixtureServer } from '../support/fixtureServer.ts'
import { manualSystemClock } from '../support/systemTime.ts'
import { failureOf, misuse, neverSettling, unhurried, wireMessage, wireTask } from './support.ts'
import { asking, messagesOf, sent } from './conversations.ts'

const helpdesk = (...answers: Record<string, unknown>[]): Promise<FixtureServer> =>
  startFixture([
    { on: 'GET /.well-known/agent-card.json', json: '$CARD03' },
    ...answers.map((answer) => sent(answer, { times: 1 })),
  ])
const which = wireTask('input-required', 'Which branch?')
const done = wireTask('completed', 'All set.')
const diff = '+++ b/tests/refunds.py\n@@ -1,1 +1,2 @@\n+def test_cents():'

describe('passes', () => {
  test('when the answer completes the task that asked', async () => {
    await using server = await asking()

    await expect(server.origin).toAskForInput('Review this', { answer: 'main' })

    expect(messagesOf(server)).toMatchObject([
      { parts: [{ text: 'Review this' }] },
      { parts: [{ text: 'main' }], taskId: 't1', contextId: 'c1' },
    ])
  })

  test('for the code reviewer, the helpdesk and the studio', async () => {
    await using reviewer = await startCodeReviewer()
    await using helpdesk = await startHelpdesk()
    await using studio = await startStudio()

    await expect(reviewer.url).toAskForInput(diff, {
      expectedQuestion: /which base branch/i,
      answer: 'main',
      expected: { base: 'main', findings: [expect.objectContaining({ severity: 'low' })] },
    })
    await expect(helpdesk.url).toAskForInput('I was charged twice', {
      answer: '#4411',
      expected: /4411.*refunded/,
    })
    await expect(studio.url).toAskForInput('A quote, please', { answer: 'a shop', expected: '"a shop"' })
  })

  test('with a function, which gets each question and its reply', async () => {
    await using server = await helpdesk(which, wireTask('input-required', 'And since when?'), done)
    const questions: string[] = []

    await expect(server.origin).toAskForInput('Review', {
      answer: async (question, { taskId }) => {
        questions.push(`${taskId}: ${question}`)
        return ['main', { kind: 'data', data: { since: 1 } }]
      },
      expected: 'All set.',
      exact: true,
    })

    expect(questions).toEqual(['t1: Which branch?', 't1: And since when?'])
    expect(messagesOf(server)).toHaveLength(3)
  })
})

describe('fails', () => {
  test('when the agent keeps asking: with the count and the conversation', async () => {
    await using server = await helpdesk(which, which, which)

    const failure = await failureOf(() =>
      expect(server.origin).toAskForInput('Review', { answer: 'main', maxAnswers: 2 }),
    )

    expect(failure.split('\nExchanges')[0]).toMatchInlineSnapshot(`
      "[failed] expect(agent).toAskForInput("Review", { answer: "main", maxAnswers: 2 })

      Agent:    Echo Desk (http://127.0.0.1:<port>)
      Expected: a question (input-required), and after the answer the same task completed
      Received: after 2 answers task t1 is waiting in state input-required with the text "Which branch?"   conversation/still-waiting
      Fix:      Complete the task once it has the answer; if it may ask more, raise \`maxAnswers\`.

      Conversation
         1 user   Review
           agent  (input-required) Which branch?
         2 user   main
           agent  (input-required) Which branch?
         3 user   main
           agent  (input-required) Which branch?
      "
    `)
    expect(messagesOf(server)).toHaveLength(3)
  })

  test.each([
    ['a text is given once', 'main', 2],
    ['a function is asked five times', () => 'main', 6],
  ])('after one limit or the other: %s', async (_, answer, messages) => {
    await using server = await helpdesk(...Array.from({ length: 9 }, () => which))

    const failure = await failureOf(() => expect(server.origin).toAskForInput('Review', { answer }))

    expect(failure).toContain(
      `Received: after ${messages === 2 ? '1 answer' : '5 answers'} task t1 is waiting in state input-required`,
    )
    expect(messagesOf(server)).toHaveLength(messages)
  })

  test.each([
    [
      'a Message',
      wireMessage('Which branch?'),
      'no question: a Message with the text "Which branch?"   conversation/not-asked',
    ],
    [
      'a task that is done',
      done,
      'no question: task t1 completed with the text "All set."   conversation/not-asked',
    ],
    [
      'an authorization',
      wireTask('auth-required', 'Ann?'),
      'no question: task t1 is waiting in state auth-required with the text "Ann?"   conversation/not-asked',
    ],
    [
      'silence',
      wireTask('input-required'),
      'task t1 is waiting in state input-required without any text, so the question is unknown   conversation/no-question',
    ],
    ['a failure', wireTask('failed', 'no'), 'task t1 ended in state failed: no   reply/task-failed'],
  ])('when the first reply is %s, and gives no answer', async (_, reply, message) => {
    await using server = await helpdesk(reply, done)

    expect(
      await failureOf(() => expect(server.origin).toAskForInput('Review', { answer: 'main' })),
    ).toContain(`Received: ${message}\n`)
    expect(messagesOf(server)).toHaveLength(1)
  })

  test('when the question differs', async () => {
    await using server = await helpdesk(which, done)

    expect(
      await failureOf(() =>
        expect(server.origin).toAskForInput('Review', { answer: 'main', expectedQuestion: /when/i }),
      ),
    ).toContain(
      'Received: the question: task t1 is waiting in state input-required with the text "Which branch?"; the text does not match /when/i   reply/differs\n',
    )
  })

  test.each([
    [
      'another task',
      { ...done, id: 't2' },
      'the answer to task t1 was treated as a new task: task t2 completed with the text "All set."   conversation/new-task',
    ],
    [
      'a Message',
      wireMessage('All set.'),
      'the answer to task t1 got a Message with the text "All set.", which is not a task   reply/no-task',
    ],
    [
      'another context',
      { ...done, contextId: 'c2' },
      'after the answer: contextId changed from c1 to c2 with the answer   wire/context-changed',
    ],
    [
      'a failure',
      wireTask('failed', 'no'),
      'after the answer: task t1 ended in state failed: no   reply/task-failed',
    ],
    [
      'an authorization',
      wireTask('auth-required', 'Ann?'),
      'after the answer task t1 is waiting in state auth-required with the text "Ann?"   conversation/still-waiting',
    ],
    [
      'a mute question',
      wireTask('input-required'),
      'after 1 answer: task t1 is waiting in state input-required without any text, so the question is unknown   conversation/no-question',
    ],
  ])('when the answer gets %s', async (_, reply, message) => {
    await using server = await helpdesk(which, reply)

    expect(
      await failureOf(() => expect(server.origin).toAskForInput('Review', { answer: 'main' })),
    ).toContain(`Received: ${message}\n`)
  })

  test('when the answer is refused', async () => {
    await using server = await startFixture([
      { on: 'GET /.well-known/agent-card.json', json: '$CARD03' },
      sent(which, { times: 1 }),
      {
        on: 'POST /rpc',
        rpc: 'message/send',
        json: { jsonrpc: '2.0', id: '$id', error: { code: -32001, message: 'no task t1' } },
      },
    ])

    expect(await failureOf(() => expect(server.origin).toAskForInput('Review', { answer: 'main' }))).toMatch(
      /Received: the answer to task t1 was refused: .*-32001.*no task t1.* {3}conversation\/answer-refused\n/,
    )
  })

  test('when the task does not settle after the answer', async () => {
    await using server = await startFixture([
      { on: 'GET /.well-known/agent-card.json', json: '$CARD03' },
      sent(which, { times: 1 }),
      sent(wireTask('working')),
      { on: 'POST /rpc', rpc: 'tasks/get', json: { jsonrpc: '2.0', id: '$id', result: wireTask('working') } },
    ])

    expect(
      await failureOf(() =>
        expect(unhurried(server)).toAskForInput('Review', { answer: 'main', waitMs: 60 }),
      ),
    ).toMatch(/Received: after the answer: task t1 still working after <n> ms/)
  })

  test('when the last reply differs', async () => {
    await using server = await asking()

    expect(
      await failureOf(() =>
        expect(server.origin).toAskForInput('Review', { answer: 'main', expected: 'Nope.' }),
      ),
    ).toContain(
      'Received: task t1 completed with the text "All set."; the text does not contain "Nope."   reply/differs\n',
    )
  })
})

test('.not fails and says what was found', async () => {
  await using server = await asking()

  const failure = await failureOf(() => expect(server.origin).not.toAskForInput('Review', { answer: 'main' }))

  expect(failure).toContain(
    'Expected: not a question (input-required), and after the answer the same task completed\n',
  )
  expect(failure).toContain('Received: task t1 completed with the text "All set."\n')
})

describe('misuse', () => {
  test.each([
    [
      ['Review'],
      'toAskForInput(): `answer` must be a non-empty string or an array of strings and parts or a function; received undefined.',
    ],
    [
      ['Review', {}],
      'toAskForInput(): `answer` must be a non-empty string or an array of strings and parts or a function; received undefined.',
    ],
    [
      ['Review', { answer: '' }],
      'toAskForInput(): `answer` must be a non-empty string or an array of strings and parts or a function; received "".',
    ],
    [
      ['Review', { answer: 'main', maxAnswers: 0 }],
      'toAskForInput(): `maxAnswers` must be a whole number of at least 1; received 0.',
    ],
    [
      ['Review', { answer: 'main', expected: '' }],
      'every text contains "", so toAskForInput() would compare nothing.',
    ],
    [
      ['Review', { answer: 'main', expecteds: 'x' }],
      'toAskForInput(): there is no option `expecteds`. Did you mean `expected`?',
    ],
    [
      ['', { answer: 'main' }],
      'toAskForInput(): `message` must be a non-empty string or an array of strings and parts; received "".',
    ],
  ])('%j', async (args, message) => {
    await using server = await asking()

    expect(await failureOf(() => misuse(expect(server.origin).not, 'toAskForInput')(...args))).toContain(
      message,
    )
    expect(messagesOf(server)).toEqual([])
  })

  test.each([
    [
      'throws',
      () => {
        throw new TypeError('oops')
      },
      'the function "answer" of toAskForInput() threw TypeError: oops.',
    ],
    [
      'gives nothing',
      () => undefined,
      'the function "answer" of toAskForInput() returned nothing instead of a message.',
    ],
    [
      'gives a number',
      async () => 7,
      'the function "answer" of toAskForInput() returned 7 instead of a message.',
    ],
  ])('a function that %s is reported, negated or not', async (_, answer, message) => {
    await using server = await asking()

    for (const assertion of [expect(server.origin), expect(server.origin).not]) {
      const said = await failureOf(() => misuse(assertion, 'toAskForInput')('Review', { answer }))
      expect(said).toMatch(/^\[error\] /)
      expect(said).toContain(message)
    }
  })

  test('a function that never settles is reported, not the agent', async () => {
    await using server = await asking()

    const clock = manualSystemClock()
    const { fn, called } = neverSettling()
    const failing = failureOf(() =>
      expect(server.origin).not.toAskForInput('Review', { answer: fn, deadlineMs: 300 }),
    )
    await called
    await clock.advance(300)
    const said = await failing

    expect(said).toMatch(/^\[error\] /)
    expect(said).toContain(
      'the agent answered, but the function or schema of toAskForInput() did not settle in time.',
    )
  })
})
