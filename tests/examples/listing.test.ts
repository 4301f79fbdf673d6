import { describe, expect, test } from 'vitest'
import { startAgentFrom, type DemoAgent } from '../../src/testing/index.ts'
import { post } from './wire.ts'

const v1 = { 'a2a-version': '1.0' }

/** An agent with seven tasks, one a second, in two contexts; the last waits for input. */
async function startWithTasks(): Promise<DemoAgent & { rpc: string }> {
  let ids = 0
  let second = 0
  const agent = await startAgentFrom({
    ids: () => `id-${ids++}`,
    now: () => Date.UTC(2026, 0, 1, 0, 0, second),
    respond: ({ text }) =>
      text === '7'
        ? [{ state: 'input-required' }]
        : [{ artifact: { artifactId: 'a', parts: [{ text }] } }, { state: 'completed', text }],
  })
  const rpc = `${agent.url}/a2a/jsonrpc`
  for (second = 1; second <= 7; second++) {
    const message = {
      messageId: `m${second}`,
      role: 'ROLE_USER',
      parts: [{ text: String(second) }],
      contextId: second % 2 ? 'odd' : 'even',
    }
    await post(rpc, 'SendMessage', { message }, v1)
  }
  return { ...agent, rpc }
}

const list = async (agent: { rpc: string }, params: object) =>
  (await post(agent.rpc, 'ListTasks', params, v1)).json
/** What the user said in each task. */
const said = (page: { tasks: { history: { messageId: string }[] }[] }) =>
  page.tasks.map((task) => task.history[0]?.messageId).join(' ')

describe('ListTasks', () => {
  test('returns the last changed task first, without artifacts, on one page when they fit', async () => {
    await using agent = await startWithTasks()
    const { result } = await list(agent, {})
    expect(said(result)).toBe('m7 m6 m5 m4 m3 m2 m1')
    expect(result).toMatchObject({ nextPageToken: '', pageSize: 50, totalSize: 7 })
    expect(result.tasks[0]).not.toHaveProperty('artifacts')
  })

  test('pages by tokens, over both bindings, with the total count', async () => {
    await using agent = await startWithTasks()
    const one = (await list(agent, { pageSize: 3 })).result
    const two = (await list(agent, { pageSize: 3, pageToken: one.nextPageToken })).result
    const rest = `${agent.url}/a2a/rest/tasks?pageSize=3&pageToken=${two.nextPageToken}`
    const three = (await (await fetch(rest, { headers: v1 })).json()) as typeof two
    expect([one, two, three].map(said)).toEqual(['m7 m6 m5', 'm4 m3 m2', 'm1'])
    expect([one, two, three].map((page) => [page.pageSize, page.totalSize])).toEqual(
      Array.from({ length: 3 }, () => [3, 7]),
    )
    expect(three.nextPageToken).toBe('')
    expect(one.nextPageToken).not.toContain('m5')
  })

  test('a task that changes between two pages is not missed by the ones after it', async () => {
    await using agent = await startWithTasks()
    const one = (await list(agent, { pageSize: 1 })).result
    expect(said(one)).toBe('m7')
    const { id } = one.tasks[0]
    await post(agent.rpc, 'CancelTask', { id }, v1)
    expect(said((await list(agent, { pageToken: one.nextPageToken })).result)).toBe('m6 m5 m4 m3 m2 m1')
  })

  test.each([
    [{ contextId: 'even' }, 'm6 m4 m2'],
    [{ contextId: 'neither' }, ''],
    [{ status: 'TASK_STATE_INPUT_REQUIRED' }, 'm7'],
    [{ status: 'TASK_STATE_COMPLETED', contextId: 'odd' }, 'm5 m3 m1'],
    [{ statusTimestampAfter: '2026-01-01T00:00:06.000Z' }, 'm7 m6'],
    [{ statusTimestampAfter: '2026-01-01T02:00:06+02:00' }, 'm7 m6'],
  ])('%j', async (filter, expected) => {
    await using agent = await startWithTasks()
    const { result } = await list(agent, filter)
    expect(said(result)).toBe(expected)
    expect(result.totalSize).toBe(result.tasks.length)
    const query = new URLSearchParams(filter as Record<string, string>)
    const rest = await fetch(`${agent.url}/a2a/rest/tasks?${query}`, { headers: v1 })
    expect(await rest.json()).toEqual(result)
  })

  test('returns artifacts and the requested length of history', async () => {
    await using agent = await startWithTasks()
    const { tasks } = (await list(agent, { includeArtifacts: true, historyLength: 0, contextId: 'even' }))
      .result
    expect(tasks[0]).toMatchObject({ artifacts: [{ artifactId: 'a', parts: [{ text: '6' }] }] })
    expect(tasks[0]).not.toHaveProperty('history')
  })

  test.each([
    [{ pageSize: 0 }, 'pageSize must be a whole number from 1 to 100'],
    [{ pageSize: 101 }, 'pageSize must be a whole number from 1 to 100'],
    [{ pageSize: 'ten' }, 'pageSize must be a whole number from 1 to 100'],
    [{ historyLength: -1 }, 'historyLength must be a whole number of at least 0'],
    [{ pageToken: 'made-up' }, 'pageToken is not one that this agent gave out'],
    [{ status: 'done' }, 'status done is not a task state'],
    [{ statusTimestampAfter: 'yesterday' }, 'statusTimestampAfter must be an ISO 8601 timestamp'],
    [{ includeArtifacts: 'maybe' }, 'includeArtifacts must be true or false'],
  ])('%j is refused', async (params, message) => {
    await using agent = await startWithTasks()
    const error = { code: -32602, message: `Invalid params: ${message}` }
    expect((await list(agent, params)).error).toEqual(error)
    const query = new URLSearchParams(
      Object.entries(params).map(([name, one]): [string, string] => [name, String(one)]),
    )
    const rest = await fetch(`${agent.url}/a2a/rest/tasks?${query}`, { headers: v1 })
    expect([rest.status, await rest.json()]).toEqual([
      400,
      { error: expect.objectContaining({ code: 400, status: 'INVALID_ARGUMENT', message: error.message }) },
    ])
  })
})
