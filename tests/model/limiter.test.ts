import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemClock, type Clock } from '../../src/core/clock.ts'
import { A2AModelError } from '../../src/core/errors.ts'
import { createLimiter, type Limiter } from '../../src/model/limiter.ts'
import { manualClock } from '../support/manualClock.ts'
import { temporaryFolder } from '../support/temporaryFolder.ts'

const never = new AbortController().signal

/** A worker of a run: limiters with clocks of their own share nothing but the folder. */
function worker(folder: string, concurrency: number, clock: Clock = { ...systemClock }): Limiter {
  return createLimiter({ provider: 'p', concurrency, clock, random: () => 0.5, folder })
}

/** Where the files of the provider are. */
function filesOf(folder: string): string {
  return join(folder, createHash('sha256').update('p').digest('hex').slice(0, 16))
}

function left(folder: string): string[] {
  return readdirSync(filesOf(folder)).filter((name) => name !== 'pace.json')
}

/** A call that goes on until it is told to end. */
function call(): { run: () => Promise<string>; started: Promise<void>; end: () => void } {
  let [begin, end] = [(): void => {}, (): void => {}]
  const started = new Promise<void>((resolve) => (begin = resolve))
  const ended = new Promise<string>((resolve) => (end = () => resolve('done')))
  return {
    run: () => {
      begin()
      return ended
    },
    started,
    end: () => end(),
  }
}

function putSlot(folder: string, holder: object, touchedAt: number): void {
  mkdirSync(filesOf(folder), { recursive: true })
  const path = join(filesOf(folder), 'slot-0')
  writeFileSync(path, JSON.stringify(holder))
  utimesSync(path, touchedAt / 1000, touchedAt / 1000)
}

function deadPid(): number {
  return spawnSync(process.execPath, ['-e', '']).pid
}

const limited = (retryAfterMs?: number): (() => Promise<never>) => {
  const error = new A2AModelError('MODEL_UNAVAILABLE', 'slow down', {
    status: 429,
    transient: true,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
  return () => Promise.reject(error)
}

describe('calls to one provider', () => {
  test('go on at the same time up to the limit, over workers', async () => {
    const folder = temporaryFolder()
    const [a, b] = [worker(folder, 2), worker(folder, 2)]
    let [active, most] = [0, 0]
    const counted = async (): Promise<void> => {
      most = Math.max(most, ++active)
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
      active--
    }
    const many = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? a : b).run(counted, never))
    await Promise.all(many)
    expect([most, active]).toEqual([2, 0])
    expect(left(folder)).toEqual([])
    expect([...a.warnings, ...b.warnings]).toEqual([])
  })

  test('wait for each other where another worker has all slots', async () => {
    const folder = temporaryFolder()
    const [first, second] = [call(), call()]
    const one = worker(folder, 1).run(first.run, never)
    await first.started
    let begun = false
    const other = worker(folder, 1).run(() => {
      begun = true
      return second.run()
    }, never)
    await expect.poll(() => left(folder)).toEqual(['slot-0', expect.stringMatching(/^wait-/)])
    expect(begun).toBe(false)
    first.end()
    await expect(one).resolves.toBe('done')
    second.end()
    await expect(other).resolves.toBe('done')
    expect(left(folder)).toEqual([])
  })

  test('are fair to a worker that comes late', async () => {
    const folder = temporaryFolder()
    const order: string[] = []
    const [busy, late] = [worker(folder, 1), worker(folder, 1)]
    const hold = call()
    const held = busy.run(hold.run, never)
    await hold.started
    const own = Array.from({ length: 10 }, () => busy.run(async () => void order.push('busy'), never))
    await expect.poll(() => left(folder)).toHaveLength(2)
    const others = late.run(async () => void order.push('late'), never)
    await expect.poll(() => left(folder)).toHaveLength(3)
    hold.end()
    await Promise.all([held, ...own, others])
    expect(order.indexOf('late')).toBeLessThanOrEqual(2)
  })

  test('give their slot back when they fail', async () => {
    const folder = temporaryFolder()
    const limiter = worker(folder, 1)
    await expect(limiter.run(() => Promise.reject(new Error('no')), never)).rejects.toThrow('no')
    await expect(limiter.run(async () => 'yes', never)).resolves.toBe('yes')
  })

  test('end with the reason of the signal, waiting for a slot or for their turn', async () => {
    const folder = temporaryFolder()
    const limiter = worker(folder, 1)
    const hold = call()
    const held = limiter.run(hold.run, never)
    await hold.started
    const stop = new AbortController()
    const waiting = ['slot', 'turn'].map(() => limiter.run(async () => 'never', stop.signal))
    await expect.poll(() => left(folder)).toHaveLength(2)
    stop.abort(new Error('enough'))
    for (const each of waiting) await expect(each).rejects.toThrow('enough')
    expect(left(folder)).toEqual(['slot-0'])
    hold.end()
    await held
    await expect(limiter.run(async () => 'yes', never)).resolves.toBe('yes')
  })

  test('end with the reason of the signal where the model does not heed it', async () => {
    const folder = temporaryFolder()
    const hold = call()
    const stop = new AbortController()
    const deaf = worker(folder, 1).run(hold.run, stop.signal)
    await hold.started
    stop.abort(new Error('enough'))
    await expect(deaf).rejects.toThrow('enough')
    expect(left(folder)).toEqual([])
    hold.end()
  })

  test('are not made where the signal is aborted already', async () => {
    let asked = 0
    const limiter = worker(temporaryFolder(), 1)
    await expect(limiter.run(async () => ++asked, AbortSignal.abort(new Error('over')))).rejects.toThrow(
      'over',
    )
    expect(asked).toBe(0)
  })
})

