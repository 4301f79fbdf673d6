import { mkdirSync, writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CallPlace, ModelRequest } from '../../src/model/types.ts'
import { resetConfiguration } from '../support/configuration.ts'
import { manualClock } from '../support/manualClock.ts'
import { temporaryFolder } from '../support/temporaryFolder.ts'
import { request, thrown } from './request.ts'
import { live, open, at, judge, say, conversation, fileIn, read, recorded } from './tape.ts'

beforeEach(resetConfiguration)

describe('a miss', () => {
  test.each<[string, () => ModelRequest, CallPlace, RegExp]>([
    [
      'of a message',
      () => judge('c1 very polite'),
      at(2),
      /no recording in \S*books-a-table\.json for the judge's call \(trial 1, turn 2, attempt 1\): the request has changed since: message 1 was "Criteria\\nc1 polite\\n\\nTranscript\\nuser: hello" and is now "Criteria\\nc1 very polite\\n\\nTranscript\\nuser: hello"\.$/,
    ],
    [
      'of the system text',
      () => judge('c1 polite', { system: 'You judge.\nAll counts.' }),
      at(2),
      /: system was "You judge\.\\nOnly what is written counts\." and is now "You judge\.\\nAll counts\."\.$/,
    ],
    [
      'of the temperature',
      () => judge('c1 polite', { temperature: 1 }),
      at(2),
      /: temperature was 0 and is now 1\.$/,
    ],
    [
      'of the schema',
      () => judge('c1 polite', { schema: { name: 'verdicts', definition: {} } }),
      at(2),
      /: schema was "verdicts [0-9a-f]+" and is now "verdicts [0-9a-f]+"\.$/,
    ],
    [
      'of a missing schema',
      () =>
        request({
          role: 'judge',
          system: 'You judge.\nOnly what is written counts.',
          messages: judge('c1 polite').messages,
          temperature: 0,
        }),
      at(2),
      /: schema was "verdicts [0-9a-f]+" and is now not set\.$/,
    ],
    [
      'of the number of messages',
      () =>
        say('begin', {
          messages: [
            { role: 'user', content: 'begin' },
            { role: 'assistant', content: 'x' },
          ],
        }),
      at(1),
      /: number of messages was 1 and is now 2\.$/,
    ],
    [
      'of several fields',
      () => say('begin', { system: 'S', messages: [], temperature: 1, seed: 3 }),
      at(1),
      /: system was "You are the user\." and is now "S"; number of messages was 1 and is now 0; temperature, seed changed too\.$/,
    ],
    [
      'of a turn',
      () => say('more'),
      at(3),
      /for the simulator's call \(trial 1, turn 3, attempt 1\): it was not recorded; what was: simulator in trial 1, turn 1, attempt 1; simulator in trial 1, turn 2, attempt 1\.$/,
    ],
    [
      'of a role',
      () => say('begin', { role: 'check' }),
      at(2),
      /for the simulator check's call .*: the simulator check was never recorded\.$/,
    ],
  ])('%s is reported', async (_, asked, place, message) => {
    const folder = await recorded()
    const error = await thrown(open({ folder, mode: 'replay' }).ask(asked(), place))
    expect(error).toMatchObject({ name: 'A2AModelError', code: 'CASSETTE_MISS' })
    expect(error['message']).toMatch(message)
    expect(error['fix']).toContain('Record it again')
  })

  test('of the model is reported', async () => {
    const folder = await recorded()
    const calls = open({ folder, mode: 'replay', model: live('gpt-y') })
    await expect(calls.ask(say('begin'), at(1))).rejects.toThrow(
      'changed since: model was "gpt-x" and is now "gpt-y".',
    )
  })

  test('of a call that is made more often than recorded is reported', async () => {
    const folder = await recorded()
    const calls = open({ folder, mode: 'replay' })
    await calls.ask(say('begin'), at(1))
    await expect(calls.ask(say('begin'), at(1))).rejects.toThrow(
      'its recording was already replayed, and the call was made again.',
    )
  })

  test('of the whole file is reported', async () => {
    const calls = open({ folder: temporaryFolder(), mode: 'replay' })
    await expect(calls.ask(say('begin'), at(1))).rejects.toThrow(
      /no recording in \S*books-a-table\.json for the .*: the file does not exist\.$/,
    )
  })

  test('shows the place where long texts differ', async () => {
    const folder = temporaryFolder()
    const first = open({ folder, mode: 'record' })
    await first.ask(say(`${'a'.repeat(500)} yes ${'b'.repeat(500)}`), at(1))
    await first.close('passed')
    const error = await thrown(
      open({ folder, mode: 'replay' }).ask(say(`${'a'.repeat(500)} no ${'b'.repeat(500)}`), at(1)),
    )
    expect(error['message']).toMatch(/message 1 was "…a{23} yes b+…" and is now "…a{23} no b+…"\.$/)
    expect(String(error['message']).length).toBeLessThan(500)
  })

  test('has a fix that depends on where the mode comes from, and on what changed', async () => {
    const folder = await recorded()
    const byCall = await thrown(open({ folder, mode: 'replay' }).ask(judge('c2', { system: 'x' }), at(2)))
    expect(byCall['fix']).toMatch(/^Record it again: set the cassette mode of this call to "record"/)
    const env = { A2A_CASSETTES: 'replay' }
    const byEnv = open({ folder, options: { deps: { clock: manualClock(), env } } })
    const error = await thrown(byEnv.ask(say('hello you'), at(2)))
    expect(error['fix']).toBe(
      'Record it again with A2A_CASSETTES=record, or with A2A_CASSETTES=refresh-misses to keep what still fits. ' +
        "If the agent's answers vary, `cassette.agent: true` records them as well.",
    )
  })
})

