import { expect, expectTypeOf, test } from 'vitest'
import '../../src/vitest.ts'
import * as matchers from '../../matchers/index.ts'
import type { A2AMatchers, A2AReplyMatchers } from '../../src/runners/matcherTypes.ts'
import { asyncMatcherNames } from '../support/asyncMatcherNames.ts'
import type { PassConversationOptions } from '../../src/conversation/types.ts'
import type { CheckCriterion } from '../../src/judge/types.ts'
import { signCard } from '../../src/testing/index.ts'
import { CARD03, type FixtureExchange } from '../support/fixture.ts'
import type { FilePart } from '../../src/protocol/model.ts'
import { startFixture, type FixtureServer } from '../support/fixtureServer.ts'
import { streamingAgent } from './streams.ts'
import { asking, authorizing, withoutContext } from './conversations.ts'
import { guarded, withoutGet } from './guarded.ts'
import { heldRun } from './runs.ts'
import { listingAgent, pushingAgent, slowAgent } from './taskAgents.ts'
import { echoAgent, failureOf, messageReply, taskReply, wireTask } from './support.ts'

const file: FilePart = { kind: 'file', name: 'a.txt', bytes: '' }
const artifact = { artifactId: 'report', parts: [{ kind: 'data', data: 1 } as const] }

const allSet = (): Promise<FixtureServer> => echoAgent(wireTask('completed', 'All set.'))
const failing = (): Promise<FixtureServer> => echoAgent(wireTask('failed'))

/** A criterion that code decides. */
function says(words: RegExp): CheckCriterion {
  return { check: ({ agentText }) => words.test(agentText), description: `says ${words.source}` }
}

function conversation(words: RegExp): PassConversationOptions {
  return { script: ['Hello'], successCriteria: [says(words)] }
}

/** For each matcher a call that passes and one that fails; `agent` stands for one that completes a task. */
interface Calls {
  subject: unknown
  passes: unknown[]
  fails: unknown[]
  awaited?: true
  /** The agent, where it must be another. */
  serve?: () => Promise<Pick<FixtureServer, 'origin'> & AsyncDisposable>
  /** The agent that fails, where it must be another. */
  serveFailing?: () => Promise<FixtureServer>
}
const calls: Record<string, Calls> = {
  toAdvertiseCapability: { subject: 'agent', passes: ['streaming'], fails: ['pushNotifications'] },
  toAdvertiseSkill: { subject: 'agent', passes: ['echo'], fails: ['refund'] },
  toHaveSignedAgentCard: {
    subject: signCard(CARD03, { key: 'a secret', alg: 'HS256', kid: 'k1' }),
    passes: [{ secret: 'a secret' }],
    fails: [{ secret: 'another' }],
    awaited: true,
  },
  toAskForInput: {
    subject: 'agent',
    passes: ['Hello', { answer: 'main' }],
    fails: ['Hello', { answer: 'main', expected: 'Nope.' }],
    serve: asking,
  },
  toIsolateContexts: {
    subject: 'agent',
    passes: [],
    fails: [{ secret: 'all set', tell: 'It is {secret}' }],
    serve: withoutContext,
  },
  toKeepContext: {
    subject: 'agent',
    passes: [['Hello', 'Again'], 'All set.'],
    fails: [['Hello', 'Again'], 'Nope.'],
    serve: withoutContext,
  },
  toWaitForAuthorization: {
    subject: 'agent',
    passes: ['Hello', { approve: () => {} }],
    fails: ['Hello', { approve: () => {}, state: 'rejected' }],
    serve: authorizing,
  },
  toRequireAuthentication: {
    subject: 'agent',
    passes: [{ credentials: { bearer: 't0ken' } }],
    fails: [{ credentials: { bearer: 'another' } }],
    serve: guarded,
  },
  toServeExtendedCard: {
    subject: 'agent',
    passes: [{ credentials: { bearer: 't0ken' } }],
    fails: [{ credentials: { bearer: 'another' } }],
    serve: guarded,
  },
  toAllowCors: { subject: 'agent', passes: [], fails: [{ headers: ['X-Desk'] }], serve: guarded },
  toAnswerCardAtEndpoint: {
    subject: 'agent',
    passes: [],
    fails: [],
    serve: guarded,
    serveFailing: withoutGet,
  },
  toCancelTask: { subject: 'agent', passes: ['Think'], fails: ['keep on'], serve: slowAgent },
  toListTasks: {
    subject: 'agent',
    passes: [{ message: 'Where?' }],
    fails: [{ message: 'Where?', includeArtifacts: true }],
    serve: listingAgent,
  },
  toDeliverPushNotifications: {
    subject: 'agent',
    passes: ['Where?'],
    fails: ['Where?', { token: 'tok-4711' }],
    serve: pushingAgent,
  },
  toHaveValidAgentCard: { subject: 'agent', passes: [], fails: [{ version: '1.0' }] },
  toPassSmokeCheck: { subject: 'agent', passes: [], fails: [] },
  toReachTaskState: { subject: 'agent', passes: ['Hello', 'completed'], fails: ['Hello', 'failed'] },
  toReply: { subject: 'agent', passes: ['Hello', 'All set.'], fails: ['Hello', 'Nope.'] },
  toStream: {
    subject: 'agent',
    passes: ['Hello', { expected: 'All set.' }],
    fails: ['Hello', { expected: 'Nope.' }],
    serve: streamingAgent,
  },
  toResumeStream: {
    subject: 'agent',
    passes: ['Hello'],
    fails: ['lose it'],
    serve: streamingAgent,
  },
  toBeInTaskState: { subject: taskReply('failed'), passes: ['failed'], fails: ['completed'] },
  toHaveArtifact: { subject: taskReply('completed', [artifact]), passes: ['report'], fails: ['summary'] },
  toHaveReplyData: { subject: taskReply('completed', [artifact]), passes: [], fails: [{}] },
  toHaveReplyFile: { subject: messageReply(file), passes: [{ name: 'a.txt' }], fails: [{ name: 'b.txt' }] },
  toHaveReplyText: { subject: messageReply('Hi.'), passes: ['Hi'], fails: ['Ho'] },
  toPassConversation: { subject: 'agent', passes: [conversation(/All set/)], fails: [conversation(/Nope/)] },
  toMeetCriteria: {
    subject: heldRun(),
    passes: [[says(/refunded/)]],
    fails: [[says(/days/)]],
    awaited: true,
  },
  toHaveSaid: { subject: heldRun(), passes: ['refunded'], fails: ['days'] },
  toHaveEndedBy: { subject: heldRun(), passes: ['script_end'], fails: ['goal'] },
}

