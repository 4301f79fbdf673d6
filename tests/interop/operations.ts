import { stripVTControlCharacters } from 'node:util'
import { expect, test, type TestContext } from 'vitest'
import { a2aAgent, type A2AAgent, type AgentOptions } from '../../src/index.ts'
import type { MatcherRecord } from '../../src/vitest.ts'
import '../../src/vitest.ts'

const push = { token: 'token-of-the-test', deliveryMs: 3000 }

/** One call of each matcher on an operation, for the library agent. */
export const operations = {
  toStream: (agent) =>
    expect(agent).toStream('Please search for Momo.', {
      expected: 'It is on shelf four.',
      incremental: true,
      sameAsSend: true,
    }),
  'toStream, a short task': (agent) => expect(agent).toStream('Is my book due?', { expected: 'Friday' }),
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
      expectedQuestion: 'Which book?',
      expected: 'Renewed: Momo.',
    }),
  toKeepContext: (agent) =>
    expect(agent).toKeepContext(['Hello, my name is Ada.', 'Who am I?'], 'I was told: Ada.'),
  toIsolateContexts: (agent) => expect(agent).toIsolateContexts(),
} satisfies Record<string, (agent: A2AAgent) => Promise<void>>

export type Operation = keyof typeof operations

/** The expected outcome of a matcher; by default it passes without findings. */
export interface ExpectedOutcome {
  /** Part of the failure message; the matcher must fail or throw. */
  fails?: string | RegExp
  /** Every finding above a note, as `level id`. */
  findings?: string[]
}

/** The outcomes that are not "passed without findings". */
export type Deviations = Partial<Record<Operation, ExpectedOutcome>>

/** One test for each operation. */
export function testOperations(url: () => string, options: AgentOptions, deviations: Deviations): void {
  testMatchers(operations, url, options, deviations)
}

/** One test for each of these matchers, with its expected outcome. */
export function testMatchers<Name extends string>(
  matchers: Record<Name, (agent: A2AAgent, url: string) => Promise<void>>,
  url: () => string,
  options: AgentOptions,
  deviations: Partial<Record<Name, ExpectedOutcome>>,
): void {
  for (const name of Object.keys(matchers) as Name[]) {
    test(`${name} passes or fails as expected`, async (context) => {
      await using agent = a2aAgent(url(), options)
      await expectOutcome(context, () => matchers[name](agent, url()), deviations[name])
    })
  }
}

/** Asserts the outcome of one matcher call, and its findings. */
export async function expectOutcome(
  { task }: TestContext,
  call: () => Promise<unknown>,
  { fails, findings = [] }: ExpectedOutcome = {},
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
