import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { childRun, type ChildRun } from './child.ts'
import { named, notAwaited, sharedExpectations } from './shared.ts'
import { conversationExpectations } from './sharedConversations.ts'

let run: ChildRun
beforeAll(async () => {
  run = await childRun('vitest')
})

sharedExpectations(() => run)
conversationExpectations(() => run)

test('the run as a whole failed', () => {
  expect(run.code).toBe(1)
})

test.each(['own', 'global'])(
  'a forgotten await in a concurrent test with the %s expect fails that test',
  (whose) => {
    const { status, message } = named(run, `concurrent forgets await, ${whose} expect`)
    expect(status).toBe('failed')
    expect(message).toContain(notAwaited)
    expect(named(run, 'concurrent is innocent').status).toBe('passed')
    expect(run.files.get('concurrent')).toBe('')
  },
)

test('the global expect knows the limit of its concurrent test', () => {
  expect(named(run, 'concurrent reaches its limit, global expect').message).toContain(
    'the test timeout is 3000 ms',
  )
})

test('soft collects our errors', () => {
  const { message } = named(run, 'concurrent keeps going under soft')
  expect(message).toContain('[error] expect(agent).not.toPassSmokeCheck()')
  expect(message).toContain('[error] expect(agent).toHaveValidAgentCard()')
})

test('a poll ends with our message, and leaves one record', () => {
  const { message, meta } = named(run, 'concurrent polls')
  expect(message).toContain('[error] expect(agent).toPassSmokeCheck()')
  expect(meta?.a2a).toHaveLength(1)
})

test('records say which try they belong to', () => {
  const { status, meta } = named(run, 'concurrent tries again')
  expect(status).toBe('passed')
  expect(meta?.a2a?.map(({ retry, outcome }) => [retry, outcome])).toEqual([
    [0, 'error'],
    [1, 'error'],
    [2, 'failed'],
  ])
})

describe('two runs of the same tests', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'junit-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** The suites of a run, in an order of their own: which file is done first is chance. */
  async function junit(nth: number): Promise<string[]> {
    const file = join(folder, `${nth}.xml`)
    const options = ['-t', 'passes by|fails|counts trials', '--reporter=junit', `--outputFile.junit=${file}`]
    await childRun('vitest', { files: ['conversations', 'retry'], options })
    const xml = readFileSync(file, 'utf8')
      .replaceAll(/ (time|timestamp|hostname)="[^"]*"/g, ' $1=""')
      .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>')
      .replaceAll(/\b\d+(\.\d+)? (ms|s)\b/g, '<time>')
    return xml.split(/^ *(?=<testsuite )/m).toSorted()
  }

  test('give the same JUnit report, times and ports apart, with a property for each conversation', async () => {
    const [first, second] = [await junit(1), await junit(2)]
    expect(second).toEqual(first)
    const xml = first.join('')
    expect(xml).toMatch(
      /name="passes by a model that is served" time="">\s*<properties>\s*<property name="conversation" value="passed · score 1 · 1 turn">/,
    )
    expect(xml).toMatch(
      /name="counts trials and is tried again" time="">\s*<properties>\s*<property name="conversation" value="failed · score 0 · 0 of 2 trials · 1 turn · [^"]*">/,
    )
    expect(xml).toMatch(/<property name="conversation" value="try 2 · failed · score 0 · 0 of 2 trials/)
  })
})
