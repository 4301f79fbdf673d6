import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { openCalls, type OpenCallsOptions } from '../../src/model/calls.ts'
import { configureA2A } from '../../src/model/configuration.ts'
import { scriptedModel } from '../../src/model/scripted.ts'
import type { CassetteMode } from '../../src/model/types.ts'
import { resetConfiguration } from '../support/configuration.ts'
import { manualClock } from '../support/manualClock.ts'
import { temporaryFolder } from '../support/temporaryFolder.ts'
import { live, open, at, judge, say, conversation, fileIn, read, recorded } from './tape.ts'

beforeEach(resetConfiguration)

describe('a changed criterion', () => {
  test('misses only the recordings of the judge', async () => {
    const folder = await recorded()
    const calls = open({ folder, mode: 'replay' })
    await expect(conversation(calls, 'c1 rude')).rejects.toMatchObject({ code: 'CASSETTE_MISS' })
    expect(calls.replay).toMatchObject({ simulator: 2, judge: 0, live: 0 })
  })

  test('is recorded by refresh-misses, which keeps the rest', async () => {
    const folder = await recorded()
    const before = read(folder)
    const model = live()
    const calls = open({ folder, mode: 'refresh-misses', model })
    const answers = await conversation(calls, 'c1 rude')
    expect(answers.map((answer) => answer.text)).toEqual(['answer 1', 'answer 2', 'answer 1'])
    expect([model.asked, calls.replay.live, calls.replay.simulator]).toEqual([1, 1, 2])
    const after = read(folder)['calls'] as unknown[]
    expect(after).toHaveLength(3)
    expect(after.slice(0, 2)).toEqual((before['calls'] as unknown[]).slice(0, 2))
    expect(await conversation(open({ folder, mode: 'replay' }), 'c1 rude')).toEqual(answers)
  })
})

describe('refresh-misses', () => {
  test('reports which recordings it removes', async () => {
    const folder = await recorded()
    const calls = open({ folder, mode: 'refresh-misses' })
    await calls.ask(say('begin'), at(1))
    await calls.close('passed')
    expect(calls.warnings).toEqual([
      expect.stringMatching(
        /^2 recordings in \S*books-a-table\.json were not used and are removed: simulator in trial 1, turn 2, attempt 1; judge in trial 1, turn 2, attempt 1\.$/,
      ),
    ])
    expect(read(folder)['calls']).toHaveLength(1)
  })

  test('keeps everything of an interrupted conversation', async () => {
    const folder = await recorded()
    const calls = open({ folder, mode: 'refresh-misses' })
    await calls.ask(say('otherwise'), at(1))
    await calls.close('error')
    expect(calls.warnings).toEqual([])
    expect(read(folder)['calls']).toHaveLength(3)
    await expect(open({ folder, mode: 'replay' }).ask(say('hello there'), at(2))).resolves.toMatchObject({
      text: 'answer 2',
    })
  })

  test('does not change the file if everything matches', async () => {
    const folder = await recorded()
    const old = readFileSync(fileIn(folder), 'utf8')
    await conversation(open({ folder, mode: 'refresh-misses' }))
    expect(readFileSync(fileIn(folder), 'utf8')).toBe(old)
  })

  test('records everything if the file does not exist', async () => {
    const folder = temporaryFolder()
    await conversation(open({ folder, mode: 'refresh-misses' }))
    expect(read(folder)['calls']).toHaveLength(3)
  })
})

test('unused recordings are reported', async () => {
  const folder = await recorded()
  const calls = open({ folder, mode: 'replay' })
  await calls.ask(say('begin'), at(1))
  await calls.ask(judge('c1 polite'), at(2))
  await calls.close('failed')
  expect(calls.warnings).toEqual([
    expect.stringMatching(
      /^1 recording in \S*books-a-table\.json was not used: simulator in trial 1, turn 2, attempt 1\.$/,
    ),
  ])
})

describe('judge: live', () => {
  test('calls the judge about a replayed conversation, and keeps its recordings', async () => {
    const folder = await recorded()
    const old = readFileSync(fileIn(folder), 'utf8')
    for (const mode of ['replay', 'refresh-misses'] as const) {
      const model = live('gpt-new')
      const options: Partial<OpenCallsOptions> = {
        simulator: { model: live() },
        cassette: { folder, mode, judge: 'live' },
      }
      const calls = open({ folder, model, options })
      const answers = await conversation(calls, 'c1 rude')
      expect(answers.map((answer) => answer.text)).toEqual(['answer 1', 'answer 2', 'answer 1'])
      expect(calls.replay).toEqual({ simulator: 2, judge: 0, check: 0, agent: 0, live: 1 })
      expect(calls.usage).toEqual({ judge: { inputTokens: 10, outputTokens: 1 }, unreported: 0 })
      expect(calls.warnings).toEqual([])
    }
    expect(readFileSync(fileIn(folder), 'utf8')).toBe(old)
  })
})

