import { stripVTControlCharacters } from 'node:util'
import { expect, test, type TestContext } from 'vitest'
import { a2aAgent, type A2AAgent, type AgentOptions } from '../../src/index.ts'
import type { MatcherRecord } from '../../src/vitest.ts'
import '../../src/vitest.ts'

const push = { token: 'token-of-the-test', deliveryMs: 3000 }

/** Each matcher on an operation, as one asks the lending desk for it. */
export const operations = {
  toStream: (agent) =>
    expect(agent).toStream('Please search for Momo.', {
      text: 'It is on shelf four.',
      incremental: true,
      sameAsSend: true,
    }),
  'toStream, a short task': (agent) => expect(agent).toStream('Is my book due?', { text: 'Friday' }),
  toResumeStream: (agent) => expect(agent).toResumeStream('Please search the cellar for Momo.'),
  toCancelTask: (agent) => expect(agent).toCancelTask('Please wait for Momo.'),
  toListTasks: (agent) => expect(agent).toListTasks({ message: 'Is my book due?' }),
  toDeliverPushNotifications: (agent) =>
    expect(agent).toDeliverPushNotifications('Please search for Momo.', push),
  'toDeliverPushNotifications, registered later': (agent) =>
    expect(agent).toDeliverPushNotifications('Please search for Momo.', { ...push, register: 'create' }),
  'toDeliverPushNotifications, authentication': (agent) =>
    expect(agent).toDeliverPushNotifications('Please search for Momo.', {
      deliveryMs: 3000,
      authentication: { scheme: 'Bearer', credentials: 'push-key' },
    }),
  'toDeliverPushNotifications, token and authentication': (agent) =>
    expect(agent).toDeliverPushNotifications('Please search for Momo.', {
      ...push,
      authentication: { scheme: 'Bearer', credentials: 'push-key' },
    }),
  'toDeliverPushNotifications, deleted': (agent) =>
    expect(agent).toDeliverPushNotifications('Please search for Momo.', { ...push, checkDelete: true }),
  toAskForInput: (agent) =>
    expect(agent).toAskForInput('Please renew a book.', {
      answer: 'Momo',
      question: 'Which book?',
      thenReply: 'Renewed: Momo.',
    }),
  toKeepContext: (agent) =>
    expect(agent).toKeepContext(['Hello, my name is Ada.', 'Who am I?'], 'I was told: Ada.'),
  toIsolateContexts: (agent) => expect(agent).toIsolateContexts(),
} satisfies Record<string, (agent: A2AAgent) => Promise<void>>

export type Operation = keyof typeof operations

/** What is to come of a matcher: passed without a word, unless something is said here. */
export interface Course {
  /** The report of a failure or error has this in it. */
  fails?: string | RegExp
  /** Every finding that is no note, as `level id`. */
  findings?: string[]
}

/** The courses that are not "passed, and nothing found". */
export type Deviations = Partial<Record<Operation, Course>>

/** A test for each operation. */
export function testOperations(url: () => string, options: AgentOptions, deviations: Deviations): void {
  testCourses(operations, url, options, deviations)
}

/** A test for each of these matchers, and what comes of it. */
export function testCourses<Name extends string>(
  courses: Record<Name, (agent: A2AAgent, url: string) => Promise<void>>,
  url: () => string,
  options: AgentOptions,
  deviations: Partial<Record<Name, Course>>,
): void {
  for (const name of Object.keys(courses) as Name[]) {
    test(`${name} does what its matcher asks`, async (context) => {
      await using agent = a2aAgent(url(), options)
      await expectCourse(context, () => courses[name](agent, url()), deviations[name])
    })
  }
}

/** Asserts what came of one matcher call, and all that it found. */
export async function expectCourse(
  { task }: TestContext,
  call: () => Promise<unknown>,
  { fails, findings = [] }: Course = {},
): Promise<void> {
  const said = await call().then(
    () => undefined,
    (error: unknown) => stripVTControlCharacters((error as Error).message),
  )
  const record = (task.meta as { a2a?: MatcherRecord[] }).a2a?.at(-1)
  const found = (record?.findings ?? [])
    .filter(({ level }) => level !== 'note')
    .map(({ level, id }) => `${level} ${id}`)
  if (fails === undefined) expect(said).toBeUndefined()
  else expect(said).toMatch(fails)
  expect([...new Set(found)].sort()).toEqual(findings)
}
