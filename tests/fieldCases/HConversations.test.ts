import { describe, expect, test } from 'vitest'
import type { A2AAgent } from '../../src/agent/types.ts'
import type { ConversationOptions } from '../../src/conversation/types.ts'
import type { ConversationRun } from '../../src/transcript/types.ts'
import '../../src/vitest.ts'
import { converseWith, quietDeps } from '../conversation/runs.ts'
import type { Fixture } from '../support/fixtureServer.ts'
import { manualClock } from '../support/manualClock.ts'
import { entry, fixture, open } from './scene.ts'

type Json = Record<string, unknown>

const conversation = ['The code word is LINDEN.', 'Which code word?'] as const

/** The task that the n-th turn of a scene answers with, to be changed for a variant. */
function answer({ exchange = [] }: Fixture, turn: 1 | 2): Json {
  return (exchange[turn - 1]?.json as { result: Json }).result
}
const says = (text: string): Json[] => [{ artifactId: 'a1', parts: [{ kind: 'text', text }] }]

describe('H06 contextId kept as a label only', () => {
  test('fails for the changed id and for the lost memory, each with its own message', async () => {
    await using helpdesk = await open(fixture('H06'))

    const failure = await helpdesk.failure(() =>
      expect(helpdesk.agent()).toKeepContext(conversation, 'LINDEN'),
    )

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain('✗ contextId changed from c1 to c2 in turn 2   wire/context-changed\n')
    expect(failure).toContain(
      '✗ turn 2: task t2 completed with the text "You have not told me a code word."; the text does not contain "LINDEN"   conversation/forgot\n',
    )
    expect(helpdesk.posts()[1]?.rpc?.params).toMatchObject({ message: { contextId: 'c1' } })
  })

  test('an id kept by an agent that forgets: reports only the lost memory', async () => {
    const scene = fixture('H06')
    answer(scene, 2).contextId = 'c1'
    await using helpdesk = await open(scene)

    const failure = await helpdesk.failure(() =>
      expect(helpdesk.agent()).toKeepContext(conversation, /linden/i),
    )

    expect(failure).toContain('conversation/forgot')
    expect(failure).not.toContain('contextId changed')
  })

  test('an id that changes though the agent remembers: reports only the id', async () => {
    const scene = fixture('H06')
    answer(scene, 2).artifacts = says('It is LINDEN.')
    await using helpdesk = await open(scene)

    const failure = await helpdesk.failure(() =>
      expect(helpdesk.agent()).toKeepContext(conversation, 'LINDEN'),
    )

    expect(failure).toContain('Received: contextId changed from c1 to c2 in turn 2   wire/context-changed\n')
    expect(failure).not.toContain('conversation/forgot')
  })

  test('no contextId in the first reply: a warning, and the conversation continues without', async () => {
    const scene = fixture('H06')
    delete answer(scene, 1).contextId
    answer(scene, 2).artifacts = says('It is LINDEN.')
    await using helpdesk = await open(scene)

    const failure = await helpdesk.passing(() =>
      expect(helpdesk.agent()).not.toKeepContext(conversation, 'LINDEN'),
    )

    expect(failure).toContain('! the reply in turn 1 has no contextId, so there is no context to continue')
    expect(helpdesk.posts()[1]?.rpc?.params).not.toHaveProperty('message.contextId')
  })

  test('the memory probe with a random code word: what forgets everything passes with a warning', async () => {
    await using helpdesk = await open(fixture('H06'))

    const failure = await helpdesk.passing(() => expect(helpdesk.agent()).not.toIsolateContexts())

    expect(failure).toMatch(/! the agent does not say "LINDEN[\dA-F]{8}" in the first context either/)
  })
})

/** Runs a scripted conversation over a scene, with a clock that skips every wait. */
function converse(agent: A2AAgent, options: ConversationOptions): Promise<ConversationRun> {
  return converseWith(agent, options, { deps: quietDeps({ clock: manualClock({ auto: true }) }) })
}

