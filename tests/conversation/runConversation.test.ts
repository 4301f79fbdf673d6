import { describe, expect, test } from 'vitest'
import { startDeployer } from '../../examples/agents/deployer.ts'
import { startHelpdesk } from '../../examples/agents/helpdesk.ts'
import { startStudio } from '../../examples/agents/studio.ts'
import type { WireReply, WireRequest } from '../../examples/agents/wire.ts'
import type { ConversationOptions } from '../../src/conversation/types.ts'
import type { Transcript } from '../../src/transcript/types.ts'
import { answering, openTestAgent, done, converseWith, spoken } from './runs.ts'

describe('turns over A2A', () => {
  test('answers questions in their task, starts a new task after a finished one, and stays in one context', async () => {
    await using studio = await answering(({ said }) => {
      if (said[0] === 'and you?') return done('Fine.')
      if (said.length === 1) return [{ state: 'input-required', text: 'Which size?' }]
      if (said.length === 2) return [{ state: 'input-required', text: 'Which colour?' }]
      return done(`Here: ${said.join(', ')}`)
    })

    const run = await converseWith(studio.agent, { script: ['a shirt', 'large', 'blue', 'and you?'] })

    expect(spoken(run)).toEqual([
      '1 user: a shirt',
      '1 agent: Which size?',
      '2 user: large',
      '2 agent: Which colour?',
      '3 user: blue',
      '3 agent: Here: a shirt, large, blue',
      '4 user: and you?',
      '4 agent: Fine.',
    ])
    expect(run.entries.filter(({ task }) => task).map(({ task }) => [task?.nth, task?.state])).toEqual([
      [1, 'input-required'],
      [1, 'input-required'],
      [1, 'completed'],
      [2, 'completed'],
    ])
    const [first, second, third, fourth] = studio.sent()
    const [taskId, contextId] = [run.entries[1]?.task?.id, run.entries[1]?.contextId]
    expect(first).not.toHaveProperty('contextId')
    expect(second).toMatchObject({ taskId, contextId })
    expect(third).toMatchObject({ taskId, contextId })
    expect(fourth).toMatchObject({ contextId })
    expect(fourth).not.toHaveProperty('taskId')
    expect(run.findings).toEqual([])
  })

  test('auth-required is answered in the same task, with a note', async () => {
    await using deployer = await openTestAgent(startDeployer({ token: 'dpl_test' }), {
      credentials: { bearer: 'dpl_test' },
    })

    const run = await converseWith(deployer.agent, { script: ['Deploy build 7 to staging', 'Is it there?'] })

    expect(run.entries[1]).toMatchObject({
      task: { state: 'auth-required' },
      notes: ['The task waits for authorization; the conversation continues in the same task.'],
    })
    expect(deployer.sent()[1]).toMatchObject({ taskId: run.entries[1]?.task?.id })
    expect(run.endReason).not.toBe('agent_error')
  })

  test('sends and receives data and files; bytes are counted, not kept', async () => {
    await using studio = await openTestAgent(startStudio())
    const png = Buffer.from('not much of an image').toString('base64')

    const run = await converseWith(studio.agent, {
      script: [
        [
          'Make a poster of this',
          { kind: 'file', bytes: png, name: 'a.png', mediaType: 'image/png' },
          { kind: 'data', data: { width: 3 } },
        ],
      ],
      metadata: { tag: 'poster' },
    })

    expect(run.entries[0]).toEqual({
      turn: 1,
      from: 'user',
      by: 'script',
      text: 'Make a poster of this',
      files: [{ name: 'a.png', mediaType: 'image/png', bytes: 20 }],
      data: [{ width: 3 }],
    })
    expect(JSON.stringify(run.entries)).not.toContain(png)
    expect(studio.sent()[0]?.parts).toHaveLength(3)
  })

  test('sends metadata with every message', async () => {
    await using echo = await answering(({ text }) => text)

    await converseWith(echo.agent, { script: ['a', 'b'], metadata: { suite: 'nightly' } })

    expect(
      echo.agent.exchanges.filter(({ requestBody = '' }) => requestBody.includes('nightly')),
    ).toHaveLength(2)
  })

  test('a conversation over A2A 0.3, with artifacts', async () => {
    await using helpdesk = await openTestAgent(startHelpdesk())

    const run = await converseWith(helpdesk.agent, { script: ['Refund the double charge for order 4411'] })

    expect(run.entries[1]).toMatchObject({
      text: 'One of the two charges for order #4411 has been refunded. The money arrives within 5 to 7 business days.',
      data: [{ order: '4411', refunded: true, businessDays: [5, 7] }],
      artifacts: [{ artifactId: 'refund', name: 'refund' }],
    })
    expect(run.agent).toMatch(/^Helpdesk \(http:\/\/127\.0\.0\.1:\d+\)$/)
  })
})

