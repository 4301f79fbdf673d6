import { describe, expect, test } from 'vitest'
import { StreamRules, type Ending, type StreamContext } from '../../../src/checks/stream/streamRules.ts'
import { artifact, message, status, task } from './events.ts'
import type { StreamEvent } from '../../../src/protocol/model.ts'

const closed: Ending = { ended: 'terminal', closed: true }

/** `level id: message` of every breach. */
function breaches(
  events: StreamEvent[],
  { ending = closed, ...about }: Partial<StreamContext> & { ending?: Ending } = {},
): string[] {
  const rules = new StreamRules({ dialect: '1.0', ...about })
  for (const event of events) rules.add(event)
  return rules.finish(ending).map(({ level, id, message: said }) => `${level} ${id}: ${said}`)
}

const [submitted, working, done] = [status('submitted'), status('working'), status('completed')]

describe('valid streams', () => {
  test.each<[string, StreamEvent[]]>([
    ['a lone Message', [message()]],
    ['a Task that is over at once', [task('completed')]],
    ['a whole life', [task('submitted'), working, artifact('a1'), artifact('a1', { append: true }), done]],
    ['a snapshot in the middle', [task('submitted'), working, task('working'), done]],
    ['a last snapshot after the end', [task('submitted'), working, done, task('completed')]],
    ['working after input-required', [task('working'), status('input-required'), working, done]],
    ['working after auth-required', [task('working'), status('auth-required'), working, done]],
    ['submitted twice', [task('submitted'), submitted, working, done]],
    ['updates without ids', [task('working'), status('completed', { taskId: '', contextId: undefined })]],
    [
      'two artifacts, each with its last chunk',
      [task('working'), artifact('a', { lastChunk: true }), artifact('b', { lastChunk: true }), done],
    ],
    [
      'an artifact that is sent again',
      [
        task('working'),
        artifact('a', { lastChunk: true }),
        artifact('a'),
        artifact('a', { append: true }),
        done,
      ],
    ],
    [
      'an end mark without parts',
      [task('working'), artifact('a'), artifact('a', { append: true, lastChunk: true, parts: [] }), done],
    ],
  ])('1.0: %s', (_, events) => {
    expect(breaches(events)).toEqual([])
  })

  test.each<[string, StreamEvent[]]>([
    ['a status first', [working, status('completed', { final: true })]],
    ['an artifact first', [artifact('a'), status('completed', { final: true })]],
    ['a Message within', [task('working'), message(), status('completed', { final: true })]],
    ['completed once more, with final', [working, done, status('completed', { final: true })]],
    [
      'an artifact after completed, before final',
      [working, done, artifact('a'), status('completed', { final: true })],
    ],
    ['input-required with final', [working, status('input-required', { final: true })]],
    ['a Task alone', [task('completed')]],
  ])('0.3: %s', (_, events) => {
    expect(breaches(events, { dialect: '0.3' })).toEqual([])
  })

  test.each<Ending>([
    { ended: 'interrupted', closed: true },
    { ended: 'interrupted', closed: false },
  ])('the end at input-required: %o', (ending) => {
    expect(breaches([task('working'), status('input-required')], { ending })).toEqual([])
  })
})

