import { generateKeyPairSync, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { startDeployer, type DemoAgent } from '../../src/testing/index.ts'
import { exchange } from './trace.ts'
import { openStream, post, queue, rpc } from './wire.ts'

const origin = 'http://localhost:41243'
const allowed = { 'a2a-version': '1.0', authorization: 'Bearer dpl_test_7c1e4b' }
const deploy = {
  message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'Deploy build 2026.10.06-1 to staging' }] },
}

/** Sends a request of the trace as it is. */
function send(agent: DemoAgent, n: number): Promise<Response> {
  const { method, path, headers, body } = exchange(n).request
  const { Host: _, ...rest } = headers
  return fetch(agent.url + path, {
    method,
    headers: rest,
    ...(body !== null && { body: JSON.stringify(body) }),
  })
}

describe('the trace', () => {
  test('exchange 3: the card, to the byte where it names the same origin', async () => {
    await using agent = await startDeployer({ origin })
    expect(await (await send(agent, 3)).text()).toBe(JSON.stringify(exchange(3).response.body))

    await using elsewhere = await startDeployer()
    expect(await (await send(elsewhere, 3)).text()).toBe(
      JSON.stringify(exchange(3).response.body).replaceAll(origin, elsewhere.url),
    )
  })

  test('exchanges 7, 8 and 9: the deploy, its stream and the approval, to the byte', async () => {
    const ids = queue()
    const times: string[] = []
    const { task } = exchange(7).response.body.result
    const later = exchange(9).eventsOfExchange8AfterApproval
    const updates = later.flatMap((event) => event.result.statusUpdate?.status ?? [])
    ids.put(task.id, task.contextId, task.history.at(-1)?.messageId ?? '', task.status.message.messageId)
    // Submitted, working, waiting for the operator.
    times.push(...Array.from({ length: 3 }, () => task.status.timestamp))
    ids.put(...updates.map((status) => status.message.messageId))
    times.push(...updates.map((status) => status.timestamp))
    await using agent = await startDeployer({
      origin,
      ids: ids.next,
      now: () => Date.parse(times.shift() ?? 'no time left'),
    })

    expect(await (await send(agent, 7)).text()).toBe(JSON.stringify(exchange(7).response.body))

    const { path, headers, body } = exchange(8).request
    const { Host: _, ...rest } = headers
    const stream = await openStream(agent.url + path, body, rest)
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    const first = exchange(8).response.events[0]
    expect(JSON.stringify(await stream.next())).toBe(JSON.stringify(first))

    const approval = await send(agent, 9)
    expect([approval.status, await approval.text()]).toEqual([200, JSON.stringify(exchange(9).response.body)])
    expect((await stream.rest()).map((event) => JSON.stringify(event))).toEqual(
      later.map((event) => JSON.stringify(event)),
    )
    expect([ids.left(), times.length]).toEqual([0, 0])
  })

  test('the same over HTTP+JSON', async () => {
    await using agent = await startDeployer()
    const rest = `${agent.url}/a2a/rest`
    const sent = await fetch(`${rest}/message:send`, {
      method: 'POST',
      headers: allowed,
      body: JSON.stringify(deploy),
    })
    const { task } = (await sent.json()) as { task: { id: string; status: { state: string } } }
    expect(task.status.state).toBe('TASK_STATE_AUTH_REQUIRED')

    const [byPost, byGet] = [
      await openStream(`${rest}/tasks/${task.id}:subscribe`, {}, allowed),
      await openStream(`${rest}/tasks/${task.id}:subscribe`, undefined, allowed),
    ]
    expect(await byPost.next()).toEqual({ task })
    expect(await byGet.next()).toEqual({ task })
    await fetch(`${agent.url}/approve/${task.id}`, { method: 'POST', body: '{}' })
    const events = await byPost.rest()
    expect(await byGet.rest()).toEqual(events)
    expect(events.map((event) => Object.keys(event)[0])).toEqual([
      'statusUpdate',
      'artifactUpdate',
      'statusUpdate',
    ])
    expect(events.at(-1).statusUpdate.status.state).toBe('TASK_STATE_COMPLETED')
  })
})

