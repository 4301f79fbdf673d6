import { beforeAll, expect, test } from 'vitest'
import { childRun, type ChildRun } from './child.ts'
import { named, notAwaited, sharedExpectations } from './shared.ts'
import { conversationExpectations } from './sharedConversations.ts'

let run: ChildRun
beforeAll(async () => {
  run = await childRun('jest')
})

sharedExpectations(() => run)
conversationExpectations(() => run)

test('the run as a whole failed, and ended on its own', () => {
  expect(run.code).toBe(1)
  expect(run.output).not.toMatch(/did not exit|exit gracefully/)
})

// Jest runs no hooks around concurrent tests, so the file is failed in their place.
test('a forgotten await in a concurrent test fails the file and names the test', () => {
  expect(run.files.get('concurrent')).toContain(
    'Write:\n      await expect(agent).toPassSmokeCheck()  (in "at the same time forgets await")',
  )
  expect(named(run, 'concurrent is innocent').status).toBe('passed')
  expect(named(run, 'concurrent reaches its limit').message).toContain('the test timeout is 3000 ms')
})

test('works without injected globals', () => {
  expect(named(run, 'bare forgets await without globals').message).toContain(notAwaited)
})

test('works where timers are faked from the start', () => {
  expect(named(run, 'faked asks where timers are faked from the start').status).toBe('passed')
  expect(named(run, 'faked reaches the limit where timers are faked from the start').message).toContain(
    'the test timeout is 1000 ms',
  )
})
