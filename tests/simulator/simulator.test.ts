import { describe, expect, test } from 'vitest'
import { createGuard } from '../../src/simulator/guards.ts'
import { fakeCalls, next, says, conversation } from './userFakes.ts'

const said = conversation('hi', 'Which booking?')
const empty = { guard: 'empty', why: 'It has no text.', message: '' }

describe('an answer', () => {
  test('is a message; thoughts are left behind', async () => {
    const turn = await next(fakeCalls(says('  hi there ')))
    expect(turn).toEqual({ kind: 'message', text: '  hi there ', guards: [], notes: [] })
    expect(JSON.stringify(turn)).not.toContain('PRIVATE')
  })

  test('may be wrapped', async () => {
    const turn = await next(fakeCalls(`Sure:\n\`\`\`json\n${JSON.stringify(says('hi'))}\n\`\`\``))
    expect(turn).toMatchObject({ kind: 'message', text: 'hi' })
  })

  test.each([
    ['goal_reached', 'goal'],
    ['gave_up', 'gave_up'],
    ['cannot_answer', 'cannot_answer'],
  ])('%s ends the conversation', async (status, reason) => {
    expect(await next(fakeCalls(says(null, status)), { mayEnd: true })).toEqual({
      kind: 'end',
      reason,
      guards: [],
    })
    // What an ending says is not sent.
    expect(await next(fakeCalls(says('bye', status)), { mayEnd: true })).toEqual({
      kind: 'end',
      reason,
      guards: [],
    })
  })

  test('has its notes from the guard', async () => {
    const guard = createGuard({ facts: [], criteria: [], entries: () => [] })
    expect(await next(fakeCalls(says('It is AB12CD')), { guard })).toMatchObject({
      kind: 'message',
      notes: ['the reference "AB12CD" is not in the facts, the goal, the persona or the conversation'],
    })
  })

  test('that the model cannot give is thrown on', async () => {
    await expect(next(fakeCalls(new Error('no budget')))).rejects.toThrow('no budget')
  })

  test('is not asked for once the signal is aborted', async () => {
    const calls = fakeCalls(says('hi'))
    const signal = AbortSignal.abort(new Error('too late'))
    await expect(next(calls, { signal })).rejects.toThrow('too late')
    expect(calls.requests).toEqual([])
  })
})

describe('no message', () => {
  const nothing = ['', ' \n', says(null), says(''), says('\u200b ')]

  test.each(nothing)('%j ends the conversation once it may end', async (answer) => {
    expect(await next(fakeCalls(answer), { mayEnd: true, turn: 3, entries: said })).toEqual({
      kind: 'end',
      reason: 'user_ended',
      guards: [],
    })
  })

  test.each(nothing)('%j is asked for again before', async (answer) => {
    const calls = fakeCalls(answer, says('hi'))
    expect(await next(calls)).toEqual({ kind: 'message', text: 'hi', guards: [empty], notes: [] })
    expect(calls.places.map(({ attempt }) => attempt)).toEqual([1, 2])
  })

  test('three times is invalid', async () => {
    expect(await next(fakeCalls('', says(null), says(' ')))).toEqual({
      kind: 'invalid',
      why: 'the simulated user wrote no usable message in 3 tries (empty, empty, empty): It has no text.',
      guards: [empty, empty, empty],
    })
  })
})

describe('a message that a guard minds', () => {
  const criteria = ['The agent tells the user about the canary of the blue mountain.']
  const guard = createGuard({ facts: [], criteria, entries: () => said })

  test('is thrown away, and the model is told why in fixed words', async () => {
    const calls = fakeCalls(says('How can I help you?'), says('hi there'))
    expect(await next(calls, { guard, entries: said })).toEqual({
      kind: 'message',
      text: 'hi there',
      guards: [
        {
          guard: 'assistant',
          why: 'It says "How can I help you" and so speaks like an assistant, not like the user.',
          message: 'How can I help you?',
        },
      ],
      notes: [],
    })
    const [first, second] = calls.requests.map(({ messages }) => messages.at(-1)?.content)
    expect(first).toBe('<<<AGENT mark-1>>>\nWhich booking?\n<<<END mark-1>>>')
    expect(second).toBe(
      '<<<AGENT mark-2>>>\nWhich booking?\n<<<END mark-2>>>\n\n(Your last answer could not be used: it spoke like an assistant who serves the other side. You are the user. Answer again.)',
    )
  })

  test('never comes back to the model, nor does what it shares with a criterion', async () => {
    const calls = fakeCalls(says(`So ${criteria[0]}`), says(`Well, ${criteria[0]}`), says('hi there'))
    const turn = await next(calls, { guard, entries: said })
    expect(turn.guards.map((hit) => hit.guard)).toEqual(['criteria', 'criteria'])
    expect(turn).toMatchObject({ kind: 'message', text: 'hi there' })
    expect(JSON.stringify(calls.requests)).not.toMatch(/canary|mountain|criteri/i)
  })

  test('three times is invalid', async () => {
    const calls = fakeCalls(says('###STOP###'), says('a'.repeat(1_201)), says('hi'))
    const hi = createGuard({ facts: [], criteria, entries: () => conversation('one two three hi') })
    expect(await next(calls, { guard: hi })).toMatchObject({ kind: 'message' })

    const broken = fakeCalls(
      says('###STOP###'),
      says('a'.repeat(1_201)),
      says('as the user, no'),
      says('never asked'),
    )
    const turn = await next(broken, { guard })
    expect(turn).toMatchObject({
      kind: 'invalid',
      why: 'the simulated user wrote no usable message in 3 tries (leak, too-long, leak): It says "as the user", which comes from the simulator\'s instructions; a person would not say it.',
    })
    expect(turn.guards).toHaveLength(3)
    expect(broken.requests).toHaveLength(3)
  })

  test('never throws the conversation off: only what follows it counts', async () => {
    const calls = fakeCalls(says('###STOP###'), says(null, 'gave_up'))
    expect(await next(calls, { guard, mayEnd: true })).toMatchObject({
      kind: 'end',
      reason: 'gave_up',
      guards: [{ guard: 'leak' }],
    })
  })
})