describe('invalid streams', () => {
  test.each<[string, StreamEvent[], string[]]>([
    [
      'a status first',
      [working, done],
      [
        'error stream/first-event: the stream starts with a status update (working), not with a Task or a Message',
      ],
    ],
    [
      'an artifact first',
      [artifact('a1'), done],
      [
        'error stream/first-event: the stream starts with an update of artifact a1, not with a Task or a Message',
      ],
    ],
    [
      'a Message within a task',
      [task('working'), message(), done],
      ['error stream/message-in-task: event 2 is a Message in the stream of a task'],
    ],
    [
      'a Task after the Message',
      [message(), task('working')],
      ['error stream/after-end: a Task (working) was sent after a Message, which ends the stream'],
    ],
    [
      'a second Message',
      [message(), message()],
      ['error stream/after-end: a Message was sent after a Message, which ends the stream'],
    ],
    [
      'another task',
      [task('working'), status('working', { taskId: 't2' }), done],
      ['error stream/ids: event 2 belongs to task "t2", not to task "t1"'],
    ],
    [
      'another context',
      [task('working'), status('working', { contextId: 'c2' }), done],
      ['error stream/ids: event 2 belongs to context "c2", not to context "c1"'],
    ],
    [
      'submitted after working',
      [task('working'), submitted, done],
      ['error stream/state-regress: the state changed back from working to submitted (event 2)'],
    ],
    [
      'submitted after input-required',
      [task('input-required'), submitted, done],
      ['error stream/state-regress: the state changed back from input-required to submitted (event 2)'],
    ],
    [
      'working after completed',
      [task('working'), done, working],
      [
        'error stream/after-end: a status update (working) was sent after state completed, which ends the stream',
      ],
    ],
    [
      'failed after completed',
      [task('working'), done, status('failed')],
      [
        'error stream/after-end: a status update (failed) was sent after state completed, which ends the stream',
      ],
    ],
    [
      'completed twice',
      [task('working'), done, done],
      [
        'error stream/after-end: a status update (completed) was sent after state completed, which ends the stream',
      ],
    ],
    [
      'an artifact after completed',
      [task('working'), done, artifact('a1'), artifact('a2')],
      [
        'error stream/after-end: an update of artifact a1 was sent after state completed, which ends the stream; and 1 more event like it',
      ],
    ],
    [
      'a chunk after the last',
      [task('working'), artifact('a', { lastChunk: true }), artifact('a', { append: true }), done],
      ['warning stream/after-last-chunk: artifact a: a chunk was sent after the last chunk'],
    ],
    [
      'an artifact without parts',
      [task('working'), artifact('a1', { parts: [] }), done],
      ['warning wire/no-parts: artifact a1 has no parts'],
    ],
  ])('1.0: %s', (_, events, expected) => {
    expect(breaches(events)).toEqual(expected)
  })

  const final = { final: true }
  test.each<[string, StreamEvent[], string[]]>([
    [
      'anything after final',
      [working, status('completed', final), artifact('a1')],
      [
        'error stream/after-end: an update of artifact a1 was sent after "final": true, which ends the stream',
      ],
    ],
    [
      'another state after a terminal one',
      [working, done, status('failed', final)],
      [
        'error stream/after-end: a status update (failed, final) was sent after state completed, which ends the stream',
        'warning stream/no-final: the status update with state completed does not have "final": true',
      ],
    ],
    [
      'another task',
      [working, status('working', { taskId: 't2' }), status('completed', final)],
      ['error stream/ids: event 2 belongs to task "t2", not to task "t1"'],
    ],
    [
      'submitted after working',
      [working, submitted, status('completed', final)],
      ['error stream/state-regress: the state changed back from working to submitted (event 2)'],
    ],
    [
      'no final',
      [working, done],
      ['warning stream/no-final: the status update with state completed does not have "final": true'],
    ],
  ])('0.3: %s', (_, events, expected) => {
    expect(breaches(events, { dialect: '0.3' })).toEqual(expected)
  })

  test.each([
    ['1.0', 'error'],
    ['0.3', 'warning'],
    ['0.1', 'warning'],
  ] as const)('%s: a stream that stays open: %s', (dialect, level) => {
    const ending: Ending = { ended: 'final', closed: false }
    expect(breaches([task('working'), status('completed', { final: true })], { dialect, ending })).toEqual([
      `${level} stream/not-closed: the stream stayed open after "final": true`,
    ])
    expect(breaches([message()], { dialect, ending })).toEqual([
      `${level} stream/not-closed: the stream stayed open after its Message`,
    ])
  })

  test('reports no missing close if the client disconnected', () => {
    expect(breaches([task('working'), done], { ending: { ended: 'aborted', closed: false } })).toEqual([])
  })
})

describe('the end', () => {
  test.each<[string, StreamEvent[], Ending['ended'], boolean]>([
    ['closed while working', [task('working')], 'closed', true],
    ['closed while submitted', [task('submitted')], 'closed', true],
    ['closed without a state', [artifact('a1')], 'closed', true],
    ['final while working', [task('working'), status('working', { final: true })], 'final', true],
    ['closed at input-required', [status('input-required')], 'interrupted', false],
    ['closed at auth-required', [status('auth-required')], 'closed', false],
    ['closed after completed', [task('completed')], 'terminal', false],
    ['closed after a Message', [message()], 'message', false],
    ['ended by us', [task('working')], 'aborted', false],
    ['closed in state unknown', [status('unknown')], 'closed', false],
  ])('%s', (_, events, ended, expected) => {
    const rules = new StreamRules({ dialect: '1.0' })
    for (const event of events) rules.add(event)
    expect(rules.isEarly({ ended, closed: true })).toBe(expected)
  })
})

describe('a subscription', () => {
  const resumed = { taskId: 't1', contextId: 'c1', state: 'working' as const }

  test('starts with the Task in 1.0, but not necessarily in 0.3', () => {
    const events = [working, status('completed', { final: true })]
    expect(breaches(events, { resumed })).toEqual([
      'error stream/resume-first-event: the subscription starts with a status update (working), not with the current task',
    ])
    expect(breaches(events, { resumed, dialect: '0.3' })).toEqual([])
  })

  test('is of the same task, and not older than the stream before it', () => {
    expect(breaches([task('submitted'), done], { resumed })).toEqual([
      'error stream/state-regress: the state changed back from working to submitted (event 1)',
    ])
    expect(breaches([task('working', 't2')], { resumed })).toEqual([
      'error stream/ids: event 1 belongs to task "t2", not to task "t1"',
    ])
  })
})

test('counts events, and keeps the last one', () => {
  const rules = new StreamRules({ dialect: '1.0' })
  expect([rules.events, rules.last, rules.state, rules.taskId]).toEqual([0, 'none', undefined, undefined])
  for (const event of [task('submitted'), working]) rules.add(event)
  expect([rules.events, rules.last, rules.state, rules.taskId]).toEqual([
    2,
    'a status update (working)',
    'working',
    't1',
  ])
})
