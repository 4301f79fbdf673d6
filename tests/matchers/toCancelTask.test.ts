import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import { a2aAgent } from '../../src/agent/a2aAgent.ts'
import { faults, startAgentFrom } from '../../src/testing/index.ts'
import { failureOf, misuse } from './support.ts'
import { finding, methodsOf, slowAgent } from './taskAgents.ts'

const quick = { stayMs: 1 }

describe('passes', () => {
  test.each(['0.3', '1.0'] as const)(
    'for a task of %s that is canceled, with one message and one cancel',
    async (dialect) => {
      await using helpdesk = await slowAgent({ dialect })

      await expect(helpdesk.url).toCancelTask('Think', quick)

      expect(methodsOf(helpdesk)).toEqual(
        dialect === '0.3'
          ? ['message/send', 'tasks/cancel', 'tasks/get']
          : ['SendMessage', 'CancelTask', 'GetTask'],
      )
      expect(helpdesk.requests.find(({ body }) => /send/i.test(body))?.body).toMatch(
        /"blocking":false|"returnImmediately":true/,
      )
    },
  )

  test('over HTTP+JSON', async () => {
    await using helpdesk = await slowAgent({ bindings: ['HTTP+JSON'] })

    await expect(helpdesk.url).toCancelTask('Think', quick)

    expect(helpdesk.requests.map(({ path }) => path.replace(/[\da-f-]{36}/, '<id>'))).toContain(
      '/a2a/rest/tasks/<id>:cancel',
    )
  })

  test('for a task that waits for input', async () => {
    await using helpdesk = await startAgentFrom({
      respond: () => [{ state: 'input-required', text: 'Which?' }],
    })

    await expect(helpdesk.url).toCancelTask('Deploy', quick)
  })

  test('for a refusal, where that is allowed', async () => {
    await using helpdesk = await slowAgent()

    await expect(helpdesk.url).toCancelTask('keep on', { allowRefusal: true })
  })
})

describe('fails', () => {
  test('for a refusal while the task continues, in the agent’s own words', async () => {
    await using helpdesk = await slowAgent()

    expect(await failureOf(() => expect(helpdesk.url).toCancelTask('keep on'))).toMatch(
      /^\[failed\] expect\(agent\)\.toCancelTask\("keep on"\)\n\nAgent: {4}Slow helpdesk .*\nExpected: a running task that can be canceled and stays canceled\nReceived: the agent refused to cancel task <id>, which is working: .*Deployments cannot be stopped.* {3}cancel\/refused\n/,
    )
  })

  test('for an agent that does not know the method', async () => {
    await using helpdesk = await slowAgent({
      fault: faults.method('CancelTask', {
        json: { jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' } },
      }),
    })

    expect(await failureOf(() => expect(helpdesk.url).toCancelTask('Think'))).toMatch(
      /^\[failed\] [^]*Received: .*CancelTask/,
    )
  })

  test('.not for a task that is canceled', async () => {
    await using helpdesk = await slowAgent()

    expect(await failureOf(() => expect(helpdesk.url).not.toCancelTask('Think', quick))).toMatch(
      /^\[failed\] expect\(agent\)\.not\.toCancelTask\("Think", \{ stayMs: 1 \}\)\n\n.*\nExpected: not a running task that can be canceled and stays canceled\nReceived: task <id> was canceled and stays canceled\n/,
    )
  })

  test('.not passes for a refusal', async () => {
    await using helpdesk = await slowAgent()

    await expect(helpdesk.url).not.toCancelTask('keep on')
  })
})

describe('is inconclusive', () => {
  test.each([
    ['0.3', 'completed', 'task <id> finished before it could be canceled'],
    ['1.0', 'failed', 'task <id> finished before it could be canceled (state failed)'],
  ] as const)('for %s when the task has already %s, negated or not', async (dialect, state, message) => {
    await using helpdesk = await startAgentFrom({ dialect, respond: () => [{ state }] })

    for (const assertion of [expect(helpdesk.url), expect(helpdesk.url).not]) {
      const failure = await failureOf(() => assertion.toCancelTask('Hi'))
      expect(failure).toMatch(/^\[error\] /)
      expect(failure).toContain(`Received: ${message}\n`)
      expect(failure).toContain('Pass a message whose task takes longer')
    }
    expect(methodsOf(helpdesk)).not.toContain('CancelTask')
  })

  test('when the task ends between the answer and the cancel', async () => {
    // The work is done as soon as somebody looks, so that cancel comes first and finds it ended.
    await using helpdesk = await startAgentFrom({
      respond: finding,
      fault: [
        faults.method('CancelTask', {
          json: { jsonrpc: '2.0', error: { code: -32002, message: 'It has ended' } },
        }),
      ],
    })

    expect(await failureOf(() => expect(helpdesk.url).toCancelTask('Hi'))).toMatch(
      /^\[error\] [^]*Received: task <id> finished before it could be canceled/,
    )
  })

  test('for an agent that answers with a Message', async () => {
    await using helpdesk = await startAgentFrom()

    expect(await failureOf(() => expect(helpdesk.url).not.toCancelTask('Hi'))).toMatch(
      /^\[error\] [^]*Received: a Message with the text "You said: Hi", so there is no task to cancel\n/,
    )
  })

  test('for an agent that hangs during the cancel: the limit is named', async () => {
    await using helpdesk = await slowAgent({ fault: faults.method('CancelTask', { fail: 'hang' }) })

    const own = await failureOf(() =>
      expect(a2aAgent(helpdesk.url, { requestTimeoutMs: 100 })).not.toCancelTask('Think'),
    )
    const whole = await failureOf(() => expect(helpdesk.url).toCancelTask('Think', { deadlineMs: 300 }))

    expect(own).toMatch(/^\[error\] [^]*requestTimeoutMs/)
    expect(whole).toMatch(/^\[error\] [^]*deadlineMs/)
  })
})

describe('misuse', () => {
  test.each([
    [
      [],
      'toCancelTask(): `message` must be a non-empty string or an array of strings and parts; received undefined.',
    ],
    [['Hi', { cancelMs: 0 }], 'toCancelTask(): `cancelMs` must be a positive number of milliseconds'],
    [
      ['Hi', { allowRefusals: true }],
      'toCancelTask(): there is no option `allowRefusals`. Did you mean `allowRefusal`?',
    ],
    [['Hi', { waitMs: 5 }], 'toCancelTask(): there is no option `waitMs`.'],
  ] as const)('%j', async (args, message) => {
    const failure = await failureOf(() => misuse(expect('http://127.0.0.1:9').not, 'toCancelTask')(...args))

    expect(failure).toMatch(/^\[error\] /)
    expect(failure).toContain(message)
  })
})
