import { describe, expect, test } from 'vitest'
import { startDeployer } from '../../examples/agents/deployer.ts'
import { startHelpdesk } from '../../examples/agents/helpdesk.ts'
import { startStudio } from '../../examples/agents/studio.ts'
import type { WireReply, WireRequest } from '../../examples/agents/wire.ts'
import type { A2AAgent } from '../../src/agent/types.ts'
import { holdTalk, type HoldTools } from '../../src/conversation/hold.ts'
import type { ConversationOptions, ConversationRun, Transcript } from '../../src/conversation/types.ts'
import { A2AModelError } from '../../src/errors.ts'
import { answering, desk, done, fakeCalls, quietDeps, user } from './talks.ts'

function hold(
  agent: A2AAgent,
  options: ConversationOptions,
  tools: Partial<HoldTools> = {},
): Promise<ConversationRun> {
  return holdTalk(agent, options, {
    calls: fakeCalls({}),
    trial: 1,
    deps: quietDeps(),
    signal: new AbortController().signal,
    criteria: [],
    ...tools,
  })
}

const words = ({ entries }: ConversationRun): string[] =>
  entries.map(({ turn, from, text }) => `${turn} ${from}: ${text}`)

describe('turns over A2A', () => {
  test('questions are answered in their task, a finished one is left alone, and all is one context', async () => {
    await using studio = await answering(({ said }) => {
      if (said[0] === 'and you?') return done('Fine.')
      if (said.length === 1) return [{ state: 'input-required', text: 'Which size?' }]
      if (said.length === 2) return [{ state: 'input-required', text: 'Which colour?' }]
      return done(`Here: ${said.join(', ')}`)
    })

    const run = await hold(studio.agent, { script: ['a shirt', 'large', 'blue', 'and you?'] })

    expect(words(run)).toEqual([
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
    await using deployer = await desk(startDeployer({ token: 'dpl_test' }), {
      credentials: { bearer: 'dpl_test' },
    })

    const run = await hold(deployer.agent, { script: ['Deploy build 7 to staging', 'Is it there?'] })

    expect(run.entries[1]).toMatchObject({
      task: { state: 'auth-required' },
      notes: ['The task waits for authorization; the talk goes on in the same task.'],
    })
    expect(deployer.sent()[1]).toMatchObject({ taskId: run.entries[1]?.task?.id })
    expect(run.endReason).not.toBe('agent_error')
  })

  test('data and files go along both ways; bytes are counted, not kept', async () => {
    await using studio = await desk(startStudio())
    const png = Buffer.from('not much of an image').toString('base64')

    const run = await hold(studio.agent, {
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

  test('metadata go along with every message', async () => {
    await using echo = await answering(({ text }) => text)

    await hold(echo.agent, { script: ['a', 'b'], metadata: { suite: 'nightly' } })

    expect(
      echo.agent.exchanges.filter(({ requestBody = '' }) => requestBody.includes('nightly')),
    ).toHaveLength(2)
  })

  test('a talk with A2A 0.3, and what the agent said is told with its artifact', async () => {
    await using helpdesk = await desk(startHelpdesk())

    const run = await hold(helpdesk.agent, { script: ['Refund the double charge for order 4411'] })

    expect(run.entries[1]).toMatchObject({
      text: 'One of the two charges for order #4411 has been refunded. The money arrives within 5 to 7 business days.',
      data: [{ order: '4411', refunded: true, businessDays: [5, 7] }],
      artifacts: [{ artifactId: 'refund', name: 'refund' }],
    })
    expect(run.agent).toMatch(/^Helpdesk \(http:\/\/127\.0\.0\.1:\d+\)$/)
  })
})

describe('how a talk ends', () => {
  test.each(['rejected', 'canceled'] as const)('a %s task: the agent ended it', async (state) => {
    await using no = await answering(() => [{ state, text: 'Not with me.' }])

    const run = await hold(no.agent, { script: ['a', 'b'] })

    expect(run).toMatchObject({ endReason: 'agent_ended', turns: 1 })
    expect(run.fault).toBeUndefined()
    expect(run.entries[1]).toMatchObject({ text: 'Not with me.', reason: 'Not with me.', task: { state } })
  })

  test.each(['fail', 'error'] as const)('a failed task is a fault: %s', async (onAgentError) => {
    await using bad = await answering(() => [{ state: 'failed', text: 'The database is gone.' }])

    const run = await hold(bad.agent, { script: ['a', 'b'], onAgentError })

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

    const run = await hold(shaky.agent, { script: ['first', 'second', 'third'] })

    expect(run).toMatchObject({ endReason: 'agent_error', turns: 2, fault })
    expect(run.fault?.message).toMatch(/^turn 2: /)
    expect(words(run)).toEqual(['1 user: first', '1 agent: You said first', '2 user: second', '2 agent: '])
    expect(run.entries[3]?.error).toMatchObject({ code: run.fault?.code })
  })

  test('an agent that is down', async () => {
    const gone = await answering(({ text }) => text)
    await gone.demo.close()

    const run = await hold(gone.agent, { script: ['a'] })

    expect(run).toMatchObject({
      endReason: 'agent_error',
      turns: 1,
      fault: { outcome: 'error', code: 'UNREACHABLE' },
    })
    expect(run.fault).not.toHaveProperty('finding')
    expect(run.entries[1]).toMatchObject({ from: 'agent', text: '', error: { code: 'UNREACHABLE' } })
    await gone[Symbol.asyncDispose]()
  })

  test('stopWhen sees the talk so far, and ends it', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)

    const run = await hold(echo.agent, {
      script: ['a', 'b', 'c'],
      stopWhen: (talk) => talk.lastAgentText.endsWith('b'),
    })

    expect(run).toMatchObject({ endReason: 'stop_when', turns: 2 })
  })

  test('maxTurns ends a script that is longer', async () => {
    await using echo = await answering(({ text }) => text)

    const run = await hold(echo.agent, { script: ['a', 'b', 'c'], maxTurns: 2 })

    expect(run).toMatchObject({ endReason: 'max_turns', turns: 2, maxTurns: 2 })
    expect(run.warnings).toEqual(['maxTurns 2 ends the talk before its script is over: that has 3 turns.'])
  })

  test('a script of maxTurns turns ends by the script', async () => {
    await using echo = await answering(({ text }) => text)
    const run = await hold(echo.agent, { script: ['a', 'b'], maxTurns: 2 })
    expect(run.endReason).toBe('script_end')
  })
})

describe('functions of the test', () => {
  test('write turns from the talk so far, and end the script', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)

    const run = await hold(echo.agent, {
      script: ['a', (talk) => `Did I? ${talk.lastAgentText}`, async () => undefined, 'never'],
    })

    expect(words(run)).toEqual([
      '1 user: a',
      '1 agent: You said a',
      '2 user: Did I? You said a',
      '2 agent: You said Did I? You said a',
    ])
    expect(run.endReason).toBe('script_end')
  })

  test('see a copy: what they do with it changes nothing', async () => {
    await using echo = await answering(({ text }) => text)
    const seen: Transcript[] = []

    const run = await hold(echo.agent, {
      script: ['a', 'b'],
      onTurn(talk) {
        seen.push(talk)
        for (const entry of talk.entries) entry.text = 'changed'
        ;(talk.entries as unknown[]).length = 0
      },
    })

    expect(words(run)).toEqual(['1 user: a', '1 agent: a', '2 user: b', '2 agent: b'])
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
      'the function in turn 2 of the script gave an empty message in place of a message.',
    ],
    [
      'script, with a number',
      { script: [() => 5 as never] },
      'the function in turn 1 of the script gave a value of type number in place of a message.',
    ],
  ])('%s that is at fault is named', async (_name, options, message) => {
    await using echo = await answering(({ text }) => text)

    await expect(hold(echo.agent, { script: ['a'], ...options })).rejects.toMatchObject({
      name: 'A2AUsageError',
      code: 'BAD_USE',
      message,
    })
  })

  test('a part that is none is wrong use, not a fault of the agent', async () => {
    await using echo = await answering(({ text }) => text)

    await expect(hold(echo.agent, { script: [[{ kind: 'image' } as never]] })).rejects.toMatchObject({
      name: 'A2AUsageError',
      code: 'BAD_OPTIONS',
    })
    expect(echo.sent()).toEqual([])
  })
})

describe('a simulated user', () => {
  const simulating = (model: ReturnType<typeof user>): Partial<HoldTools> => ({
    calls: fakeCalls({ simulator: model }),
  })

  test('n turns that end by the goal take n calls with an opening', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)
    const model = user('two', 'three')

    const run = await hold(echo.agent, { goal: 'g', openingMessage: 'one' }, simulating(model))

    expect(run).toMatchObject({ endReason: 'goal', turns: 3, models: { simulator: 'user-model' } })
    expect(run.entries.filter(({ from }) => from === 'user').map(({ by }) => by)).toEqual([
      'opening',
      'simulator',
      'simulator',
    ])
    expect(model.requests).toHaveLength(3)
  })

  test('n turns that end by maxTurns take n - 1 calls with an opening, n without', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)
    const opened = user('two', 'three', 'four')
    const free = user('one', 'two', 'three', 'four')

    const run = await hold(echo.agent, { goal: 'g', openingMessage: 'one', maxTurns: 3 }, simulating(opened))
    await hold(echo.agent, { goal: 'g', maxTurns: 3 }, simulating(free))

    expect(run).toMatchObject({ endReason: 'max_turns', turns: 3 })
    expect(opened.requests).toHaveLength(2)
    expect(free.requests).toHaveLength(3)
  })

  test('fixed and simulated turns mixed: so many simulated ones, and the script goes on', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)
    const model = user('two', 'three')

    const run = await hold(
      echo.agent,
      { goal: 'g', script: ['one', { simulate: 2 }, 'four'] },
      simulating(model),
    )

    expect(words(run).filter((line) => line.includes('user'))).toEqual([
      '1 user: one',
      '2 user: two',
      '3 user: three',
      '4 user: four',
    ])
    expect(run.endReason).toBe('script_end')
    expect(model.requests).toHaveLength(2)
  })

  test('a user who is done early leaves the rest to the script', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)

    const run = await hold(
      echo.agent,
      { goal: 'g', script: ['one', { simulate: 5 }, 'last'] },
      simulating(user('two')),
    )

    expect(run).toMatchObject({ turns: 3, endReason: 'script_end' })
  })

  test('a script function that gives nothing hands over to the simulated user', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)

    const run = await hold(
      echo.agent,
      { goal: 'g', script: ['one', () => undefined, 'never'] },
      simulating(user('two')),
    )

    expect(words(run)).toContain('2 user: two')
    expect(run).toMatchObject({ turns: 2, endReason: 'goal' })
  })

  test('before minTurns it cannot end the talk', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)
    const model = user({ status: 'goal_reached' }, 'two')

    const run = await hold(echo.agent, { goal: 'g', openingMessage: 'one', minTurns: 2 }, simulating(model))

    expect(run).toMatchObject({ turns: 2, endReason: 'goal' })
    expect(run.entries[2]?.guards).toMatchObject([{ guard: 'ended-early' }])
  })

  test.each([
    ['gave_up', 'gave_up'],
    ['cannot_answer', 'cannot_answer'],
  ])('%s ends it as such', async (status, endReason) => {
    await using echo = await answering(({ text }) => `You said ${text}`)
    const run = await hold(echo.agent, { goal: 'g', openingMessage: 'one' }, simulating(user({ status })))
    expect(run.endReason).toBe(endReason)
  })

  test('one that breaks makes the talk invalid, and what it wrote is kept beside the talk', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)
    const broken = 'How can I help you today?'

    const run = await hold(
      echo.agent,
      { goal: 'g', openingMessage: 'one' },
      simulating(user(broken, broken, broken)),
    )

    expect(run).toMatchObject({
      endReason: 'invalid',
      turns: 1,
      fault: { outcome: 'invalid', code: 'INVALID' },
      discarded: [{ message: broken }, { message: broken }, { message: broken }],
    })
    expect(echo.sent()).toHaveLength(1)
  })

  test('a loop: both say the same again', async () => {
    await using mute = await answering(() => 'Please wait.')

    const run = await hold(
      mute.agent,
      { goal: 'g', openingMessage: 'Ok!' },
      simulating(user('ok', 'ok', 'never', 'never more')),
    )

    expect(run).toMatchObject({ endReason: 'loop', turns: 2 })
  })

  test('a model that fails in the midst: the talk so far, with the fault', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)
    const down = new A2AModelError('MODEL_UNAVAILABLE', 'HTTP 503', { mend: 'Try later.' })

    const run = await hold(echo.agent, { goal: 'g', openingMessage: 'one' }, simulating(user(down)))

    expect(run).toMatchObject({
      endReason: 'model_error',
      turns: 1,
      fault: { outcome: 'error', code: 'MODEL_UNAVAILABLE', message: 'HTTP 503', mend: 'Try later.' },
    })
    expect(words(run)).toHaveLength(2)
  })

  test('a budget that is used up is no fault once the agent spoke', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)
    const spent = new A2AModelError('BUDGET', 'the budget is used up')

    const run = await hold(echo.agent, { goal: 'g', openingMessage: 'one' }, simulating(user(spent)))
    const nothing = await hold(echo.agent, { goal: 'g' }, simulating(user(spent)))

    expect(run).toMatchObject({ endReason: 'budget', turns: 1 })
    expect(run.fault).toBeUndefined()
    expect(run.warnings).toEqual(['the talk was cut short: the budget is used up'])
    expect(nothing).toMatchObject({ endReason: 'budget', turns: 0, fault: { code: 'BUDGET' } })
  })

  test('never sees a criterion, in no request', async () => {
    await using echo = await answering(({ text }) => `You said ${text}`)
    const model = user('two')

    await hold(
      echo.agent,
      { goal: 'g', openingMessage: 'one' },
      { ...simulating(model), criteria: ['CANARY waives the fee'] },
    )

    expect(JSON.stringify(model.requests.map(({ system, messages }) => [system, messages]))).not.toContain(
      'CANARY',
    )
  })
})

describe('recordings', () => {
  test('the agent is heard through them, as plain data', async () => {
    await using helpdesk = await desk(startHelpdesk())
    const kept: unknown[] = []
    const recording = fakeCalls({})
    recording.hear = async (place, message, live) => {
      const heard = await live()
      kept.push({ place, message, heard: JSON.parse(JSON.stringify(heard)) })
      return heard
    }
    const script = ['I was charged twice.', 'Order 4411']
    const first = await hold(helpdesk.agent, { script }, { calls: recording })

    const playing = fakeCalls({})
    playing.hear = async () => (kept.shift() as { heard: never }).heard
    await helpdesk.demo.close()
    const second = await hold(helpdesk.agent, { script }, { calls: playing })

    expect(words(second)).toEqual(words(first))
    expect(second.entries.map(({ task, contextId }) => [task, contextId])).toEqual(
      first.entries.map(({ task, contextId }) => [task, contextId]),
    )
    expect(second.fault).toBeUndefined()
  })
})
