import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { nthConversation, writeRun } from '../../src/conversation/saveRun.ts'
import { completeRun, readRun } from '../../src/transcript/savedRun.ts'
import { redactedJson, withOwnRedaction } from '../../src/conversation/redaction.ts'
import type { TrialResult } from '../../src/conversation/types.ts'
import type { ConversationRun } from '../../src/transcript/types.ts'
import type { A2AError } from '../../src/core/errors.ts'
import { temporaryFolder } from '../support/temporaryFolder.ts'

const run: ConversationRun = {
  ...completeRun({
    entries: [
      { turn: 1, from: 'user', text: 'Hello', by: 'script' },
      { turn: 1, from: 'agent', text: 'Your token is tok-12345.', data: [{ password: 'hunter22' }] },
    ],
  }),
  endReason: 'goal',
  secrets: ['tok-12345'],
}
const result: TrialResult = { run, outcome: 'passed' }
const at = (folder: string) => ({ name: 'moves a booking', nth: 1, trial: 1, folder })

describe('a written conversation', () => {
  test('is readable, without secrets, and nothing else is left in the folder', async () => {
    const folder = temporaryFolder()

    const path = await writeRun(result, at(folder))

    expect(path).toBe(join(folder, 'moves-a-booking.1.json'))
    expect(readdirSync(folder)).toEqual(['moves-a-booking.1.json'])
    const text = readFileSync(path, 'utf8')
    expect(text).toMatch(/^\{\n {2}"schemaVersion": 1,\n {2}"trial": 1,\n/)
    expect(text).not.toMatch(/tok-12345|hunter22|"secrets"|"exchanges"/)
    expect(text.endsWith('}\n')).toBe(true)
  })

  test('is read back unchanged', async () => {
    const folder = temporaryFolder()
    const path = await writeRun({ ...result, run: { ...run, secrets: [] } }, at(folder))

    const read = await readRun(path)

    const { data: _, ...said } = run.entries[1] ?? {}
    expect(read).toMatchObject({ endReason: 'goal', turns: 1, entries: [run.entries[0], said] })
    expect(read).toMatchObject({ secrets: [], exchanges: [] })
  })

  test('replaces the previous one', async () => {
    const folder = temporaryFolder()
    await writeRun(result, at(folder))
    await writeRun({ ...result, outcome: 'failed' }, at(folder))
    expect(readdirSync(folder)).toHaveLength(1)
  })

  test.each([
    [join(process.cwd(), 'tests/refund.test.ts'), 'tests-refund.test'],
    ['/elsewhere/refund.spec.mjs', 'refund.spec'],
    [join(process.cwd(), 'tests/.hidden/ö x.test.tsx'), 'tests-.hidden-x.test'],
  ])('of a test in %s has that file’s folder', async (testFile, name) => {
    const folder = temporaryFolder()
    const path = await writeRun(result, { ...at(folder), testFile })
    expect(path).toBe(join(folder, name, 'moves-a-booking.1.json'))
  })

  test.each([
    ['a/../b', 1, /^a-b-[0-9a-f]{8}\.1\.json$/],
    ['日本語', 1, /^[0-9a-f]{8}\.1\.json$/],
    ['con', 1, /^con-[0-9a-f]{8}\.1\.json$/],
    ['two conversations', 2, /^two-conversations\.2\.1\.json$/],
  ])('of %j, conversation %d, has a safe name', async (name, nth, file) => {
    const folder = temporaryFolder()
    await writeRun(result, { name, nth, trial: 1, folder })
    expect(readdirSync(folder)[0]).toMatch(file)
  })
})

test('conversations of one test are numbered within one retry', () => {
  const place = { name: 'a test', id: 'counted', run: '1' }
  expect([nthConversation('a', place), nthConversation('a', place), nthConversation('b', place)]).toEqual([
    1, 2, 1,
  ])
  expect(nthConversation('a', { ...place, run: '2' })).toBe(1)
  expect([nthConversation('a', undefined), nthConversation('a', undefined)]).toEqual([1, 1])
})

test('two tests with the same name have separate files, in each retry', () => {
  const first = { name: 'twin', file: 'twins.test.ts', id: 'f1', run: '1' }
  const second = { ...first, id: 'f2' }
  expect([nthConversation('twin', first), nthConversation('twin', second)]).toEqual([1, 2])
  expect([
    nthConversation('twin', { ...second, run: '2' }),
    nthConversation('twin', { ...first, run: '2' }),
  ]).toEqual([2, 1])
  expect(nthConversation('twin', { ...first, file: 'other.test.ts', id: 'o1' })).toBe(1)
})

describe('reading', () => {
  async function refusal(text: string | undefined): Promise<string> {
    const path = join(temporaryFolder(), 'conversation.json')
    if (text !== undefined) writeFileSync(path, text)
    const error = (await readRun(path).catch((thrown: unknown) => thrown)) as A2AError
    expect(error).toMatchObject({ name: 'A2AUsageError', code: 'BAD_SUBJECT' })
    return `${error.message} ${error.fix}`.replaceAll(path, 'conversation.json')
  }

  test.each<[string | undefined, string]>([
    [
      undefined,
      'the transcript conversation.json does not exist. Give the path of a file that a test wrote to .a2a-conversations',
    ],
    ['# notes', 'the transcript conversation.json cannot be read: it is not JSON ('],
    ['[]', 'the transcript conversation.json cannot be read: expected object, received array. Give a file'],
    [
      '{"schemaVersion":2,"entries":[]}',
      'its schemaVersion is 2, and this version of expect-a2a reads 1. Give a file that a test wrote, or { entries:',
    ],
    ['{"schemaVersion":2,"run":{}}', 'its schemaVersion is 2, and this version of expect-a2a reads 1.'],
    ['{"entrys":[]}', 'cannot be read: entries: missing, expected array.'],
    ['{"run":{}}', 'cannot be read: run.entries: missing, expected array.'],
    ['{"entries":["hi"]}', 'cannot be read: entries[0]: expected object, received string.'],
    [
      '{"entries":[{"turn":1,"from":"assistant","text":""}]}',
      'entries[0].from: expected "user" or "agent", received "assistant".',
    ],
    ['{"entries":[{"turn":1,"from":"user"}]}', 'entries[0].text: missing, expected string.'],
    ['{"entries":[{"from":"user","text":"x"}]}', 'entries[0].turn: missing, expected number.'],
    [
      '{"entries":[{"turn":0,"from":"user","text":"x"}]}',
      'entries[0].turn: must be at least 1: turn n is the n-th message of the user and its answer.',
    ],
    ['{"run":{"entries":[],"endReason":"done"}}', 'run.endReason: expected "goal", "gave_up",'],
  ])('%s is refused', async (text, message) => {
    expect(await refusal(text)).toContain(message)
  })

  test('reads a file from before the first release, with the old names of its members', async () => {
    const path = fileURLToPath(new URL('beforeRelease.json', import.meta.url))
    expect(await readRun(path)).toMatchObject({
      fault: { fix: 'Wait longer.' },
      findings: [{ fix: 'Be even.' }],
    })
  })
})

describe('redaction', () => {
  test('hides members that hold credentials, and stays JSON', () => {
    const text = redactedJson({ a: ['Bearer abcdef123456'], api_key: 'k', password: 'p"q' }, [])
    expect(JSON.parse(text)).toEqual({ a: ['Bearer <hidden>'], api_key: '<hidden>', password: '<hidden>' })
  })

  test('with a custom function reaches every text and changes nothing in place', () => {
    const value = Object.freeze({ a: Object.freeze(['x', 1, null]), b: { c: 'x' } })
    expect(withOwnRedaction(value, (text) => text.toUpperCase())).toEqual({
      a: ['X', 1, null],
      b: { c: 'X' },
    })
  })

  test.each<[(text: string) => unknown, string]>([
    [() => undefined, 'the function "redact" returned undefined instead of a string.'],
    [
      () => {
        throw new Error('oops')
      },
      'the function "redact" threw Error: oops.',
    ],
  ])('with a failing function is a usage error', (own, message) => {
    expect(() => withOwnRedaction('x', own as (text: string) => string)).toThrow(message)
  })
})
