import { expect, test, vi } from 'vitest'
import { isCalledBy, ObservedPromise } from '../../src/runners/observedPromise.ts'

const observed = (): { promise: Promise<number>; onAwaited: ReturnType<typeof vi.fn> } => {
  const onAwaited = vi.fn()
  const promise = new ObservedPromise<number>((resolve) => resolve(1), onAwaited)
  return { promise, onAwaited }
}

test.each<[string, (promise: Promise<number>) => Promise<number>]>([
  ['nothing', (promise) => promise],
  ['then', (promise) => promise.then((value) => value + 1)],
  ['then and catch', (promise) => promise.then((value) => value + 1).catch(() => 0)],
])('what a runner chains at once is not waiting: %s', async (_, chain) => {
  const { promise, onAwaited } = observed()
  const given = chain(promise)
  await new Promise((resolve) => setImmediate(resolve))
  expect(onAwaited).not.toHaveBeenCalled()
  expect(await given).toBeGreaterThan(0)
  expect(onAwaited).toHaveBeenCalledOnce()
})

test.each<[string, (promise: Promise<number>) => Promise<unknown>]>([
  ['await', async (promise) => await promise],
  ['return from an async function', async (promise) => promise],
  ['Promise.all', (promise) => Promise.all([promise])],
  ['Promise.race', (promise) => Promise.race([promise])],
  ['a later then', (promise) => Promise.resolve().then(() => promise.then(String))],
])('%s is', async (_, wait) => {
  const { promise, onAwaited } = observed()
  await wait(promise.then((value) => value))
  expect(onAwaited).toHaveBeenCalledOnce()
})

test('a link that the runner did not create counts as awaited, even before the call returns', async () => {
  const onAwaited = vi.fn()
  const root = new ObservedPromise<number>(
    (resolve) => resolve(1),
    onAwaited,
    () => isCalledBy('throwingMatcher'),
  )
  const throwingMatcher = (): Promise<number> => root.then((value) => value + 1).catch(() => 0)
  const given = throwingMatcher()
  expect(onAwaited).not.toHaveBeenCalled()
  const followed = given.then(String)
  expect(onAwaited).toHaveBeenCalledOnce()
  expect(await followed).toBe('2')
})
