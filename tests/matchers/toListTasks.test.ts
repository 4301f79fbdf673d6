import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import { a2aAgent } from '../../src/agent/a2aAgent.ts'
import { startAgentFrom, type Json } from '../../src/testing/index.ts'
import { onParams, onResult } from '../faultyAgents/methods.ts'
import { failureOf, misuse } from './support.ts'
import { finding, listingAgent, methodsOf } from './taskAgents.ts'

const paramsOf = ({ requests }: { requests: readonly { body: string }[] }): Json[] =>
  requests.flatMap(({ body }) => {
    const rpc = body === '' ? {} : (JSON.parse(body) as { method?: string; params?: Json })
    return rpc.method === 'ListTasks' ? [rpc.params ?? {}] : []
  })

describe('passes', () => {
  test('for tasks that are made for it, and lists those of their context only', async () => {
    await using helpdesk = await listingAgent()
    const other = await a2aAgent(helpdesk.url).send('Before')

    await expect(helpdesk.url).toListTasks({ message: 'Where?' })

    const contexts = paramsOf(helpdesk).map(({ contextId }) => contextId)
    expect(contexts.slice(0, 3)).toEqual(['expect-a2a-no-such-context', undefined, undefined])
    expect(new Set(contexts.slice(3)).size).toBe(1)
    expect(contexts[3]).not.toBe(other.contextId)
    expect(methodsOf(helpdesk).filter((name) => name === 'SendMessage')).toHaveLength(4)
  })

  test('without a message, and then sends none', async () => {
    await using helpdesk = await listingAgent()
    const agent = a2aAgent(helpdesk.url)
    for (const text of ['One', 'Two', 'Three', 'Four']) await agent.send(text)
    const before = methodsOf(helpdesk).length

    await expect(agent).toListTasks()

    expect(methodsOf(helpdesk).slice(before)).toEqual(Array.from({ length: 6 }, () => 'ListTasks'))
    expect(paramsOf(helpdesk).map(({ pageSize }) => pageSize)).toEqual([1, 101, -1, undefined, 2, 2])
  })

  test('with every filter at once, over HTTP+JSON', async () => {
    await using helpdesk = await startAgentFrom({ respond: finding, bindings: ['HTTP+JSON'] })
    const reply = await a2aAgent(helpdesk.url).send('Before')

    await expect(helpdesk.url).toListTasks({
      message: 'Where?',
      tasks: 5,
      pageSize: 2,
      contextId: reply.contextId!,
      status: 'completed',
      historyLength: 1,
      includeArtifacts: true,
      statusTimestampAfter: '2020-01-01T00:00:00Z',
    })
  })

  test('for a list longer than maxPages, reading only that many pages', async () => {
    await using helpdesk = await listingAgent()

    await expect(helpdesk.url).toListTasks({ message: 'Where?', tasks: 5, pageSize: 1, maxPages: 2 })

    // The three probes, the whole list, and two of five pages.
    expect(
      paramsOf(helpdesk)
        .slice(4)
        .map(({ pageSize }) => pageSize),
    ).toEqual([1, 1])
  })

  test('when another task changes while the list is read: only what is seen twice counts', async () => {
    let lists = 0
    await using helpdesk = await startAgentFrom({
      respond: finding,
      // One task moves to the front once, between the pages.
      fault: onResult(['ListTasks'], (result) =>
        ++lists === 5 ? { ...result, tasks: [], totalSize: 4 } : result,
      ),
    })

    await expect(helpdesk.url).toListTasks({ message: 'Where?' })

    expect(lists).toBeGreaterThan(6)
  })

  test('for equal timestamps, and for tasks without one', async () => {
    await using helpdesk = await startAgentFrom({
      respond: finding,
      now: () => 1_750_000_000_000,
      fault: onResult(['ListTasks'], (result) => ({
        ...result,
        tasks: (result['tasks'] as Json[]).map((task, at) =>
          at === 1 ? { ...task, status: { state: (task['status'] as Json)['state'] } } : task,
        ),
      })),
    })

    await expect(helpdesk.url).toListTasks({ message: 'Where?' })
  })
})

describe('fails', () => {
  test('with what is wrong and how to fix it', async () => {
    await using helpdesk = await startAgentFrom({
      respond: finding,
      fault: onParams(['ListTasks'], (params) => ({ ...params, includeArtifacts: true })),
    })

    const failure = await failureOf(() => expect(helpdesk.url).toListTasks({ message: 'Where?', tasks: 2 }))

    expect(failure).toMatch(
      /^\[failed\] expect\(agent\)\.toListTasks\(\{ message: "Where\?", tasks: 2 \}\)\n\nAgent: .*\nExpected: lists of tasks that are ordered, complete and filtered as requested\nReceived: 2 tasks on 2 pages, with 1 fault\n\n {2}✗ tasks\[\]\.artifacts {2}task <id> is listed with its artifacts, which were not requested {3}list\/artifacts {2}A2A 1\.0 §3\.1\.4\n {6}Omit `artifacts` unless `includeArtifacts` is true\.\n/,
    )
  })

  test('.not for a list that is right', async () => {
    await using helpdesk = await listingAgent()

    expect(await failureOf(() => expect(helpdesk.url).not.toListTasks({ message: 'Where?' }))).toMatch(
      /^\[failed\] expect\(agent\)\.not\.toListTasks\(.*\)\n\n.*\nExpected: not lists of tasks that are .*\nReceived: 3 tasks on 3 pages, newest first\n/,
    )
  })
})

describe('is inconclusive', () => {
  test('about 0.3, which has no such operation; no message is sent', async () => {
    await using helpdesk = await startAgentFrom({ dialect: '0.3', respond: finding })

    for (const assertion of [expect(helpdesk.url), expect(helpdesk.url).not]) {
      expect(await failureOf(() => assertion.toListTasks({ message: 'Where?' }))).toMatch(
        /^\[error\] [^]*ListTasks came with A2A 1\.0/,
      )
    }
    expect(methodsOf(helpdesk)).toEqual([])
  })

  test('about an agent whose messages create no task', async () => {
    await using helpdesk = await startAgentFrom()

    expect(await failureOf(() => expect(helpdesk.url).not.toListTasks({ message: 'Where?' }))).toMatch(
      /^\[error\] [^]*Received: 3 messages created no task that could be listed\n/,
    )
  })
})

describe('misuse', () => {
  test.each([
    [{ pageSize: 101 }, 'toListTasks(): `pageSize` must be a number from 1 to 100; received 101.'],
    [{ pageSize: 0 }, 'toListTasks(): `pageSize` must be a number from 1 to 100; received 0.'],
    [
      { status: 'cancelled' },
      'toListTasks(): `status` must be "submitted", "working", "input-required", "auth-required", "completed", "canceled", "failed", "rejected" or "unknown"; received "cancelled".',
    ],
    [{ tasks: 3 }, 'toListTasks(): `tasks` needs `message`, the message that creates those tasks.'],
    [{ pageToken: 'x' }, 'toListTasks(): there is no option `pageToken`.'],
    [{ includeArtifacts: 'yes' }, 'toListTasks(): `includeArtifacts` must be true or false; received "yes".'],
  ])('%j', async (options, message) => {
    const failure = await failureOf(() => misuse(expect('http://127.0.0.1:9').not, 'toListTasks')(options))

    expect(failure).toMatch(/^\[error\] /)
    expect(failure).toContain(message)
  })
})