describe('a conversation in the scene H01', () => {
  test('a task that is not found at once: a warning, and the conversation continues', async () => {
    await using helpdesk = await open(fixture('H01'))

    const run = await converse(helpdesk.agent(), { script: ['hello'] })

    expect(run).toMatchObject({ endReason: 'script_end', entries: [{}, { text: 'hi' }] })
    expect(run.findings).toMatchObject([{ id: 'wire/task-lookup', level: 'warning' }])
  })

  test('one that is never found: the agent failed', async () => {
    const scene = fixture('H01')
    entry(scene, 'tasks/get').times = '*'
    await using helpdesk = await open(scene)

    const run = await converse(helpdesk.agent(), { script: ['hello', 'and then?'] })

    expect(run).toMatchObject({
      endReason: 'agent_error',
      turns: 1,
      fault: {
        outcome: 'failed',
        finding: 'wire/task-lookup',
        message: expect.stringMatching(
          /^turn 1: the agent returned task t1 \(working\), but tasks\/get says not found/,
        ),
      },
    })
  })
})

describe('a conversation in the scene H02', () => {
  test('a task that never ends: the agent failed when turnTimeoutMs is over', async () => {
    await using helpdesk = await open(fixture('H02'))

    const run = await converse(helpdesk.agent(), { script: ['hello', 'and then?'], turnTimeoutMs: 3000 })

    expect(run).toMatchObject({
      endReason: 'agent_error',
      turns: 1,
      entries: [{}, { task: { id: 't1', nth: 1, state: 'working' } }],
      fault: { outcome: 'failed', code: 'UNSETTLED', finding: 'wire/unsettled' },
    })
    expect(run.fault?.message).toMatch(
      /^turn 1: task t1 still working after \d+ ms and \d+ polls; status unchanged since 2026-01-01T00:00:00\.000Z$/,
    )
    expect(run.fault?.fix).toBe('Let the task finish, or raise turnTimeoutMs if it needs longer.')
    expect(helpdesk.methods()).not.toContain('CancelTask')
  })
})

describe('a conversation in the scene H04', () => {
  test('a finished task is not sent to again; its context is', async () => {
    await using helpdesk = await open(fixture('H04'))

    const run = await converse(helpdesk.agent(), { script: ['one?', 'two?'] })

    expect(run.entries.map(({ text }) => text)).toEqual(['one?', 'one', 'two?', 'two'])
    expect(run.entries.flatMap(({ task }) => task?.nth ?? [])).toEqual([1, 2])
    const message = helpdesk.posts()[1]?.rpc?.params as { message: Json }
    expect(message.message).toMatchObject({ contextId: 'c1' })
    expect(message.message).not.toHaveProperty('taskId')
    expect(run.fault).toBeUndefined()
  })
})

describe('a conversation in the scene H06', () => {
  test('a context that changes is a finding that names the turn', async () => {
    await using helpdesk = await open(fixture('H06'))

    const run = await converse(helpdesk.agent(), { script: [...conversation] })

    expect(helpdesk.posts()[1]?.rpc?.params).toMatchObject({ message: { contextId: 'c1' } })
    expect(run.findings).toMatchObject([
      { id: 'wire/context-changed', message: 'contextId changed from c1 to c2 in turn 2' },
    ])
    expect(run.endReason).toBe('script_end')
  })

  test('no contextId in the first answer: a warning, and the conversation continues without', async () => {
    const scene = fixture('H06')
    delete answer(scene, 1).contextId
    await using helpdesk = await open(scene)

    const run = await converse(helpdesk.agent(), { script: [...conversation] })

    expect(run.findings.at(-1)).toMatchObject({
      id: 'conversation/no-context',
      level: 'warning',
      message: 'the first answer has no contextId, so the conversation continued without one',
    })
    expect(helpdesk.posts()[1]?.rpc?.params).not.toHaveProperty('message.contextId')
  })
})