describe('the answer of the agent', () => {
  const hello = { text: 'hello', task: { id: 't-1' }, data: [1, null] }
  let asked = 0
  const agent = async (): Promise<typeof hello> => {
    asked++
    return hello
  }
  beforeEach(() => (asked = 0))

  test('is not recorded by default', async () => {
    const folder = await recorded()
    const calls = open({ folder, mode: 'replay' })
    await expect(calls.agentAnswer(at(1), 'hi', agent)).resolves.toBe(hello)
    expect([asked, calls.replay.agent]).toEqual([1, 0])
  })

  test('is recorded and replayed with `agent: true`, and a warning says that the agent was not called', async () => {
    const folder = temporaryFolder()
    const options = (mode: CassetteMode): Partial<OpenCallsOptions> => ({
      cassette: { folder, mode, agent: true },
    })
    const first = open({ folder, options: options('record') })
    await first.agentAnswer(at(1), 'hi', agent)
    await first.agentAnswer(at(2), { parts: [{ text: 'more' }] }, agent)
    await first.close('passed')
    expect([asked, first.replay.agent, first.warnings]).toEqual([2, 0, []])
    const second = open({ folder, options: options('replay') })
    await expect(second.agentAnswer(at(1), 'hi', agent)).resolves.toEqual(hello)
    await expect(second.agentAnswer(at(2), { parts: [{ text: 'more' }] }, agent)).resolves.toEqual(hello)
    await second.close('passed')
    expect([asked, second.replay.agent]).toEqual([2, 2])
    expect(second.warnings).toEqual([
      expect.stringMatching(
        /^the agent was not called: 2 of its answers come from \S*books-a-table\.json\.$/,
      ),
    ])
    await expect(
      open({ folder, options: options('replay') }).agentAnswer(at(1), 'hey', agent),
    ).rejects.toThrow(
      `for the agent's call (trial 1, turn 1, attempt 1): the request has changed since: message 1 was "hi" and is now "hey".`,
    )
  })

  test('is not recorded if it failed', async () => {
    const folder = temporaryFolder()
    const options = { cassette: { folder, mode: 'record', agent: true } } as const
    const calls = open({ folder, options })
    await expect(calls.agentAnswer(at(1), 'hi', () => Promise.reject(new Error('down')))).rejects.toThrow(
      'down',
    )
    await calls.close('error')
    expect(existsSync(fileIn(folder))).toBe(false)
  })

  test('stays in the cassette of a conversation without `agent: true`', async () => {
    const folder = temporaryFolder()
    const first = open({ folder, options: { cassette: { folder, mode: 'record', agent: true } } })
    await first.ask(say('begin'), at(1))
    await first.agentAnswer(at(1), 'hi', agent)
    await first.close('passed')
    const second = open({ folder, mode: 'refresh-misses' })
    await second.ask(say('otherwise'), at(1))
    await second.close('passed')
    expect(second.warnings).toEqual([])
    expect((read(folder)['calls'] as { role: string }[]).map(({ role }) => role)).toEqual([
      'simulator',
      'agent',
    ])
  })
})

describe('the mode', () => {
  const modeOf = async (
    env: Record<string, string>,
    folder: string,
    options: Partial<OpenCallsOptions> = {},
  ): Promise<string> => {
    const model = live()
    const calls = open({ folder, model, options: { deps: { clock: manualClock(), env }, ...options } })
    const before = existsSync(fileIn(folder))
    try {
      await calls.ask(say('new'), at(1))
    } catch (error) {
      return (error as { code: string }).code
    }
    await calls.close('passed')
    return existsSync(fileIn(folder)) && !before ? 'recorded' : 'live'
  }

  test('is off by default', async () => {
    expect(await modeOf({}, temporaryFolder())).toBe('live')
  })

  test('is replay in CI if the folder exists', async () => {
    expect(await modeOf({ CI: 'true' }, temporaryFolder())).toBe('CASSETTE_MISS')
    expect(await modeOf({ CI: '1' }, join(temporaryFolder(), 'none'), {})).toBe('live')
  })

  test.each(['false', '0', ''])('is off if CI is %j', async (value) => {
    expect(await modeOf({ CI: value }, temporaryFolder())).toBe('live')
  })

  test('is that of the set-up, overridden by the environment, overridden by the call', async () => {
    configureA2A({ cassettes: 'replay' })
    expect(await modeOf({}, temporaryFolder())).toBe('CASSETTE_MISS')
    expect(await modeOf({ A2A_CASSETTES: 'record' }, temporaryFolder())).toBe('recorded')
    const folder = temporaryFolder()
    expect(await modeOf({ A2A_CASSETTES: 'record' }, folder, { cassette: { folder, mode: 'off' } })).toBe(
      'live',
    )
  })

  test('of the set-up applies with its folder', async () => {
    const folder = temporaryFolder()
    configureA2A({ cassettes: { folder, mode: 'record' } })
    const calls = openCalls({
      simulator: { model: live() },
      name: 'books a table',
      deps: { clock: manualClock(), env: {} },
    })
    await calls.ask(say('begin'), at(1))
    await calls.close('passed')
    expect(readdirSync(folder)).toEqual(['books-a-table.json'])
  })

  test('does not apply to scripted models, unless the call has a cassette', async () => {
    const folder = temporaryFolder()
    const model = scriptedModel(['a', 'b'])
    const base = {
      simulator: { model },
      name: 'books a table',
      deps: { clock: manualClock(), env: { A2A_CASSETTES: 'record' } },
    }
    configureA2A({ cassettes: { folder } })
    const aside = openCalls(base)
    await aside.ask(say('begin'), at(1))
    await aside.close('passed')
    expect(existsSync(fileIn(folder))).toBe(false)
    const named = openCalls({ ...base, cassette: 'record' })
    await named.ask(say('begin'), at(1))
    await named.close('passed')
    expect(existsSync(fileIn(folder))).toBe(true)
  })
})
