import { expect, test } from 'vitest'
import { a2aAgent } from '../../src/index.ts'
import type { SendOptions } from '../../src/client/types.ts'

// Nothing listens here: whatever is refused for its options is refused before anything is sent.
const agent = a2aAgent('http://127.0.0.1:9')

test.each([
  [{ contextID: 'c1' }, 'send() has no option "contextID". Did you mean "contextId"?'],
  [{ waitMs: '5' }, 'the option "waitMs" of send() must be a number of at least 0, but is "5".'],
  [{ contextId: '' }, 'the option "contextId" of send() must be a string that is not empty, but is "".'],
  [
    { after: { text: 'hi' } },
    'the option "after" of send() must be the reply of an earlier send(), but is an object with text.',
  ],
  [{ signal: 7 }, 'the option "signal" of send() must be an AbortSignal, but is 7.'],
  [{ force: true }, 'send() has no option "force".'],
  [
    { configuration: { acceptedOutputMode: ['text/plain'] } },
    'configuration of send() has no option "acceptedOutputMode". Did you mean "acceptedOutputModes"?',
  ],
  [
    { configuration: { historyLength: -1 } },
    'the option "historyLength" of configuration of send() must be a whole number of at least 0, but is -1.',
  ],
  ['c1', 'the options of send() must be an object, but are "c1".'],
])('send() refuses %o before anything is sent', async (options, message) => {
  const sent = agent.send('Hi', options as SendOptions)
  await expect(sent).rejects.toMatchObject({ code: 'BAD_OPTIONS', message })
  expect(agent.exchanges).toEqual([])
})

test('stream() and subscribe() refuse at the call', () => {
  expect(() => agent.stream('Hi', { noWait: true } as object)).toThrow('stream() has no option "noWait".')
  expect(() => agent.subscribe('t1', { contextId: 'c1' } as object)).toThrow(
    'subscribe() has no option "contextId".',
  )
})

test('an option that is undefined was not given', async () => {
  const options = { contextId: undefined, signal: undefined } as unknown as SendOptions
  await expect(agent.send('Hi', options)).rejects.toMatchObject({ code: 'UNREACHABLE' })
})