/** Where the options stand. */
const optionsAt: Record<string, number> = {
  toCancelTask: 1,
  toDeliverPushNotifications: 1,
  toAskForInput: 1,
  toKeepContext: 2,
  toWaitForAuthorization: 1,
  toStream: 1,
  toResumeStream: 1,
  toAdvertiseSkill: 2,
  toAdvertiseCapability: 1,
  toReachTaskState: 2,
  toReply: 2,
  toMeetCriteria: 1,
}

const names = Object.keys(matchers)

type Assertion = (...args: unknown[]) => Promise<void>
const matcher = (assertion: object, name: string): Assertion => {
  const found = (assertion as Record<string, Assertion>)[name] as Assertion
  return (...args) => found.call(assertion, ...args)
}

test('each matcher is called below', () => {
  expect(Object.keys(calls).toSorted()).toEqual(names.toSorted())
})

test('each matcher has a signature, and nothing else does', () => {
  expectTypeOf<keyof A2AMatchers | keyof A2AReplyMatchers>().toEqualTypeOf<keyof typeof matchers>()
})

test('expect.extend() takes the whole entry', () => {
  expect(() => expect.extend({ ...matchers } as never)).not.toThrow()
  expect(Object.values(matchers).every((one) => typeof one === 'function')).toBe(true)
})

test('asyncMatcherNames lists exactly the matchers that return a promise', async () => {
  expect(asyncMatcherNames.toSorted()).toEqual(awaited.toSorted())
})

test.each(names)('%s passes under .resolves and with expect.soft', async (name) => {
  const { subject, passes, serve = allSet } = calls[name] as Calls
  await using server = await serve()
  const given = subject === 'agent' ? server.origin : subject

  await matcher(expect(Promise.resolve(given)).resolves, name)(...passes)
  await matcher(expect.soft(given), name)(...passes)
})

test.each(names)('%s fails under .resolves', async (name) => {
  const {
    subject,
    fails,
    serve = name === 'toPassSmokeCheck' ? failing : allSet,
    serveFailing = serve,
  } = calls[name] as Calls
  await using server = await serveFailing()
  const given = subject === 'agent' ? server.origin : subject

  await expect(matcher(expect(Promise.resolve(given)).resolves, name)(...fails)).rejects.toThrow(
    '[failed] expect(',
  )
})

// An outage must never be a green test, negated or not.
const outages = ['down', 'a web page', 'silent', 'failing'] as const
const awaited = names.filter((name) => calls[name]?.subject === 'agent' || calls[name]?.awaited === true)

test.each(awaited.flatMap((name) => outages.map((outage) => [name, outage] as const)))(
  '%s never passes for an agent that is %s',
  async (name, outage) => {
    await using server = await startFixture([
      { ...answers[outage], on: 'GET /.well-known/agent-card.json', times: '*' },
      { ...answers[outage], on: 'GET /.well-known/agent.json', times: '*' },
    ])
    const agent = outage === 'down' ? 'http://127.0.0.1:9' : server.origin
    const { passes } = calls[name] as Calls
    const args = outage === 'silent' ? withDeadline(name, passes) : passes

    const negated = await failureOf(() => matcher(expect(agent).not, name)(...args))
    const plain = await failureOf(() => matcher(expect(agent), name)(...args))

    expect(negated).toMatch(/^\[error\] expect\((agent|run)\)\.not\.to/)
    expect(plain).toMatch(/^\[(error|failed)\] expect\((agent|run)\)\.to/)
    expect(negated).not.toContain('fetch failed')
  },
)

const answers: Record<(typeof outages)[number], Partial<FixtureExchange>> = {
  down: {},
  'a web page': { headers: { 'content-type': 'text/html' }, text: '<!doctype html><title>Log in</title>' },
  silent: { delayMs: 60_000 },
  failing: { status: 500, text: 'boom' },
}

/** Adds a short deadline to the options, which are the first argument where nothing else is said. */
function withDeadline(name: string, passes: unknown[]): unknown[] {
  const at = optionsAt[name] ?? 0
  const before = Array.from({ length: at }, (_, index) => passes[index])
  return [...before, { ...(passes[at] as object | undefined), deadlineMs: 150 }]
}

// Soft failures are collected, so the test that makes them is expected to fail.
test.fails.each(names)('%s fails softly', async (name) => {
  const {
    subject,
    fails,
    serve = name === 'toPassSmokeCheck' ? failing : allSet,
    serveFailing = serve,
  } = calls[name] as Calls
  await using server = await serveFailing()

  await matcher(expect.soft(subject === 'agent' ? server.origin : subject), name)(...fails)
})