const head = { schemaVersion: 1, test: 't', outcome: 'passed', texts: { ab: 'hello' } }
const call = { role: 'judge', trial: 1, turn: 1, attempt: 1, answer: { text: 'ok' } }
const withCalls = (...calls: object[]): string => JSON.stringify({ ...head, calls })

describe('a cassette that cannot be used', () => {
  test.each<[string, string, string | RegExp]>([
    ['half a file', '{"calls": [', /: it is not JSON \(.+\)\.$/],
    ['a list', '[]', ': expected object, received array.'],
    [
      'another version',
      '{"schemaVersion": 2}',
      ': its schemaVersion is 2, and this version of expect-a2a reads 1.',
    ],
    ['no version', '{}', ': its schemaVersion is missing; this version of expect-a2a reads 1.'],
    ['no calls', JSON.stringify(head), ': calls: missing, expected array.'],
    [
      'a role that does not exist',
      withCalls(call, { ...call, role: 'jury' }),
      ': calls[1].role: expected "simulator", "judge", "check" or "agent", received "jury".',
    ],
    [
      'half a place',
      withCalls({ ...call, attempt: undefined }),
      ': calls[0].attempt: missing, expected number.',
    ],
    [
      'a place that is not a number',
      withCalls({ ...call, turn: 'two' }),
      ': calls[0].turn: expected number, received string.',
    ],
    [
      'a message without its text',
      withCalls({
        ...call,
        messages: [
          { role: 'user', text: 'ab' },
          { role: 'assistant', text: 'cd' },
        ],
      }),
      ': calls[0].messages[1].text: "texts" has no "cd".',
    ],
    [
      'no system text',
      withCalls({ ...call, system: 'toString' }),
      ': calls[0].system: "texts" has no "toString".',
    ],
    ['no answer', withCalls({ ...call, answer: {} }), ': calls[0].answer: needs "text", "json" or "data".'],
    [
      'no answer of the agent',
      withCalls({ ...call, role: 'agent', answer: undefined }),
      ': calls[0].answer: missing, expected object.',
    ],
    [
      'a text that is a number',
      JSON.stringify({ ...head, calls: [], texts: { ab: 1 } }),
      ': texts.ab: expected string or array, received number.',
    ],
  ])('is reported: %s', async (_, text, problem) => {
    const folder = temporaryFolder()
    writeFileSync(fileIn(folder), text)
    const error = await thrown(open({ folder, mode: 'replay' }).ask(say('begin'), at(1)))
    expect(error).toMatchObject({ name: 'A2AModelError', code: 'CASSETTE' })
    expect(error['message']).toMatch(/^the cassette \S*books-a-table\.json cannot be read: /)
    expect(error['message']).toMatch(problem)
    expect(error['fix']).toBe(
      'Record it again with A2A_CASSETTES=record, or restore the file from version control.',
    )
  })

  test('is reported: a folder', async () => {
    const folder = temporaryFolder()
    mkdirSync(fileIn(folder))
    await expect(open({ folder, mode: 'replay' }).ask(say('begin'), at(1))).rejects.toMatchObject({
      code: 'CASSETTE',
    })
  })

  test('is recorded again', async () => {
    const folder = temporaryFolder()
    writeFileSync(fileIn(folder), '{"schemaVersion": 2}')
    await conversation(open({ folder, mode: 'record' }))
    expect(read(folder)['calls']).toHaveLength(3)
  })
})