describe('how a conversation ends', () => {
  test.each(['rejected', 'canceled'] as const)('a %s task: the agent ended it', async (state) => {
    await using no = await answering(() => [{ state, text: 'Not with me.' }])

    const run = await converseWith(no.agent, { script: ['a', 'b'] })

    expect(run).toMatchObject({ endReason: 'agent_ended', turns: 1 })
    expect(run.fault).toBeUndefined()
    expect(run.entries[1]).toMatchObject({ text: 'Not with me.', reason: 'Not with me.', task: { state } })
  })

  test.each(['fail', 'error'] as const)('a failed task is a fault: %s', async (onAgentError) => {
    await using bad = await answering(() => [{ state: 'failed', text: 'The database is gone.' }])

    const run = await converseWith(bad.agent, { script: ['a', 'b'], onAgentError })

    expect(run).toMatchObject({
      endReason: 'agent_error',
      turns: 1,
      fault: {
        outcome: onAgentError === 'fail' ? 'failed' : 'error',
        code: 'TASK_FAILED',
        message: 'turn 1: the task failed: "The database is gone."',
        finding: 'reply/task-failed',
      },
    })
  })

  const failingAt = (text: string, reply: WireReply) => ({
    reply: (own: WireReply, request: WireRequest) => (request.body.includes(text) ? reply : own),
  })

  test.each<[string, WireReply, object]>([
    [
      'an error of JSON-RPC',
      { json: { jsonrpc: '2.0', id: 3, error: { code: -32603, message: 'no luck' } } },
      { outcome: 'failed', code: 'RPC_ERROR', finding: 'rpc/error' },
    ],
    [
      'a web page',
      { status: 502, headers: { 'content-type': 'text/html' }, text: '<h1>Bad gateway</h1>' },
      { outcome: 'failed', code: 'HTTP_STATUS', unanswered: true },
    ],
    ['a connection that breaks', { fail: 'drop' }, { outcome: 'error', code: 'UNREACHABLE' }],
  ])('%s in the second turn keeps the first', async (_what, reply, fault) => {
    await using shaky = await answering(({ text }) => `You said ${text}`, {
      fault: failingAt('second', reply),
    })

    const run = await converseWith(shaky.agent, { script: ['first', 'second', 'third'] })

    expect(run).toMatchObject({ endReason: 'agent_error', turns: 2, fault })
    expect(run.fault?.message).toMatch(/^turn 2: /)
    expect(spoken(run)).toEqual(['1 user: first', '1 agent: You said first', '2 user: second', '2 agent: '])
    expect(run.entries[3]?.error).toMatchObject({ code: run.fault?.code })
  })

  test('an agent that is down', async () => {
    const gone = await answering(({ text }) => text)
    await gone.demo.close()

    const run = await converseWith(gone.agent, { script: ['a'] })

    expect(run).toMatchObject({
      endReason: 'agent_error',
      turns: 1,
      fault: { outcome: 'error', code: 'UNREACHABLE' },
    })
    expect(run.fault).not.toHaveProperty('finding')
    expect(run.entries[1]).toMatchObject({ from: 'agent', text: '', error: { code: 'UNREACHABLE' } })
    await gone[Symbol.asyncDispose]()
  })

  test('stopWhen sees the conversation so far, and ends it', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)

    const run = await converseWith(echo.agent, {
      script: ['a', 'b', 'c'],
      stopWhen: (conversation) => conversation.lastAgentText.endsWith('b'),
    })

    expect(run).toMatchObject({ endReason: 'stop_when', turns: 2 })
  })

  test('maxTurns ends a script that is longer', async () => {
    await using echo = await answering(({ text }) => text)

    const run = await converseWith(echo.agent, { script: ['a', 'b', 'c'], maxTurns: 2 })

    expect(run).toMatchObject({ endReason: 'max_turns', turns: 2, maxTurns: 2 })
    expect(run.warnings).toEqual([
      'maxTurns 2 ends the conversation before its script is over: that has 3 turns.',
    ])
  })

  test('a script of maxTurns turns ends by the script', async () => {
    await using echo = await answering(({ text }) => text)
    const run = await converseWith(echo.agent, { script: ['a', 'b'], maxTurns: 2 })
    expect(run.endReason).toBe('script_end')
  })
})

