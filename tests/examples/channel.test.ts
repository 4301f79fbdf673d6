import { expect, test, vi } from 'vitest'
import { createChannel } from '../../examples/agents/channel.ts'

test('yields pushed values in order, then ends', async () => {
  const closed = vi.fn()
  const channel = createChannel<number>(closed)
  channel.push(1)
  const read: number[] = []
  const reading = (async () => {
    for await (const value of channel) read.push(value)
  })()
  await expect.poll(() => read).toEqual([1])
  channel.push(2)
  channel.push(3)
  channel.end()
  channel.push(4)
  await reading
  expect(read).toEqual([1, 2, 3])
  expect(closed).toHaveBeenCalledOnce()
})

test('a reader that stops while waiting closes the channel', async () => {
  const closed = vi.fn()
  const channel = createChannel<number>(closed)
  const reader = channel[Symbol.asyncIterator]()
  const waiting = reader.next()
  await reader.return?.()
  expect(await waiting).toEqual({ done: true, value: undefined })
  expect(closed).toHaveBeenCalledOnce()
})
