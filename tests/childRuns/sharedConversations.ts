import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import type { ChildRun, ChildTest } from './child.ts'
import { named, notAwaited } from './shared.ts'

const { argumentsOnRuns } = createRequire(import.meta.url)('./fixtures/shared/agents.cjs') as {
  argumentsOnRuns: Record<string, unknown[]>
}

/** What must hold for conversations in every runner; `run` returns the child run. */
export function conversationExpectations(run: () => ChildRun): void {
  const of = (title: string): ChildTest => named(run(), `conversations ${title}`)
  const failure = ({ status, message }: ChildTest): string => {
    expect(status).toBe('failed')
    return message
  }

  test.each([
    'passes by script and code',
    'passes by models that are scripted',
    'passes by a model that is served',
  ])('a conversation %s', (title) => {
    expect(of(title)).toMatchObject({ status: 'passed', message: '' })
  })

  test('a conversation that fails says what was not met, and what was said', () => {
    const message = failure(of('fails'))
    expect(message).toContain(
      '[failed] expect(agent).toPassConversation({ script: ["Hi"], successCriteria: [{ … }, { … }] })\n',
    )
    expect(message).toContain('not met: c2 "says goodbye", after 1 turn\n')
    expect(message).toContain('Transcript\n   1 user   Hi\n     agent  Hello\n')
    expect(message).toMatch(/^ +at .*conversations\.cjs:\d+/m)
    expect(failure(of('fails on a conversation that was held'))).toContain(
      '[failed] expect(run).toMeetCriteria([{ … }])\n',
    )
  })

  test('a conversation that nobody awaits fails its test', () => {
    expect(failure(of('forgets await'))).toContain(
      `${notAwaited}\n\nWrite:\n  await expect(agent).toPassConversation({ script: ["Hi"], successCriteria: [{ … }] })`,
    )
  })

  test('at the limit of the test our message comes before the one of the runner, with what was said', () => {
    const message = failure(of('reaches the limit of the test'))
    expect(message).toMatch(/\[(inconclusive|error)\] expect\(agent\)\.toPassConversation\(/)
    expect(message).toMatch(/Fix: +Raise the test timeout, e\.g\. it\(name, fn, \d+_000\)/)
    expect(message).toContain('undecided: c2 "says goodbye"')
    expect(message).toContain('ended after 2 of 2 turns: the deadline passed')
    expect(message).toContain(
      'Transcript\n   1 user   Hi\n     agent  Hello\n   2 user   Are you there?\n     agent  (the deadline passed after ',
    )
    expect(message).not.toMatch(/timed out in|Exceeded timeout/)
  })

  test('converse() ends, and hands over what was said, before the limit of its test', () => {
    expect(of('converses no longer than the limit of the test')).toMatchObject({
      status: 'passed',
      message: '',
    })
  })

  test('trials in a test that the runner tries again give a warning', () => {
    const message = failure(named(run(), 'retry counts trials and is tried again'))
    expect(message).toContain(
      '  ! the runner retries this test once if it fails: an agent that does well in 60 % of its conversations passes 3 trials in 65 %, and with retries in 88 %; set retry to 0 if trials count.',
    )
  })

  test.each(
    ['toPassConversation', 'toMeetCriteria'].flatMap((name) =>
      [
        {
          how: 'throws',
          text: 'judge unavailable after 1 try: the model scripted failed: the judge fell over',
        },
        { how: 'answers no JSON', text: 'the judge gave no usable verdict: no JSON object in the answer' },
        { how: 'is not named', text: 'no model is configured for the judge, which is needed because ' },
      ].map((judge) => ({ name, ...judge })),
    ),
  )('not.$name is never green where the judge $how', ({ name, how, text }) => {
    const message = failure(of(`not ${name} where the judge ${how}`))
    expect(message).toMatch(new RegExp(`\\[error\\] expect\\((agent|run)\\)\\.not\\.${name}\\(`))
    expect(message).toContain(text)
  })

  test.each(
    Object.keys(argumentsOnRuns).flatMap((name) =>
      [
        { kind: 'down', text: /could not connect to 127\.0\.0\.1:\d+: connection refused/ },
        { kind: 'hung', text: /the deadline passed after \d+ ms of waiting for an answer in turn 1/ },
        { kind: 'html', text: /200 text\/html/ },
        { kind: '404', text: /404 text\/html/ },
        { kind: '502', text: /502 text\/html/ },
      ].map((agent) => ({ name, ...agent })),
    ),
  )('not.$name is never green when the agent was $kind', ({ name, kind, text }) => {
    expect(failure(of(`not ${name} ${kind}`))).toMatch(text)
  })
}
