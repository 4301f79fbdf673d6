import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { scriptedModel } from '../../src/model/scripted.ts'
import { request, thrown } from './request.ts'

describe('a scripted model', () => {
  test('answers in order: with text, data, whole answers, and the results of functions', async () => {
    const model = scriptedModel([
      'Hello',
      { message: 'Hi', status: 'continue' },
      { text: 'Whole', usage: { inputTokens: 1, outputTokens: 2 } },
      ({ role }) => `as ${role}`,
      async () => Promise.resolve({ message: 'later' }),
      { text: 'data', status: 'more than an answer' },
    ])
    const asked = [1, 2, 3, 4, 5, 6].map((index) => request({ seed: index }))
    const answers = []
    for (const each of asked) answers.push(await model.generate(each))
    expect(answers).toEqual([
      { text: 'Hello' },
      { text: '{"message":"Hi","status":"continue"}' },
      { text: 'Whole', usage: { inputTokens: 1, outputTokens: 2 } },
      { text: 'as simulator' },
      { text: '{"message":"later"}' },
      { text: '{"text":"data","status":"more than an answer"}' },
    ])
    expect(model.requests).toEqual(asked)
    expect(model).toMatchObject({ id: 'scripted', scripted: true })
  })

  test('answers by one function', async () => {
    const model = scriptedModel(({ messages }) => `You said ${messages[0]?.content}`, { id: 'echo' })
    await expect(model.generate(request())).resolves.toEqual({ text: 'You said Go on.' })
    await expect(model.generate(request())).resolves.toEqual({ text: 'You said Go on.' })
    expect(model.id).toBe('echo')
  })

  test('throws the errors of its script, also those of another realm', async () => {
    const own = new Error('down')
    const foreign = runInNewContext('new TypeError("elsewhere")') as object
    const model = scriptedModel([own, foreign, () => own])
    await expect(model.generate(request())).rejects.toBe(own)
    await expect(model.generate(request())).rejects.toBe(foreign)
    await expect(model.generate(request())).rejects.toBe(own)
  })

  test.each([
    [[], 'no replies', 1],
    [['a'], '1 reply', 2],
    [['a', 'b'], '2 replies', 3],
  ])('reports the end of its script: %j', async (replies, has, number) => {
    const model = scriptedModel(replies)
    for (const _ of replies) await model.generate(request())
    await expect(thrown(model.generate(request({ role: 'judge' })))).resolves.toMatchObject({
      name: 'A2AModelError',
      code: 'MODEL_ANSWER',
      message: `the scripted model "scripted" has ${has}, but was called ${number} times (now as judge).`,
      fix: 'Add a reply, or use a function of the request instead of a list.',
    })
  })

  test('reports usage if it has that option', async () => {
    const usage = { inputTokens: 3, outputTokens: 4 }
    const own = { inputTokens: 1, outputTokens: 1 }
    const model = scriptedModel(['Hello', { text: 'Hi', usage: own }], { usage })
    await expect(model.generate(request())).resolves.toEqual({ text: 'Hello', usage })
    await expect(model.generate(request())).resolves.toEqual({ text: 'Hi', usage: own })
  })

  test('throws the reason of an aborted signal, and uses no reply', async () => {
    const model = scriptedModel(['Hello'])
    const reason = new Error('over')
    await expect(model.generate(request({ signal: AbortSignal.abort(reason) }))).rejects.toBe(reason)
    await expect(model.generate(request())).resolves.toEqual({ text: 'Hello' })
  })

  test('reports what a function returned instead of a reply', async () => {
    await expect(scriptedModel((() => 7) as never).generate(request())).rejects.toThrow(
      'a function of a scripted model returned 7.',
    )
  })

  test.each([
    [
      [undefined],
      'scriptedModel(): `replies` must be a function of the request, or an array of strings, objects, errors and functions; received undefined.',
    ],
    [
      ['Hello'],
      'scriptedModel(): `replies` must be a function of the request, or an array of strings, objects, errors and functions; received "Hello".',
    ],
    [
      [[7]],
      'scriptedModel(): `replies` must be a function of the request, or an array of strings, objects, errors and functions; received an array of 1.',
    ],
    [[[], { name: 'x' }], 'scriptedModel(): there is no option `name`.'],
    [
      [[], { usage: 7 }],
      'scriptedModel(): `usage` must be an object with inputTokens and outputTokens; received 7.',
    ],
  ])('cannot be created from %j', (given, message) => {
    expect(() => scriptedModel(...(given as [never, never])) as unknown).toThrow(message)
  })
})
