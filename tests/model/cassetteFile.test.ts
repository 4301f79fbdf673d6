import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { openCalls, type OpenCallsOptions } from '../../src/model/calls.ts'
import type { ModelCalls } from '../../src/model/types.ts'
import { inTest, resetConfiguration } from '../support/configuration.ts'
import { manualClock } from '../support/manualClock.ts'
import { temporaryFolder } from '../support/temporaryFolder.ts'
import { thrown } from './request.ts'
import { live, open, at, say, conversation, fileIn, read, recorded } from './tape.ts'

beforeEach(resetConfiguration)

describe('the file', () => {
  const filesAfter = async (
    ...opened: { place?: Parameters<typeof inTest>[0]; options?: Partial<OpenCallsOptions> }[]
  ): Promise<string[]> => {
    const folder = temporaryFolder()
    for (const { place, options = {} } of opened) {
      inTest(place)
      const { name: _, ...rest } = { name: undefined, ...options }
      const calls = openCalls({
        simulator: { model: live() },
        cassette: { folder, mode: 'record' },
        deps: { clock: manualClock(), env: {} },
        ...rest,
        ...(options.name !== undefined && { name: options.name }),
      })
      await calls.ask(say('begin'), at(1))
      await calls.close('passed')
    }
    return readdirSync(folder).toSorted()
  }

  test('is named after the running test', async () => {
    expect(await filesAfter({ place: { name: 'helpdesk > books' } })).toEqual([
      expect.stringMatching(/^helpdesk-books-[0-9a-f]{8}\.json$/),
    ])
  })

  test('is named after the option `name`', async () => {
    expect(
      await filesAfter({ place: { name: 'helpdesk > books' }, options: { name: 'my conversation' } }),
    ).toEqual(['my-conversation.json'])
  })

  test('needs a name', () => {
    expect(() => openCalls({ cassette: 'record', deps: { clock: manualClock(), env: {} } })).toThrow(
      expect.objectContaining({
        code: 'BAD_OPTIONS',
        message: 'a cassette is named after the running test, but no test is running.',
      }),
    )
  })

  test('has a number for the second conversation of a test', async () => {
    const place = { name: 'books', file: 'a.test.ts', id: 'a1', run: '1' }
    expect(await filesAfter({ place }, { place })).toEqual(['books.2.json', 'books.json'])
  })

  test('has a number for the second conversation of a test, also if `name` is that of the test', async () => {
    const place = { name: 'books', file: 'a.test.ts', id: 'a2', run: '1' }
    const options = { name: 'books' }
    expect(await filesAfter({ place, options }, { place, options })).toEqual(['books.2.json', 'books.json'])
  })

  test('is not shared with another test if the runner distinguishes them by time only', async () => {
    const one = { name: 'books', file: 'd.test.ts', run: '100/0' }
    await expect(filesAfter({ place: one }, { place: { ...one, run: '200/0' } })).rejects.toThrow(
      /^two tests of one name, "books", use the same cassette, \S*books\.json\.$/,
    )
    const tried = { ...one, file: 'e.test.ts', retries: 1 }
    expect(await filesAfter({ place: tried }, { place: { ...tried, run: '200/1' } })).toEqual(['books.json'])
  })

  test('is the same for the next try of a test', async () => {
    const place = { name: 'books', file: 'b.test.ts', id: 'b1' }
    expect(await filesAfter({ place: { ...place, run: '1' } }, { place: { ...place, run: '2' } })).toEqual([
      'books.json',
    ])
  })

  test('is not shared with another test of the same name', async () => {
    const one = { name: 'books', file: 'c.test.ts', id: 'c1' }
    const error = await thrown(filesAfter({ place: one }, { place: { ...one, id: 'c2' } }))
    expect(error).toMatchObject({ name: 'A2AModelError', code: 'CASSETTE' })
    expect(error['message']).toMatch(
      /^"books" and "books", two tests of one name, use the same cassette, \S*books\.json\.$/,
    )
    expect(error['fix']).toBe(
      'Give one of them another name: by its title, by the option `name`, or by `cassette.file`.',
    )
  })

  test.each([{ file: 'own.json' }, { name: 'books a table' }])(
    'is not shared by two conversations of a test that name it: %j',
    async ({ file, name }) => {
      const folder = temporaryFolder()
      inTest({ name: 'this test', id: folder, run: '1' })
      const cassette = { folder, mode: 'record' as const, ...(file !== undefined && { file }) }
      const conversationOf = (): ModelCalls =>
        open({ folder, options: { cassette, ...(name !== undefined && { name }) } })
      await conversation(conversationOf())
      await expect(conversationOf().ask(say('begin'), at(1))).rejects.toThrow(
        /^two conversations of "this test" use the same cassette, \S+\.json\.$/,
      )
      inTest({ name: 'this test', id: folder, run: '2' })
      await expect(conversation(conversationOf())).resolves.toHaveLength(3)
    },
  )

  test('is replaced with a warning if it is unknown whether it is the same test', async () => {
    const folder = await recorded()
    const calls = open({ folder, mode: 'record' })
    await conversation(calls)
    expect(calls.warnings).toEqual([
      expect.stringMatching(
        /books-a-table\.json was already recorded in this run, in a conversation of the same name: that recording is replaced\.$/,
      ),
    ])
  })

  test('is replayed by two tests of the same name with a warning', async () => {
    const folder = await recorded()
    inTest({ name: 'other', id: 'x' })
    const calls = open({ folder, mode: 'replay' })
    await conversation(calls)
    expect(calls.warnings).toEqual([
      expect.stringMatching(/^"books a table" and "other" use the same cassette, /),
    ])
  })

  test('is not taken from a test in another file, even in another worker', async () => {
    const folder = temporaryFolder()
    inTest({ name: 'books a table', file: `${process.cwd()}/tests/model/budget.test.ts`, id: 'f1' })
    await conversation(open({ folder, mode: 'record' }))
    expect(read(folder)['testFile']).toBe('tests/model/budget.test.ts')
    // As in another worker, which does not know the first.
    const foreign = readFileSync(fileIn(folder), 'utf8')
    const elsewhere = temporaryFolder()
    writeFileSync(fileIn(elsewhere), foreign)
    inTest({ name: 'books a table', file: `${process.cwd()}/tests/model/retry.test.ts`, id: 'f2' })
    await expect(open({ folder: elsewhere, mode: 'record' }).ask(say('begin'), at(1))).rejects.toThrow(
      /^the cassette \S*books-a-table\.json belongs to a test of that name in tests\/model\/budget\.test\.ts\.$/,
    )
    expect(readFileSync(fileIn(elsewhere), 'utf8')).toBe(foreign)
    // It may also appear during this recording.
    const late = temporaryFolder()
    const calls = open({ folder: late, mode: 'record' })
    await calls.ask(say('begin'), at(1))
    writeFileSync(fileIn(late), foreign)
    await calls.close('passed')
    expect(calls.warnings).toEqual([
      expect.stringMatching(
        /^nothing was recorded: the cassette .* belongs to a test of that name in tests\/model\/budget\.test\.ts\.$/,
      ),
    ])
    expect(readFileSync(fileIn(late), 'utf8')).toBe(foreign)
  })

  test('is taken over from a test whose file was moved', async () => {
    const folder = temporaryFolder()
    inTest({ name: 'books a table', file: `${process.cwd()}/tests/model/gone.test.ts`, id: 'g1' })
    await conversation(open({ folder, mode: 'record' }))
    const elsewhere = temporaryFolder()
    writeFileSync(fileIn(elsewhere), readFileSync(fileIn(folder), 'utf8'))
    inTest({ name: 'books a table', file: `${process.cwd()}/tests/model/retry.test.ts`, id: 'g2' })
    await conversation(open({ folder: elsewhere, mode: 'record' }))
    expect(read(elsewhere)['testFile']).toBe('tests/model/retry.test.ts')
  })
})