describe('functions of the test', () => {
  test('write turns from the conversation so far, and end the script', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)

    const run = await converseWith(echo.agent, {
      script: ['a', (conversation) => `Did I? ${conversation.lastAgentText}`, async () => undefined, 'never'],
    })

    expect(spoken(run)).toEqual([
      '1 user: a',
      '1 agent: You said a',
      '2 user: Did I? You said a',
      '2 agent: You said Did I? You said a',
    ])
    expect(run.endReason).toBe('script_end')
  })

  test('receive a copy that they may change', async () => {
    await using echo = await answering(({ text }) => text)
    const seen: Transcript[] = []

    const run = await converseWith(echo.agent, {
      script: ['a', 'b'],
      onTurn(conversation) {
        seen.push(conversation)
        for (const entry of conversation.entries) entry.text = 'changed'
        ;(conversation.entries as unknown[]).length = 0
      },
    })

    expect(spoken(run)).toEqual(['1 user: a', '1 agent: a', '2 user: b', '2 agent: b'])
    expect(seen.map(({ turns, text, endReason }) => [turns, text, endReason])).toEqual([
      [1, 'user: a\nagent: a', undefined],
      [2, 'user: a\nagent: a\nuser: b\nagent: b', undefined],
    ])
  })

  test.each<[string, ConversationOptions, string]>([
    ['onTurn', { onTurn: () => Promise.reject(new Error('oops')) }, 'the function "onTurn" threw oops.'],
    [
      'stopWhen',
      {
        stopWhen: () => {
          throw new TypeError('no such thing.')
        },
      },
      'the function "stopWhen" threw no such thing.',
    ],
    [
      'script',
      {
        script: [
          () => {
            throw 'a text'
          },
        ],
      },
      'the function in turn 1 of the script threw a text.',
    ],
    [
      'script, with no message',
      { script: ['a', () => ''] },
      'the function in turn 2 of the script returned an empty message instead of a message.',
    ],
    [
      'script, with a number',
      { script: [() => 5 as never] },
      'the function in turn 1 of the script returned a value of type number instead of a message.',
    ],
  ])('%s that fails is named', async (_name, options, message) => {
    await using echo = await answering(({ text }) => text)

    await expect(converseWith(echo.agent, { script: ['a'], ...options })).rejects.toMatchObject({
      name: 'A2AUsageError',
      code: 'BAD_USE',
      message,
    })
  })

  test('an invalid part is a usage error, not a fault of the agent', async () => {
    await using echo = await answering(({ text }) => text)

    await expect(converseWith(echo.agent, { script: [[{ kind: 'image' } as never]] })).rejects.toMatchObject({
      name: 'A2AUsageError',
      code: 'BAD_OPTIONS',
    })
    expect(echo.sent()).toEqual([])
  })
})