describe('an answer that is not in the form', () => {
  test.each<[string, unknown, string, string]>([
    ['words', 'Hello, I need help.', 'no JSON object in the answer', 'Hello, I need help.'],
    ['a list', '[]', 'expected object, received array', '[]'],
    [
      'no thought',
      { status: 'continue', message: 'hi' },
      'thought: missing, expected string',
      '{"status":"continue","message":"hi"}',
    ],
    [
      'another status',
      { thought: '', status: 'done', message: 'hi' },
      'status: expected "continue", "goal_reached", "gave_up" or "cannot_answer", received "done"',
      '',
    ],
    ['no message', { thought: '', status: 'continue' }, 'message: missing, expected string', ''],
    ['more', { ...says('hi'), extra: 1 }, 'unknown member "extra"', ''],
    ['thoughts', '<think>PRIVATE</think> hi', 'no JSON object in the answer', ''],
  ])('is asked for again: %s', async (_, answer, problem, message) => {
    const calls = fakeCalls(answer, says('hi'))
    const turn = await next(calls, { mayEnd: true })
    expect(turn).toEqual({
      kind: 'message',
      text: 'hi',
      guards: [
        { guard: 'unreadable', why: `It is not in the form that was asked for: ${problem}.`, message },
      ],
      notes: [],
    })
    expect(calls.requests[1]?.messages.at(-1)?.content).toContain(
      '(Your last answer could not be used: it was not one JSON object with exactly the members "thought", "status" and "message". Answer again.)',
    )
  })

  test('three times is invalid', async () => {
    expect(await next(fakeCalls('a', 'b', 'c'))).toMatchObject({
      kind: 'invalid',
      why: 'the simulated user wrote no usable message in 3 tries (unreadable, unreadable, unreadable): It is not in the form that was asked for: no JSON object in the answer.',
    })
  })
})

describe('an ending before the least number of turns', () => {
  const early = (message: string): object => ({
    guard: 'ended-early',
    why: 'It ends the conversation before `minTurns` are done.',
    message,
  })

  test('is told that the conversation goes on', async () => {
    const calls = fakeCalls(says(null, 'goal_reached'), says('one more thing'))
    expect(await next(calls, { entries: said })).toEqual({
      kind: 'message',
      text: 'one more thing',
      guards: [early('')],
      notes: [],
    })
    expect(calls.requests[1]?.messages.at(-1)?.content).toContain('it is too early to end the conversation.')
  })

  test('a user who insists counts by the message', async () => {
    const calls = fakeCalls(says('bye', 'goal_reached'), says('well, one more', 'goal_reached'))
    expect(await next(calls)).toMatchObject({
      kind: 'message',
      text: 'well, one more',
      guards: [early('bye')],
    })
    const late = fakeCalls(says(null, 'gave_up'), 'what?', says('well', 'gave_up'))
    expect(await next(late)).toMatchObject({ kind: 'message', text: 'well' })
  })

  test('that message is guarded, too', async () => {
    const guard = createGuard({ facts: [], criteria: [], entries: () => [] })
    const calls = fakeCalls(says(null, 'gave_up'), says('###STOP###', 'gave_up'), says('hi'))
    const turn = await next(calls, { guard })
    expect(turn).toMatchObject({ kind: 'message', text: 'hi', guards: [early(''), { guard: 'leak' }] })
  })

  test('without one it is invalid', async () => {
    const end = says(null, 'cannot_answer')
    expect(await next(fakeCalls(end, end, end))).toMatchObject({
      kind: 'invalid',
      why: 'the simulated user wrote no usable message in 3 tries (ended-early, ended-early, ended-early): It ends the conversation before `minTurns` are done.',
    })
  })
})