describe('who may call it', () => {
  const refusals: [string, Record<string, string>, string, string][] = [
    ['an anonymous caller', {}, 'Bearer realm="deployer"', 'Authentication required'],
    [
      'another scheme',
      { authorization: 'Basic ZHBsOng=' },
      'Bearer realm="deployer"',
      'Authentication required',
    ],
    [
      'a wrong token',
      { authorization: 'Bearer dpl_test_7c1e4' },
      'Bearer realm="deployer", error="invalid_token"',
      'Invalid token',
    ],
  ]
  test.each(refusals)('%s is refused with 401 before any stream', async (_, headers, challenge, message) => {
    await using agent = await startDeployer()
    const v1 = { 'a2a-version': '1.0', ...headers }
    for (const method of ['SendMessage', 'SendStreamingMessage', 'GetExtendedAgentCard', 'Nonsense']) {
      const answer = await post(`${agent.url}/a2a/jsonrpc`, method, deploy, v1, 'a')
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, challenge])
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(answer.json).toEqual({ jsonrpc: '2.0', id: 'a', error: { code: -32000, message } })
    }
    const rest = await fetch(`${agent.url}/a2a/rest/message:stream`, {
      method: 'POST',
      headers: v1,
      body: JSON.stringify(deploy),
    })
    expect([rest.status, rest.headers.get('www-authenticate')]).toEqual([401, challenge])
    expect(await rest.json()).toEqual({ error: { code: 401, status: 'UNAUTHENTICATED', message } })
  })

  test('the extended card has a second skill, and is served to callers with the token', async () => {
    await using agent = await startDeployer()
    const { json } = await post(`${agent.url}/a2a/jsonrpc`, 'GetExtendedAgentCard', {}, allowed)
    expect(json.result.skills.map((skill: { id: string }) => skill.id)).toEqual(['deploy', 'roll-back'])
    const rest = await fetch(`${agent.url}/a2a/rest/extendedAgentCard`, { headers: allowed })
    expect(await rest.json()).toEqual(json.result)
  })

  test('only a deploy that waits can be approved, once', async () => {
    await using agent = await startDeployer()
    const approve = async (id: string) =>
      (await fetch(`${agent.url}/approve/${id}`, { method: 'POST' })).status
    const { json } = await post(`${agent.url}/a2a/jsonrpc`, 'SendMessage', deploy, allowed)
    const { id } = json.result.task
    expect(await approve('missing')).toBe(404)
    expect(await approve(id)).toBe(200)
    expect(await approve(id)).toBe(404)
    expect((await fetch(`${agent.url}/approve/${id}`)).status).toBe(405)
  })

  test('a greeting needs no operator', async () => {
    await using agent = await startDeployer()
    const hello = { message: { ...deploy.message, parts: [{ text: 'Hello!' }] } }
    const { json } = await post(`${agent.url}/a2a/jsonrpc`, 'SendMessage', hello, allowed)
    expect(json.result.message.parts[0].text).toContain('Name the build.')
  })
})

test('a repeated deploy request waits for the same approval', async () => {
  await using agent = await startDeployer()
  const url = `${agent.url}/a2a/jsonrpc`
  const { id: taskId } = (await post(url, 'SendMessage', deploy, allowed)).json.result.task
  const again = { message: { ...deploy.message, taskId, parts: [{ text: 'Is it live?' }] } }
  const waiting = (await post(url, 'SendMessage', again, allowed)).json.result.task
  expect(waiting).toMatchObject({ id: taskId, status: { state: 'TASK_STATE_AUTH_REQUIRED' } })
  const stream = await openStream(url, rpc('SubscribeToTask', { id: taskId }), allowed)
  await stream.next()
  expect((await fetch(`${agent.url}/approve/${taskId}`, { method: 'POST' })).status).toBe(200)
  expect(await stream.rest()).toHaveLength(3)
})

test('a canceled deploy is not rolled out, and its stream ends', async () => {
  await using agent = await startDeployer()
  const url = `${agent.url}/a2a/jsonrpc`
  const { id } = (await post(url, 'SendMessage', deploy, allowed)).json.result.task
  const stream = await openStream(url, rpc('SubscribeToTask', { id }), allowed)
  await stream.next()

  await post(url, 'CancelTask', { id }, allowed)

  expect((await stream.rest()).map((event) => event.result.statusUpdate.status.state)).toEqual([
    'TASK_STATE_CANCELED',
  ])
  expect((await fetch(`${agent.url}/approve/${id}`, { method: 'POST' })).status).toBe(404)
  const { json } = await post(url, 'GetTask', { id }, allowed)
  expect(json.result.status.state).toBe('TASK_STATE_CANCELED')
  expect(json.result).not.toHaveProperty('artifacts')
})

test('with a private key, the card has a signature that the public key verifies', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await using agent = await startDeployer({ signWith: { key: privateKey, kid: 'key-2' } })
  const card = (await (await fetch(`${agent.url}/.well-known/agent-card.json`)).json()) as {
    signatures: [{ protected: string; signature: string }]
  }
  const [{ protected: header, signature }] = card.signatures
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
    alg: 'ES256',
    typ: 'JOSE',
    kid: 'key-2',
  })
  const { signatures: _, ...signed } = card
  // The one empty list of the card is a default, which a signature leaves out.
  const ordered = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(ordered)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .filter(([name]) => name !== 'list')
              .toSorted(([a], [b]) => (a < b ? -1 : 1))
              .map(([name, one]) => [name, ordered(one)]),
          )
        : value
  const verifies = (payload: unknown) =>
    verify(
      'sha256',
      Buffer.from(`${header}.${Buffer.from(JSON.stringify(ordered(payload))).toString('base64url')}`),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
  expect(verifies(signed)).toBe(true)
  expect(verifies({ ...signed, name: 'deploier' })).toBe(false)
})
