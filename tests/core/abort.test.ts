import { describe, expect, it } from 'vitest'
import { linkedController, onAbort, orAborted, settlesWithin, throwIfAborted } from '../../src/core/abort.ts'
import { systemClock } from '../../src/core/clock.ts'

const reason = new Error('stopped')
const never = new Promise<never>(() => {})

function aborted(): AbortSignal {
  return AbortSignal.abort(reason)
}

describe('orAborted', () => {
  it('gives the result, or the error, of work that settles first', async () => {
    const { signal } = new AbortController()
    expect(await orAborted(Promise.resolve(1), signal)).toBe(1)
    await expect(orAborted(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken')
  })

  it('rejects with the reason as soon as the signal is aborted', async () => {
    const stop = new AbortController()
    const waiting = orAborted(never, stop.signal)
    stop.abort(reason)
    await expect(waiting).rejects.toBe(reason)
  })

  it('rejects with the given explanation', async () => {
    await expect(orAborted(never, aborted(), () => new Error('too slow'))).rejects.toThrow('too slow')
  })

  it('prefers work that has settled to a signal that is aborted already', async () => {
    expect(await orAborted('done', aborted())).toBe('done')
    await expect(orAborted(never, aborted())).rejects.toBe(reason)
  })

  it('waits for the work if there is no signal', async () => {
    expect(await orAborted(Promise.resolve(1), undefined)).toBe(1)
  })
})

describe('onAbort', () => {
  it('calls the listener at once if the signal is aborted, and never after it was removed', () => {
    const heard: unknown[] = []
    onAbort(aborted(), (why) => heard.push(why))
    const stop = new AbortController()
    const remove = onAbort(stop.signal, (why) => heard.push(why))
    remove()
    stop.abort()
    expect(heard).toEqual([reason])
  })
})

describe('linkedController', () => {
  it('follows the other signal until it is unlinked', () => {
    const outer = new AbortController()
    const following = linkedController(outer.signal)
    const unlinked = linkedController(outer.signal)
    unlinked.unlink()
    outer.abort(reason)
    expect(following.signal.reason).toBe(reason)
    expect(unlinked.signal.aborted).toBe(false)
  })
})

describe('settlesWithin', () => {
  it('says whether work settles in time, even if it fails', async () => {
    expect(await settlesWithin(systemClock, 1, never)).toBe(false)
    expect(await settlesWithin(systemClock, 10_000, Promise.resolve())).toBe(true)
    expect(await settlesWithin(systemClock, 10_000, Promise.reject(reason))).toBe(true)
  })
})

describe('throwIfAborted', () => {
  it('throws the reason of an aborted signal only', () => {
    expect(() => throwIfAborted(aborted())).toThrow(reason)
    expect(() => throwIfAborted(new AbortController().signal)).not.toThrow()
    expect(() => throwIfAborted(undefined)).not.toThrow()
  })
})
