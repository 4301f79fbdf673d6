import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { asyncMatcherNames } from '../support/asyncMatcherNames.ts'
import type { ChildRun, ChildTest } from './child.ts'

const { argumentsOf, argumentsOnRuns } = createRequire(import.meta.url)('./fixtures/shared/agents.cjs') as {
  argumentsOf: Record<string, unknown[]>
  argumentsOnRuns: Record<string, unknown[]>
}

export const notAwaited = '[error] a matcher was not awaited: the test would pass whatever the agent does.'

/** A test of the child run, which must be there. */
export function named(run: ChildRun, name: string): ChildTest {
  const found = run.tests.get(name)
  if (found === undefined) throw new Error(`no test "${name}" among:\n${[...run.tests.keys()].join('\n')}`)
  return found
}

/** What must hold in every runner; `run` gives the child run. */
export function sharedExpectations(run: () => ChildRun): void {
  const of = (title: string): ChildTest => named(run(), `cases ${title}`)
  const failure = (title: string): string => {
    const { status, message } = of(title)
    expect(status).toBe('failed')
    return message
  }

  test('a good agent passes, also under resolves and not', () => {
    expect(of('passes')).toMatchObject({ status: 'passed' })
  })

  test('a promise that the test returns is awaited', () => {
    expect(of('returns the promise instead of awaiting it').status).toBe('passed')
    expect(of('returns what follows the promise').status).toBe('passed')
    expect(failure('returns the promise of a failure')).toContain('Expected: a reply that contains "Goodbye"')
  })

  test('a failure says what was expected, in both polarities, and points at its line', () => {
    expect(failure('fails')).toContain('[failed] expect(agent).toReply("Hi", "Goodbye")\n')
    expect(failure('fails')).toMatch(/Expected: a reply that contains "Goodbye"\nReceived: .*Hello/)
    expect(failure('fails')).toMatch(/^ +at .*cases\.cjs:\d+/m)
    expect(failure('fails under not')).toContain('[failed] expect(agent).not.toReply("Hi", "Hello")\n')
    expect(failure('fails under not')).toContain('Expected: not a reply that contains "Hello"')
  })

  test('a forgotten await fails its own test, and points at its line', () => {
    expect(failure('forgets await')).toContain(
      `${notAwaited}\n\nWrite:\n  await expect(agent).toPassSmokeCheck()`,
    )
    expect(failure('forgets await')).toMatch(/^ +at .*cases\.cjs:\d+/m)
    expect(failure('forgets await under not, after something else')).toContain(
      'Write:\n  await expect(agent).not.toReply("Hi", "x")',
    )
    expect(of('stands next to forgotten ones').status).toBe('passed')
  })

  test('a forgotten await is found also when the matcher was quicker than the test', () => {
    const message = failure('forgets await of a quick one')
    expect(message).toContain(notAwaited)
    expect(message).toContain('It would have failed with:\n\n[error] expect(agent).toPassSmokeCheck()')
    expect(message).toContain('connection refused')
  })

  test('a test that fails on its own says nothing about a forgotten await', () => {
    expect(failure('forgets await, but fails on its own')).toContain('on its own')
    expect(failure('forgets await, but fails on its own')).not.toContain('awaited')
  })

  test.each(['nests', 'nests under not'])('%s: a TypeError that says what to write', (title) => {
    expect(failure(title)).toContain(
      'TypeError: [error] toPassSmokeCheck cannot be used inside another matcher, because it has to wait for the agent.',
    )
    expect(failure(title)).toContain('  await expect(agent).not.toPassSmokeCheck(…)')
  })

  test.each(['reaches the limit of the test', 'reaches the limit under fake timers'])(
    '%s: our message comes before the one of the runner',
    (title) => {
      expect(failure(title)).toMatch(
        /Error: the agent did not answer within \d+ ms; the test timeout is 1000 ms\n/,
      )
      expect(failure(title)).toContain('Fix:   Raise the test timeout, e.g. it(name, fn, 60_000)')
      expect(failure(title)).toContain('GET http://127.0.0.1:')
    },
  )

  test('the limit that the runner itself sets counts as well as one of the test', () => {
    const { status, message } = named(run(), 'limit has no limit of its own')
    expect(status).toBe('failed')
    expect(message).toMatch(/Error: the agent did not answer within \d+ ms; the test timeout is 5000 ms\n/)
    expect(message).toContain('Fix:   Raise the test timeout')
    expect(message).not.toMatch(/timed out in|Exceeded timeout/)
  })

  test('the time that hooks take is not taken from the test', () => {
    const within = /did not answer within (\d+) ms; the test timeout is 1000 ms/.exec(
      failure('has the whole limit'),
    )
    // The hook took 700 ms, and a tenth of the limit is kept free.
    expect(Number(within?.[1])).toBeGreaterThan(200)
  })

  test('deadlineMs ends the matcher alone', () => {
    expect(failure('reaches deadlineMs')).toContain(
      'the agent did not answer within 150 ms, the option deadlineMs',
    )
  })

  test('fake timers neither hang a request nor void a limit', () => {
    expect(of('asks under fake timers')).toMatchObject({ status: 'passed' })
  })

  test('a wrong option throws under not too', () => {
    expect(failure('has a wrong option')).toContain(
      'toHaveValidAgentCard(): there is no option `failon`. Did you mean `failOn`?',
    )
  })

  test('every awaited matcher is called with arguments that it takes', () => {
    const known = [...Object.keys(argumentsOf), ...Object.keys(argumentsOnRuns)]
    expect(known.toSorted()).toEqual([...asyncMatcherNames].toSorted())
  })

  test.each(
    Object.keys(argumentsOf).flatMap((name) =>
      ['down', 'hung', 'html', '404', '502'].map((kind) => ({ name, kind })),
    ),
  )('not.$name is never green when the agent is $kind', ({ name, kind }) => {
    const message = failure(`not ${name} ${kind}`)
    expect(message).toContain(`[error] expect(agent).not.${name}(`)
    expect(message).toMatch(
      {
        down: /could not connect to 127\.0\.0\.1:\d+: connection refused/,
        // A conversation ends a little before its matcher, which is told instead where the machine is too busy for that.
        hung: /(the deadline passed after \d+ ms of waiting for an answer in turn 1|the agent did not answer within \d+ ms; the test timeout is 1000 ms)/,
        html: /200 text\/html/,
        404: /404 text\/html/,
        502: /502 text\/html/,
      }[kind] ?? /^$/,
    )
    expect(message).toContain('Fix:')
  })

  test('a simulated browser is refused, with the docblock to add', () => {
    const { status, message } = named(run(), 'dom runs in a simulated browser')
    expect(status).toBe('failed')
    expect(message).toContain('[error] expect(agent).not.toPassSmokeCheck()')
    expect(message).toMatch(
      /the test environment jsdom does not have: put (\/\/ @vitest-environment node|\/\*\* @jest-environment node \*\/) on the first line/,
    )
  })

  test('what a hook forgot to await fails the file, and blames no test', () => {
    expect(run().files.get('hook')).toContain('[error] a matcher was not awaited: the file would pass')
    expect(run().files.get('hook')).toContain('so the failure cannot be attributed to one test.')
    expect(named(run(), 'hook is innocent of its hooks').status).toBe('passed')
  })
}