describe('a slot that somebody left behind', () => {
  test('is taken over from a process that is dead', async () => {
    const folder = temporaryFolder()
    putSlot(folder, { pid: deadPid(), host: hostname(), token: 't' }, Date.now())
    await expect(worker(folder, 1).run(async () => 'yes', never)).resolves.toBe('yes')
    expect(left(folder)).toEqual([])
  })

  test.each([
    ['a thread that died in a process that lives', { pid: process.pid, host: hostname(), token: 't' }],
    ['another machine, whose processes nobody knows', { pid: deadPid(), host: 'elsewhere', token: 't' }],
    ['nobody knows whom', { half: 'written' }],
  ])('is taken over from %s after 30 s of silence, not before', async (_, holder) => {
    const folder = temporaryFolder()
    const clock = manualClock()
    putSlot(folder, holder, clock.now())
    let answered = false
    const asked = worker(folder, 1, clock).run(async () => void (answered = true), never)
    await clock.armed()
    await clock.advance(29_000)
    expect(answered).toBe(false)
    await clock.advance(2_000)
    await asked
    expect(answered).toBe(true)
  })

  test('is not one that a long call holds: its holder shows that it lives', async () => {
    const folder = temporaryFolder()
    const clock = manualClock()
    const long = call()
    const first = worker(folder, 1, clock).run(long.run, never)
    await long.started
    const stop = new AbortController()
    const second = worker(folder, 1, { ...clock }).run(async () => 'never', stop.signal)
    await clock.armed(2)
    await clock.advance(120_000)
    stop.abort(new Error('still waiting'))
    await expect(second).rejects.toThrow('still waiting')
    long.end()
    await first
  })

  test('is not one of this worker whose file somebody took away', async () => {
    const folder = temporaryFolder()
    const [first, second] = [call(), call()]
    const limiter = worker(folder, 1)
    const one = limiter.run(first.run, never)
    await first.started
    rmSync(join(filesOf(folder), 'slot-0'))
    let begun = false
    const other = limiter.run(() => {
      begun = true
      return second.run()
    }, never)
    await expect.poll(() => left(folder)).toEqual([expect.stringMatching(/^wait-/)])
    expect(begun).toBe(false)
    first.end()
    await one
    second.end()
    await expect(other).resolves.toBe('done')
  })

  test('in the line does not hold up those behind', async () => {
    const folder = temporaryFolder()
    mkdirSync(filesOf(folder), { recursive: true })
    writeFileSync(
      join(filesOf(folder), 'wait-0000000000000001-t'),
      JSON.stringify({ pid: deadPid(), host: hostname(), token: 't' }),
    )
    await expect(worker(folder, 1).run(async () => 'yes', never)).resolves.toBe('yes')
    expect(left(folder)).toEqual([])
  })
})

describe('after a 429', () => {
  test('fewer calls go on at the same time, for all workers', async () => {
    const folder = temporaryFolder()
    await expect(worker(folder, 4).run(limited(), never)).rejects.toThrow('slow down')
    const other = worker(folder, 4)
    const calls = [call(), call(), call()]
    const runs = calls.map(({ run }) => other.run(run, never))
    await calls[1]?.started
    await expect.poll(() => left(folder)).toEqual(['slot-0', 'slot-1', expect.stringMatching(/^wait-/)])
    for (const { end } of calls) end()
    await Promise.all(runs)
  })

  test('no worker calls before the time that was asked for', async () => {
    const folder = temporaryFolder()
    const clock = manualClock()
    const began = clock.now()
    await expect(worker(folder, 4, clock).run(limited(3_000), never)).rejects.toThrow('slow down')
    let at = 0
    const asked = worker(folder, 4, { ...clock }).run(async () => void (at = clock.now()), never)
    await clock.armed()
    await clock.advance(2_900)
    expect(at).toBe(0)
    await clock.advance(1_500)
    await asked
    expect(at - began).toBeGreaterThanOrEqual(3_000)
  })
})

describe('where the folder cannot be used', () => {
  test('the limit holds in this process, and a warning says so', async () => {
    const folder = join(temporaryFolder(), 'file')
    writeFileSync(folder, 'no folder')
    const clock = manualClock()
    const limiter = worker(folder, 1, clock)
    const [first, second] = [call(), call()]
    let begun = false
    const one = limiter.run(first.run, never)
    await first.started
    const two = limiter.run(() => {
      begun = true
      return second.run()
    }, never)
    await clock.armed()
    await clock.advance(10)
    expect(begun).toBe(false)
    first.end()
    second.end()
    await expect(Promise.all([one, two])).resolves.toEqual(['done', 'done'])
    expect(limiter.warnings).toEqual([
      expect.stringMatching(
        /^calls to p are limited in this process alone, not over all workers: the folder .*file cannot be used \(.*(ENOTDIR|EEXIST).*\)\.$/,
      ),
    ])
  })

  test('a 429 slows this process down all the same', async () => {
    const folder = join(temporaryFolder(), 'file')
    writeFileSync(folder, 'no folder')
    const clock = manualClock()
    const limiter = worker(folder, 2, clock)
    await expect(limiter.run(limited(1_000), never)).rejects.toThrow('slow down')
    let answered = false
    const asked = limiter.run(async () => void (answered = true), never)
    await clock.armed()
    await clock.advance(900)
    expect(answered).toBe(false)
    await clock.advance(400)
    await asked
  })
})
