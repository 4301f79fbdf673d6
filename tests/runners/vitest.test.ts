import { beforeAll, expect, test } from 'vitest'
import { childRun, type ChildRun } from './child.ts'
import { named, notAwaited, sharedExpectations } from './shared.ts'

let run: ChildRun
beforeAll(async () => {
  run = await childRun('vitest')
})

sharedExpectations(() => run)

test('the run as a whole failed', () => {
  expect(run.code).toBe(1)
})

test.each(['own', 'global'])(
  'a forgotten await in a concurrent test with the %s expect fails that test',
  (whose) => {
    const { status, message } = named(run, `concurrent forgets await, ${whose} expect`)
    expect(status).toBe('failed')
    expect(message).toContain(notAwaited)
    expect(named(run, 'concurrent is innocent').status).toBe('passed')
    expect(run.files.get('concurrent')).toBe('')
  },
)

test('the global expect knows the limit of its concurrent test', () => {
  expect(named(run, 'concurrent reaches its limit, global expect').message).toContain(
    'the test timeout is 3000 ms',
  )
})

test('soft collects our errors', () => {
  const { message } = named(run, 'concurrent keeps going under soft')
  expect(message).toContain('[error] expect(agent).not.toPassSmokeCheck()')
  expect(message).toContain('[error] expect(agent).toHaveValidAgentCard()')
})

test('a poll ends with our message, and leaves one record', () => {
  const { message, meta } = named(run, 'concurrent polls')
  expect(message).toContain('[error] expect(agent).toPassSmokeCheck()')
  expect(meta?.a2a).toHaveLength(1)
})

test('records say which try they belong to', () => {
  const { status, meta } = named(run, 'concurrent tries again')
  expect(status).toBe('passed')
  expect(meta?.a2a?.map(({ retry, outcome }) => [retry, outcome])).toEqual([
    [0, 'error'],
    [1, 'error'],
    [2, 'failed'],
  ])
})
