import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { replyText, toReply } from '../../src/client/reply.ts'
import { taskStates } from '../../src/protocol/model.ts'
import { artifact, message, task, text } from './values.ts'

const read = (answer: Parameters<typeof toReply>[0]) =>
  toReply(answer, { dialect: '0.3', agent: 'Echo Desk' })

describe('text of a reply', () => {
  test('is that of the artifacts, however often other levels repeat it (E01)', () => {
    const answer = task('completed', {
      artifacts: [artifact('a1', 'Oslo')],
      status: message('agent', 'Oslo'),
      history: [message('user', 'capital?'), message('agent', 'Oslo')],
    })

    expect(replyText(answer)).toBe('Oslo')
  })

  test('joins the chunks of one artifact without a separator and artifacts by one newline', () => {
    const answer = task('completed', { artifacts: [artifact('a', 'Hel', 'lo'), artifact('b', 'there')] })

    expect(replyText(answer)).toBe('Hello\nthere')
  })

  test('skips artifacts without text', () => {
    const data = artifact('b', { kind: 'data', data: { passed: 13 } })

    expect(replyText(task('completed', { artifacts: [artifact('a', 'log\n'), data] }))).toBe('log\n')
  })

  test('joins the parts of one message by one newline', () => {
    expect(replyText(message('agent', 'one', { kind: 'data', data: 1 }, 'two'))).toBe('one\ntwo')
  })

  test('is that of the status message if no artifact has any (E02)', () => {
    expect(replyText(task('completed', { status: message('agent', 'All set.') }))).toBe('All set.')
    expect(
      replyText(
        task('completed', { artifacts: [artifact('a', '  \n')], status: message('agent', 'All set.') }),
      ),
    ).toBe('All set.')
  })

  test('is that of the last agent message in the history if nothing else has any', () => {
    const history = [message('agent', 'first'), message('agent', 'last'), message('user', 'thanks')]

    expect(replyText(task('completed', { history }))).toBe('last')
  })

  test.each(['input-required', 'auth-required'] as const)(
    'is that of the status message first when the task is %s (E02, variant 2)',
    (state) => {
      const reply = read(
        task(state, { artifacts: [artifact('a', 'draft')], status: message('agent', 'Send it?') }),
      )

      expect(reply.text).toBe('Send it?')
      expect(reply.artifacts).toEqual([artifact('a', 'draft')])
    },
  )

  test('is that of the artifacts when an interrupted task asks nothing', () => {
    expect(replyText(task('input-required', { artifacts: [artifact('a', 'draft')] }))).toBe('draft')
  })

  test("never is the user's own words", () => {
    const own = message('user', 'capital?')

    expect(replyText(own)).toBe('')
    expect(replyText(task('completed', { status: own, history: [own] }))).toBe('')
  })

  test('leaves out the message of a working status', () => {
    expect(replyText(task('working', { status: message('agent', 'thinking') }))).toBe('')
  })

  test('is empty only when no level has any text', () => {
    expect(replyText(task('completed'))).toBe('')
    expect(replyText(message('agent'))).toBe('')
  })
})

describe('a task that ended badly (E05)', () => {
  test.each(['failed', 'canceled', 'rejected'] as const)('%s: no text, the reason apart', (state) => {
    const reply = read(
      task(state, {
        status: message('agent', 'quota used up'),
        artifacts: [artifact('a', 'half an answer')],
      }),
    )

    expect(reply).toMatchObject({ text: '', reason: 'quota used up', state })
  })

  test('has no reason if the agent gave none', () => {
    expect(read(task('canceled', { history: [message('agent', 'on it')] }))).not.toHaveProperty('reason')
  })

  test('does not include auth-required, which is a question', () => {
    const reply = read(task('auth-required', { status: message('agent', 'Sign in first') }))

    expect(reply).toMatchObject({ text: 'Sign in first', state: 'auth-required' })
    expect(reply).not.toHaveProperty('reason')
  })
})

describe('data and files', () => {
  const data = { kind: 'data' as const, data: { passed: 13 } }
  const file = { kind: 'file' as const, url: 'https://files.example/log', name: 'log' }

  test('come from artifacts, then the status message', () => {
    const reply = read(
      task('completed', {
        artifacts: [artifact('a', data, file)],
        status: message('agent', 'ok', { kind: 'data', data: 2 }),
      }),
    )

    expect(reply.data).toEqual([{ passed: 13 }, 2])
    expect(reply.files).toEqual([file])
  })

  test('come from the last agent message in the history if nothing else has parts', () => {
    expect(read(task('completed', { history: [message('agent', data)] })).data).toEqual([{ passed: 13 }])
  })

  test('of the user are not part of the answer', () => {
    const reply = read(task('completed', { status: message('user', file), history: [message('user', file)] }))

    expect(reply.files).toEqual([])
  })
})

test('a Message has no state', () => {
  const reply = read({ ...message('agent', 'hi'), contextId: 'c1', taskId: 't9' })

  expect(reply).toMatchObject({ kind: 'message', text: 'hi', contextId: 'c1', taskId: 't9', artifacts: [] })
  expect(reply).not.toHaveProperty('state')
  expect(reply).not.toHaveProperty('task')
})

test('for any task: the text is one level, never two, and never a word of the user', () => {
  const words = fc.array(fc.constantFrom('x', 'y', ' '), { maxLength: 3 })
  fc.assert(
    fc.property(fc.constantFrom(...taskStates), words, words, words, (state, artifacts, status, history) => {
      const of = (level: string, list: string[]) => list.map((word) => text(level + word))
      const answer = task(state, {
        artifacts: artifacts.length > 0 ? [artifact('a', ...of('A', artifacts))] : [],
        ...(status.length > 0 && { status: message('agent', ...of('S', status)) }),
        history: [message('agent', ...of('H', history)), message('user', 'USER')],
      })
      const levels = ['A', 'S', 'H'].filter((level) => replyText(answer).includes(level))
      expect(levels.length).toBeLessThanOrEqual(1)
      expect(replyText(answer)).not.toContain('USER')
    }),
  )
})
