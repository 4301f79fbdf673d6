import { expect, test } from 'vitest'
import { a2aAgent, checkSmoke } from '../../src/index.ts'
import type { SendOptions } from '../../src/client/types.ts'

// Nothing listens here: whatever is refused for its options is refused before anything is sent.
const agent = a2aAgent('http://127.0.0.1:9')

test.each([
  [{ contextID: 'c1' }, 'send(): there is no option `contextID`. Did you mean `contextId`?'],
  [{ waitMs: '5' }, 'send(): `waitMs` must be a number of milliseconds of at least 0; received "5".'],
  [{ contextId: '' }, 'send(): `contextId` must be a non-empty string; received "".'],
  [{ after: { text: 'hi' } }, 'send(): `after` must be the reply of an earlier send(); received { text }.'],
  [{ signal: 7 }, 'send(): `signal` must be an AbortSignal; received 7.'],
  [{ force: true }, 'send(): there is no option `force`.'],
  [
    { configuration: { acceptedOutputMode: ['text/plain'] } },
    'send(): there is no option `configuration.acceptedOutputMode`. Did you mean `configuration.acceptedOutputModes`?',
  ],
  [
    { configuration: { historyLength: -1 } },
    'send(): `configuration.historyLength` must be a whole number of at least 0; received -1.',
  ],
  ['c1', 'send(): the options must be an object; received "c1".'],
])('send() refuses %o before anything is sent', async (options, message) => {
  const sent = agent.send('Hi', options as SendOptions)
  await expect(sent).rejects.toMatchObject({ code: 'BAD_OPTIONS', message })
  expect(agent.exchanges).toEqual([])
})

test.each<[() => Promise<unknown>, string]>([
  [
    () => agent.getTask('t1', { history: 3 } as object),
    'getTask(): there is no option `history`. Did you mean `historyLength`?',
  ],
  [() => agent.getTask(''), 'getTask(): `id` must be a non-empty string; received "".'],
  [
    () => agent.cancelTask('t1', { metadata: 7 } as object),
    'cancelTask(): `metadata` must be an object; received 7.',
  ],
  [
    () => agent.listTasks({ state: 'working' } as object),
    'listTasks(): there is no option `query.state`. Did you mean `query.status`?',
  ],
  [() => agent.listTasks({}, { wait: 3 } as object), 'listTasks(): there is no option `wait`.'],
  [
    () => agent.extendedCard({ force: 1 } as object),
    'extendedCard(): `force` must be true or false; received 1.',
  ],
  [
    () => agent.pushConfigs.create('t1', { token: 'hunter2' } as never),
    'pushConfigs.create(): `config.url` must be an absolute http(s) URL such as "http://127.0.0.1:3000/a2a"; received undefined.',
  ],
  [
    () => agent.pushConfigs.create('t1', { url: 'http://127.0.0.1:1', token: 7 } as never),
    'pushConfigs.create(): `config.token` must be a string; received 7.',
  ],
  [
    () => agent.pushConfigs.get('t1', 7 as never),
    'pushConfigs.get(): `id` must be a non-empty string; received 7.',
  ],
  [
    () => agent.pushConfigs.list(undefined as never),
    'pushConfigs.list(): `taskId` must be a non-empty string; received undefined.',
  ],
  [
    () => agent.pushConfigs.delete('t1', ''),
    'pushConfigs.delete(): `id` must be a non-empty string; received "".',
  ],
  [
    () => agent.send(7 as never),
    'send(): `message` must be a string or an array of strings and parts; received 7.',
  ],
  [
    () => checkSmoke('http://127.0.0.1:9', { mesage: 'x' } as object),
    'checkSmoke(): there is no option `mesage`. Did you mean `message`?',
  ],
])('every operation refuses a wrong argument before anything is sent: %s', async (call, message) => {
  await expect(call()).rejects.toMatchObject({ code: 'BAD_OPTIONS', message })
  expect(agent.exchanges).toEqual([])
})

test('stream() and subscribe() throw synchronously', () => {
  expect(() => agent.stream('Hi', { noWait: true } as object)).toThrow(
    'stream(): there is no option `noWait`.',
  )
  expect(() => agent.subscribe('t1', { contextId: 'c1' } as object)).toThrow(
    'subscribe(): there is no option `contextId`.',
  )
})

test('ignores an option that is undefined', async () => {
  const options = { contextId: undefined, signal: undefined } as unknown as SendOptions
  await expect(agent.send('Hi', options)).rejects.toMatchObject({ code: 'UNREACHABLE' })
})
