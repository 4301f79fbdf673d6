import { expect, test } from 'vitest'
import { manualClock } from './manualClock.ts'

test('timers fire in order, each at its own time', async () => {
  const clock = manualClock({ start: 0 })
  const fired: [string, number][] = []
  clock.after(20, () => fired.push(['b', clock.now()]))
  clock.after(10, () => {
    fired.push(['a', clock.now()])
    clock.after(5, () => fired.push(['later', clock.now()]))
  })
  const cancel = clock.after(12, () => fired.push(['never', clock.now()]))
  cancel()
  await clock.advance(14)
  expect(fired).toEqual([['a', 10]])
  await clock.advance(100)
  expect(fired).toEqual([
    ['a', 10],
    ['later', 15],
    ['b', 20],
  ])
  expect(clock.now()).toBe(114)
  expect(clock.pending).toBe(0)
})

test('a sleep ends when time comes, or with the reason of its signal', async () => {
  const clock = manualClock()
  const controller = new AbortController()
  const [short, long] = [clock.sleep(50), clock.sleep(1_000, controller.signal)]
  await clock.advance(50)
  await short
  controller.abort('enough')
  await expect(long).rejects.toBe('enough')
  await expect(clock.sleep(1, controller.signal)).rejects.toBe('enough')
  expect(clock.pending).toBe(0)
  expect(clock.sleeps).toEqual([50, 1_000, 1])
})

test('in auto mode a sleep takes no time and time jumps', async () => {
  const clock = manualClock({ start: 0, auto: true })
  let fired = 0
  clock.after(70, () => fired++)
  await clock.sleep(50)
  expect([clock.now(), fired]).toEqual([50, 0])
  await clock.sleep(50)
  expect([clock.now(), fired]).toEqual([100, 1])
})

test('armed() waits for somebody to set a timer', async () => {
  const clock = manualClock()
  let armed = false
  const waiting = clock.armed(2).then(() => (armed = true))
  clock.after(1, () => {})
  await Promise.resolve()
  expect(armed).toBe(false)
  clock.after(1, () => {})
  await waiting
  expect(armed).toBe(true)
})
