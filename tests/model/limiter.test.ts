import { describe, expect, test } from 'vitest'
import type { Clock } from '../../src/core/clock.ts'
import { A2AModelError } from '../../src/core/errors.ts'
import { Limiter, limiterOf } from '../../src/model/limiter.ts'
import { manualClock } from '../support/manualClock.ts'

const never = new AbortController().signal

const limiter = (clock: Clock = manualClock(), random = 0.5): Limiter =>
  new Limiter({ clock, random: () => random })

/** A call that runs until `end()`. */
function call(): {
  run: () => Promise<string>
  started: Promise<void>
  isStarted: () => boolean
  end: () => void
} {
  let [start, end] = [(): void => {}, (): void => {}]
  let isStarted = false
  const started = new Promise<void>((resolve) => (start = resolve))
  const ended = new Promise<string>((resolve) => (end = () => resolve('done')))
  return {
    run: () => {
      isStarted = true
      start()
      return ended
    },
    started,
    isStarted: () => isStarted,
    end: () => end(),
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

const refused = (retryAfterMs?: number): (() => Promise<never>) => {
  const error = new A2AModelError('MODEL_UNAVAILABLE', 'the model m answered 429: "slow down".', {
    status: 429,
    transient: true,
    fix: 'Lower the concurrency.',
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
  return () => Promise.reject(error)
}

describe('calls to one provider', () => {
  test('run at the same time up to the limit', async () => {
    const calls = limiter()
    let [active, most] = [0, 0]
    const counted = async (): Promise<void> => {
      most = Math.max(most, ++active)
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
      active--
    }
    await Promise.all(Array.from({ length: 8 }, () => calls.run(2, counted, never)))
    expect([most, active]).toEqual([2, 0])
  })

  test('are started in the order in which they came', async () => {
    const calls = limiter()
    const order: number[] = []
    const first = call()
    const running = calls.run(1, first.run, never)
    const others = [1, 2, 3].map((nth) => calls.run(1, async () => order.push(nth), never))
    first.end()
    await Promise.all([running, ...others])
    expect(order).toEqual([1, 2, 3])
  })

  test('free their place when they fail', async () => {
    const calls = limiter()
    await expect(calls.run(1, () => Promise.reject(new Error('no')), never)).rejects.toThrow('no')
    await expect(calls.run(1, async () => 'yes', never)).resolves.toBe('yes')
  })

  test('end with the reason of the signal while they wait, and leave no gap', async () => {
    const calls = limiter()
    const first = call()
    const running = calls.run(1, first.run, never)
    const stop = new AbortController()
    const waiting = [1, 2].map(() => calls.run(1, async () => 'never', stop.signal))
    const last = calls.run(1, async () => 'yes', never)
    stop.abort(new Error('enough'))
    for (const each of waiting) await expect(each).rejects.toThrow('enough')
    first.end()
    await expect(Promise.all([running, last])).resolves.toEqual(['done', 'yes'])
  })

  test('end with the reason of the signal if the model ignores it, and free their place', async () => {
    const calls = limiter()
    const deaf = call()
    const stop = new AbortController()
    const running = calls.run(1, deaf.run, stop.signal)
    await deaf.started
    stop.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
    await expect(calls.run(1, async () => 'yes', never)).resolves.toBe('yes')
    deaf.end()
  })

  test('are not made if the signal is already aborted', async () => {
    let made = 0
    const over = AbortSignal.abort(new Error('over'))
    await expect(limiter().run(1, async () => ++made, over)).rejects.toThrow('over')
    expect(made).toBe(0)
  })
})

describe('after a 429', () => {
  test('half as many calls run at the same time', async () => {
    const calls = limiter()
    await expect(calls.run(4, refused(), never)).rejects.toThrow('slow down')
    const three = [call(), call(), call()]
    const runs = three.map(({ run }) => calls.run(4, run, never))
    await settled()
    expect(three.map(({ isStarted }) => isStarted())).toEqual([true, true, false])
    for (const { end } of three) end()
    await Promise.all(runs)
  })

  test('no call starts before the time that was asked for', async () => {
    const clock = manualClock()
    const calls = limiter(clock)
    const before = clock.now()
    await expect(calls.run(4, refused(3_000), never)).rejects.toThrow('slow down')
    expect(calls.pauseReason).toBe('the model m answered 429: "slow down".')
    let at = 0
    const waiting = calls.run(4, async () => void (at = clock.now()), never)
    await clock.advance(2_999)
    expect(at).toBe(0)
    await clock.advance(500)
    await waiting
    // With half of the jitter of 250 ms.
    expect(at - before).toBe(3_125)
    expect(calls.pauseReason).toBeUndefined()
  })

  test('a pause ends with the last call that waits for it', async () => {
    const clock = manualClock()
    const calls = limiter(clock)
    await expect(calls.run(4, refused(3_000), never)).rejects.toThrow('slow down')
    const stop = new AbortController()
    const waiting = calls.run(4, async () => 'never', stop.signal)
    await clock.armed()
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    expect(clock.pending).toBe(0)
  })

  test('a call fails immediately if the pause is too long for a test, also one that waits already', async () => {
    const clock = manualClock()
    const calls = limiter(clock)
    const running = call()
    const first = calls.run(1, () => running.run().then(refused(3_600_000)), never)
    let made = 0
    const waiting = calls.run(1, async () => ++made, never)
    running.end()
    await expect(first).rejects.toThrow('slow down')
    await expect(waiting).rejects.toMatchObject({ status: 429, retryAfterMs: 3_600_000 })

    await clock.advance(12_000)
    await expect(calls.run(1, async () => ++made, never)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: 'the model m answered 429: "slow down".',
      fix: 'Lower the concurrency.',
      transient: true,
      retryAfterMs: 3_588_000,
    })
    expect([made, clock.pending]).toEqual([0, 0])

    await clock.advance(3_588_000)
    await expect(calls.run(1, async () => ++made, never)).resolves.toBe(1)
  })

  test('that no waiting fixes, nothing slows down', async () => {
    const calls = limiter()
    const noQuota = new A2AModelError('MODEL_REFUSED', 'no quota', { status: 429 })
    await expect(calls.run(2, () => Promise.reject(noQuota), never)).rejects.toThrow('no quota')
    const two = [call(), call()]
    const runs = two.map(({ run }) => calls.run(2, run, never))
    await settled()
    expect(two.map(({ isStarted }) => isStarted())).toEqual([true, true])
    for (const { end } of two) end()
    await Promise.all(runs)
  })
})

test('conversations share the limiter of a provider', () => {
  const deps = { clock: manualClock(), random: () => 0.5 }
  expect(limiterOf('p', deps)).toBe(limiterOf('p', { ...deps }))
  expect(limiterOf('p', deps)).not.toBe(limiterOf('q', deps))
})
