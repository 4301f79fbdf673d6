import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { OpenCallsOptions } from '../../src/model/calls.ts'
import { loadTape } from '../../src/model/cassette/file.ts'
import type { Model, ModelAnswer, ModelRequest } from '../../src/model/types.ts'
import { resetConfiguration } from '../support/configuration.ts'
import { manualClock } from '../support/manualClock.ts'
import { temporaryFolder } from '../support/temporaryFolder.ts'
import { thrown } from './request.ts'
import { live, open, at, judge, say, conversation, fileIn, read, recorded } from './tape.ts'

beforeEach(resetConfiguration)

describe('recording and replaying', () => {
  test('gives the same answers each time, and calls no model', async () => {
    const folder = temporaryFolder()
    const first = open({ folder, mode: 'record' })
    const answers = await conversation(first)
    const text = readFileSync(fileIn(folder), 'utf8')
    expect(answers.map((answer) => answer.text)).toEqual(['answer 1', 'answer 2', 'answer 3'])
    expect(first.replay).toEqual({ simulator: 0, judge: 0, check: 0, agent: 0, live: 3 })
    const model = live()
    const replays = [1, 2].map(() => open({ folder, mode: 'replay', model }))
    for (const replay of replays) {
      expect(await conversation(replay)).toEqual(answers)
      expect(replay.replay).toEqual({ simulator: 2, judge: 1, check: 0, agent: 0, live: 0 })
      // A replay costs nothing.
      expect(replay.usage).toEqual({ unreported: 0 })
      expect(replay.warnings).toEqual([])
    }
    expect(model.asked).toBe(0)
    expect(readFileSync(fileIn(folder), 'utf8')).toBe(text)
  })

  test('gives the same file for the same conversation, in any order of the calls', async () => {
    const texts: string[] = []
    for (const order of [
      [1, 2, 3],
      [3, 1, 2],
    ]) {
      const folder = temporaryFolder()
      const calls = open({
        folder,
        mode: 'record',
        model: live('m', () => ({ text: 'same', usage: { inputTokens: 1, outputTokens: 1 } })),
      })
      for (const turn of order) await calls.ask(say(`turn ${turn}`), at(turn))
      await calls.close('passed')
      texts.push(readFileSync(fileIn(folder), 'utf8'))
    }
    expect(texts[0]).toBe(texts[1])
  })

  test('writes a readable file, with sorted keys and each prompt once', async () => {
    const folder = temporaryFolder()
    const model = live('gpt-x', (nth) =>
      nth === 3 ? { text: '{"verdict":"met","because":["polite"]}' } : { text: 'one\ntwo' },
    )
    await conversation(open({ folder, mode: 'record', model }))
    const [system, begin, hello, judgeSystem, judged] = [
      'You are the user.',
      'begin',
      'hello there',
      'You judge.',
      'Criteria',
    ].map((start) => {
      const texts = read(folder)['texts'] as Record<string, string | string[]>
      return Object.keys(texts).find(
        (key) => (Array.isArray(texts[key]) ? texts[key][0] : texts[key]) === start,
      )
    })
    const simulated = { attempt: 1, model: 'gpt-x', role: 'simulator', system, trial: 1 }
    expect(read(folder)).toEqual({
      calls: [
        {
          ...simulated,
          turn: 1,
          messages: [{ role: 'user', text: begin }],
          answer: { text: ['one', 'two'], usage: { inputTokens: 10, outputTokens: 1 } },
        },
        {
          ...simulated,
          turn: 2,
          messages: [{ role: 'user', text: hello }],
          answer: { text: ['one', 'two'], usage: { inputTokens: 20, outputTokens: 2 } },
        },
        {
          answer: {
            data: { verdict: 'met', because: ['polite'] },
            usage: { inputTokens: 30, outputTokens: 3 },
          },
          attempt: 1,
          messages: [{ role: 'user', text: judged }],
          model: 'gpt-x',
          role: 'judge',
          schema: expect.stringMatching(/^verdicts [0-9a-f]{12}$/) as string,
          system: judgeSystem,
          temperature: 0,
          trial: 1,
          turn: 2,
        },
      ],
      models: { judge: 'gpt-x', simulator: 'gpt-x' },
      outcome: 'passed',
      schemaVersion: 1,
      test: 'books a table',
      texts: expect.any(Object) as object,
    })
    const text = readFileSync(fileIn(folder), 'utf8')
    expect(text.match(/You are the user\./g)).toHaveLength(1)
    expect(text).not.toMatch(/\b20\d\d-|Z"|header|authorization|17\d{11}/i)
    expect(text.endsWith('}\n')).toBe(true)
    const keys = Object.keys(read(folder))
    expect(keys).toEqual(keys.toSorted())
    for (const call of read(folder)['calls'] as object[]) {
      expect(Object.keys(call)).toEqual(Object.keys(call).toSorted())
    }
  })

  test.each<[string, Partial<ModelAnswer>]>([
    ['text of several lines', { text: 'a\r\nb\n\n' }],
    ['no text', { text: '' }],
    ['JSON, compact', { text: '{"b":1,"a":[true,null,"x\\n"]}' }],
    ['JSON, indented', { text: '{\n  "b": 1,\n  "a": {}\n}' }],
    ['JSON in another form', { text: '{ "b": 1,\n "b": 2, "10": 0, "9": 0 }' }],
    ['a JSON string', { text: '"quoted"' }],
    ['data with another text', { text: 'see data', json: { a: 1 } }],
    ['data with the same text', { text: '{"a":1}', json: { a: 1 } }],
    ['data that is null', { text: 'null', json: null }],
    ['half of a pair, and a zero', { text: '\ud83d\u0000"\\' }],
  ])('keeps %s to the byte', async (_, answer) => {
    const folder = temporaryFolder()
    const model: Model = { id: 'm', generate: async () => ({ text: '', ...answer }) }
    const first = open({ folder, mode: 'record', model })
    await first.ask(say('go'), at(1))
    await first.close('passed')
    await expect(open({ folder, mode: 'replay', model }).ask(say('go'), at(1))).resolves.toEqual(answer)
  })

  test('ignores the value of a nonce', async () => {
    const folder = temporaryFolder()
    const fenced = (nonce: string): ModelRequest =>
      judge('c1', {
        nonce,
        system: `Between ${nonce} and ${nonce}`,
        messages: [{ role: 'user', content: `<<${nonce}>>` }],
      })
    const first = open({
      folder,
      mode: 'record',
      model: live('m', () => ({ text: 'at 8f3a61c0', json: ['8f3a61c0'] })),
    })
    await first.ask(fenced('8f3a61c0'), at(1))
    await first.close('failed')
    expect(readFileSync(fileIn(folder), 'utf8')).not.toContain('8f3a61c0')
    const answer = await open({ folder, mode: 'replay', model: live('m') }).ask(fenced('77777777'), at(1))
    expect(answer).toMatchObject({ text: 'at <nonce>', json: ['<nonce>'] })
  })

  test('distinguishes trials and votes with the same request', async () => {
    const folder = temporaryFolder()
    const places = [at(1, 1, 1), at(1, 2, 1), at(1, 1, 2)]
    const first = open({ folder, mode: 'record' })
    for (const place of places) await first.ask(judge('c1'), place)
    await first.close('failed')
    const second = open({ folder, mode: 'replay' })
    const answers = await Promise.all(places.toReversed().map((place) => second.ask(judge('c1'), place)))
    expect(answers.map((answer) => answer.text)).toEqual(['answer 3', 'answer 2', 'answer 1'])
  })

  test('replays without a key, a package, or the name of a model', async () => {
    const folder = await recorded()
    const named = open({
      folder,
      mode: 'replay',
      options: { simulator: { model: 'gpt-x' }, judge: { model: 'gpt-x' } },
    })
    expect(await conversation(named)).toHaveLength(3)
    const nameless = open({ folder, mode: 'replay', options: { simulator: {}, judge: {} } })
    expect(await nameless.idOf('judge')).toBe('gpt-x')
    expect(await conversation(nameless)).toHaveLength(3)
  })
})

test('the cassette of the examples can be read', async () => {
  const tape = await loadTape('examples/a2a-cassettes/small-model.json')
  expect(tape?.recordings.length).toBeGreaterThan(1)
  expect(tape?.recordings.map(({ role }) => role)).toContain('simulator')
  for (const { asked } of tape?.recordings ?? []) expect(asked.system).not.toBe('')
})

describe('what is written', () => {
  test('is labelled with the outcome, also an error', async () => {
    for (const outcome of ['passed', 'failed', 'inconclusive', 'invalid', 'error']) {
      const folder = temporaryFolder()
      const calls = open({ folder, mode: 'record' })
      await calls.ask(say('begin'), at(1))
      await calls.close(outcome)
      expect(read(folder)['outcome']).toBe(outcome)
      expect(readdirSync(folder)).toEqual(['books-a-table.json'])
    }
  })

  test('replaces the old file as a whole, and only at the end', async () => {
    const folder = await recorded()
    const old = readFileSync(fileIn(folder), 'utf8')
    const calls = open({ folder, mode: 'record' })
    await calls.ask(say('otherwise'), at(1))
    expect(readFileSync(fileIn(folder), 'utf8')).toBe(old)
    await calls.close('passed')
    expect(read(folder)['calls']).toHaveLength(1)
  })

  test('is nothing if nothing was asked', async () => {
    const folder = await recorded()
    const old = readFileSync(fileIn(folder), 'utf8')
    await open({ folder, mode: 'record' }).close('error')
    expect(readFileSync(fileIn(folder), 'utf8')).toBe(old)
  })

  test('contains no secrets', async () => {
    const folder = temporaryFolder()
    const answer = { text: 'the code is hunter2-code', json: { token: 'Bearer abcdefgh12345678' } }
    const options: Partial<OpenCallsOptions> = {
      secrets: () => ['hunter2-code'],
      redact: (text) => text.replaceAll('Mrs Smith', 'somebody'),
      cassette: { folder, mode: 'record', redact: (text) => text.replaceAll('Elm Street', 'a street') },
      deps: { clock: manualClock(), env: { OPENAI_API_KEY: 'my-very-own-key' } },
    }
    const model = live('m', () => answer)
    const asked = say('Mrs Smith, Elm Street, hunter2-code, my-very-own-key', {
      system: 'Token: hunter2-code',
    })
    const first = open({ folder, model, options })
    await expect(first.ask(asked, at(1))).resolves.toMatchObject(answer)
    await first.close('passed')
    const text = readFileSync(fileIn(folder), 'utf8')
    for (const secret of ['hunter2', 'abcdefgh', 'Smith', 'Elm', 'my-very'])
      expect(text).not.toContain(secret)
    expect(text).toContain('somebody, a street, <hidden>, <hidden>')
    expect(first.warnings).toEqual([
      expect.stringMatching(
        /^a secret was removed from an answer in .*books-a-table\.json \(simulator, trial 1, turn 1, attempt 1\): its replay differs there\.$/,
      ),
    ])
    const second = open({
      folder,
      model,
      options: {
        ...options,
        cassette: { folder, mode: 'replay', redact: (all) => all.replaceAll('Elm Street', 'a street') },
      },
    })
    await expect(second.ask(asked, at(1))).resolves.toMatchObject({ text: 'the code is <hidden>' })
  })

  test('goes to a folder that is created when it is needed', async () => {
    const folder = join(temporaryFolder(), 'deep', 'tapes')
    const calls = open({ folder, mode: 'record', options: {} })
    expect(existsSync(folder)).toBe(false)
    await conversation(calls)
    expect(readdirSync(folder)).toEqual(['books-a-table.json'])
  })

  test('a file that cannot be written is reported', async () => {
    const folder = join(temporaryFolder(), 'file')
    writeFileSync(folder, 'no folder')
    const calls = open({ folder, mode: 'record', options: {} })
    await calls.ask(say('begin'), at(1))
    const error = await thrown(calls.close('passed'))
    expect(error).toMatchObject({
      code: 'CASSETTE',
      message: expect.stringMatching(
        /^the cassette .*books-a-table\.json cannot be written: .*(EEXIST|ENOTDIR)/,
      ) as string,
      fix: 'Make its folder writable, set another one with `cassettes.folder`, or switch cassettes off.',
    })
  })
})
