import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import type { Fixture, FixtureExchange } from '../support/fixtureServer.ts'
import { entry, fixture, open } from './scene.ts'

type Json = Record<string, unknown>
/** The JSON-RPC result of an entry, to be changed in place. */
const resultOf = (answer: FixtureExchange): Json => (answer.json as { result: Json }).result

describe('C01 task states in every spelling', () => {
  const withState = (state: unknown): Fixture => {
    const scene = fixture('C01')
    resultOf(entry(scene, 'message/send'))['status'] = { state }
    return scene
  }

  test('the spelling of 1.0 on an interface of 0.3: a warning', async () => {
    await using helpdesk = await open(fixture('C01'))

    const failure = await helpdesk.passing(() => expect(helpdesk.url).not.toPassSmokeCheck())

    expect(failure).toContain(
      '! result.status.state  state "TASK_STATE_COMPLETED" is the 1.0 spelling; this interface speaks 0.3 (expected "completed")',
    )
  })

  test("the interface's own spelling: no warning", async () => {
    await using helpdesk = await open(withState('completed'))

    expect((await helpdesk.agent().send('ping')).findings).toEqual([])
  })

  test.each(['Completed', 'COMPLETED', 'TaskState.completed'])('%s: a warning', async (state) => {
    await using helpdesk = await open(withState(state))

    expect(await helpdesk.passing(() => expect(helpdesk.url).not.toReply('ping', 'done'))).toContain(
      `! result.status.state  state "${state}" is not a spelling of A2A (expected "completed")`,
    )
  })

  test('input_required: a warning, and the task waits for input', async () => {
    await using helpdesk = await open(withState('input_required'))

    expect(
      await helpdesk.passing(() => expect(helpdesk.url).not.toReachTaskState('ping', 'input-required')),
    ).toContain('state "input_required" is not a spelling of A2A (expected "input-required")')
  })

  test.each([
    ['cancelled', 'is not a spelling of A2A (expected "canceled")'],
    [
      'TASK_STATE_CANCELLED',
      'is the spelling of 0.3 over HTTP+JSON; this interface speaks 0.3 (expected "canceled")',
    ],
  ])('%s: the spelling is a warning, and the outcome fails anyway', async (state, says) => {
    await using helpdesk = await open(withState(state))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toPassSmokeCheck())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain('Received: task t1 ended in state canceled (no reason given)')
    expect(failure).toContain(`! result.status.state  state "${state}" ${says}`)
  })

  test.each(['done', 'finished', 3])('%j is not a state and ends the wait at once', async (state) => {
    await using helpdesk = await open(withState(state))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toPassSmokeCheck())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain(`unknown task state ${JSON.stringify(state)}`)
    expect(helpdesk.methods()).toEqual(['message/send'])
  })

  test('also when a poll brings it', async () => {
    const scene = withState('working')
    scene.exchange?.push({ ...entry(withState('done'), 'message/send'), rpc: 'tasks/get' })
    await using helpdesk = await open(scene)

    expect(await helpdesk.failure(() => expect(helpdesk.agent()).toPassSmokeCheck())).toContain(
      'unknown task state "done"',
    )
    expect(helpdesk.methods()).toEqual(['message/send', 'tasks/resubscribe', 'tasks/get'])
  })
})

describe('C03 role model, assistant or nonsense, and no false alarm about ROLE_AGENT', () => {
  const withRole = (role: unknown): Fixture => {
    const scene = fixture('C03')
    resultOf(entry(scene, 'message/send'))['role'] = role
    return scene
  }

  test.each(['model', 'assistant', 'bot', 'ai'])('%s: a warning', async (role) => {
    await using helpdesk = await open(withRole(role))

    expect(await helpdesk.passing(() => expect(helpdesk.url).not.toReply('ping', 'hi'))).toContain(
      `! result.role  role "${role}" is not an A2A role (0.3: "agent", 1.0: "ROLE_AGENT")`,
    )
  })

  test('a missing one: a warning', async () => {
    await using helpdesk = await open(withRole(null))

    expect(await helpdesk.passing(() => expect(helpdesk.url).not.toReply('ping', 'hi'))).toContain(
      "! result.role  a message has no role; it is read as the agent's",
    )
  })

  test.each([
    ['banana', 'role "banana" is not an A2A role (0.3: "agent", 1.0: "ROLE_AGENT")'],
    ['user', 'the reply has role user'],
  ])('%s fails', async (role, says) => {
    await using helpdesk = await open(withRole(role))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toPassSmokeCheck())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain(says)
  })

  test('ROLE_AGENT is the spelling of 1.0: a warning in 0.3, none in 1.0', async () => {
    await using helpdesk = await open(withRole('ROLE_AGENT'))
    expect(await helpdesk.passing(() => expect(helpdesk.url).not.toReply('ping', 'hi'))).toContain(
      '! result.role  role "ROLE_AGENT" is the 1.0 spelling; this interface speaks 0.3 (expected "agent")',
    )

    const scene = withRole('ROLE_AGENT')
    const answer = entry(scene, 'message/send')
    answer.rpc = 'SendMessage'
    answer.json = {
      ...(answer.json as Json),
      result: { message: { messageId: 'm2', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } },
    }
    await using modern = await open(scene)
    expect(await modern.agent().send('ping')).toMatchObject({ text: 'hi', findings: [] })
  })
})

describe('C04 a result that is not wrapped, or wrapped twice', () => {
  test('a bare task from SendMessage and a wrapped one from GetTask are read, with a warning each', async () => {
    await using helpdesk = await open(fixture('C04'))

    const failure = await helpdesk.passing(() => expect(helpdesk.agent()).not.toReply('ping', 'hi'))

    expect(failure).toContain(
      '! result  SendMessage result must be {"task"} or {"message"} in 1.0, got a bare task',
    )
    expect(failure).toContain('! result  GetTask result must be the task itself, got {"task": …}')
  })

  test('the right form gives no warning', async () => {
    const scene = fixture('C04')
    const [send, get] = [entry(scene, 'SendMessage'), entry(scene, 'GetTask')]
    const [bare, wrapped] = [resultOf(send), resultOf(get)]
    send.json = { ...(send.json as Json), result: { task: bare } }
    get.json = { ...(get.json as Json), result: wrapped['task'] }
    await using helpdesk = await open(scene)

    expect(await helpdesk.agent().send('ping')).toMatchObject({ text: 'hi', findings: [] })
  })

  const done = {
    id: 't1',
    contextId: 'c1',
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts: [{ artifactId: 'a1', parts: [{ text: 'hi' }] }],
  }
  const message = { messageId: 'm2', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] }
  const answering = (result: unknown): Fixture => {
    const scene = fixture('C04')
    const send = entry(scene, 'SendMessage')
    send.json = { ...(send.json as Json), result }
    return scene
  }

  test.each([
    ['wrapped twice', { result: { task: done } }],
    ['an envelope in the envelope', { jsonrpc: '2.0', id: 1, result: { task: done } }],
  ])('%s is read, with a warning', async (_what, result) => {
    await using helpdesk = await open(answering(result))

    const failure = await helpdesk.passing(() => expect(helpdesk.url).not.toReply('ping', 'hi'))

    expect(failure).toContain('! result  SendMessage result must be {"task"} or {"message"} in 1.0, got ')
  })

  test('{"task"} on message/send of 0.3 is read, with a warning', async () => {
    const scene = answering({
      task: {
        ...done,
        kind: 'task',
        status: { state: 'completed' },
        artifacts: [{ artifactId: 'a1', parts: [{ kind: 'text', text: 'hi' }] }],
      },
    })
    entry(scene, 'SendMessage').rpc = 'message/send'
    await using helpdesk = await open(scene)

    expect(await helpdesk.passing(() => expect(helpdesk.url).not.toReply('ping', 'hi'))).toContain(
      '! result  message/send result must be the task or the message itself in 0.3, got {"task": …}',
    )
  })

  test.each([
    ['both at once', { task: done, message }, 'both a task and a message'],
    ['nothing', {}, 'result is empty: no task and no message'],
  ])('%s fails', async (_what, result, says) => {
    await using helpdesk = await open(answering(result))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toPassSmokeCheck())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain(says)
  })
})

describe('C05 parts and methods of another generation', () => {
  test('a server of 0.1 behind a card of 0.3 is read, with a warning that it speaks 0.1', async () => {
    await using helpdesk = await open(fixture('C05'))

    const failure = await helpdesk.passing(() => expect(helpdesk.url).not.toReply('ping', 'hi'))

    expect(failure).toMatch(
      /^ {2}! url {2}card says 0\.3\.0, but message\/send → -32601 and tasks\/send works: the agent speaks 0\.1/m,
    )
    expect(await helpdesk.agent().send('ping')).toMatchObject({
      text: 'hi',
      dialect: '0.1',
      declared: '0.3',
      // `sessionId` is the context of 0.1.
      contextId: 's1',
    })
  })

  test.each([
    ['0.1', 'tasks/send', {}],
    ['0.3', 'message/send', { configuration: { blocking: true } }],
    ['1.0', 'SendMessage', {}],
  ] as const)('%s is sent exactly, without a key of another version', async (version, method, more) => {
    const scene = fixture('C05')
    const { params } = (scene['clientMustSend'] as Record<string, { params: Json }>)[version]!
    await using helpdesk = await open(scene)
    let made = 0

    await helpdesk
      .agent({ version }, { id: () => `id${++made}` })
      .send('ping')
      .catch(() => undefined)

    const sent = helpdesk.posts()[0]?.rpc
    expect(sent?.method).toBe(method)
    // The fixture writes … for what the client makes up.
    const masked = JSON.stringify(sent?.params).replace(/"id\d+"/g, '"…"')
    expect(JSON.parse(masked)).toEqual({ ...params, ...more })
  })

  test.each([
    ['type', { type: 'text', text: 'hi' }],
    ['kind', { kind: 'text', text: 'hi' }],
    ['neither', { text: 'hi' }],
  ])('a text part with %s is read by every version', async (_which, part) => {
    const scene = fixture('C03')
    resultOf(entry(scene, 'message/send'))['role'] = 'agent'
    resultOf(entry(scene, 'message/send'))['parts'] = [part]
    await using helpdesk = await open(scene)

    await expect(helpdesk.url).toReply('ping', 'hi')
  })

  test.each([
    ['0.x bytes', { kind: 'file', file: { bytes: 'aGk=', mimeType: 'text/plain', name: 'a.txt' } }],
    ['1.0 raw', { raw: 'aGk=', mediaType: 'text/plain', filename: 'a.txt' }],
  ])('a file part of %s is read', async (_which, part) => {
    const scene = fixture('C03')
    Object.assign(resultOf(entry(scene, 'message/send')), {
      role: 'agent',
      parts: [part, { data: { n: 1 } }],
    })
    await using helpdesk = await open(scene)

    const reply = await helpdesk.agent().send('ping')

    expect(reply).toHaveReplyFile({ name: 'a.txt', mediaType: 'text/plain', text: 'hi' })
    expect(reply).toHaveReplyData({ n: 1 })
  })

  test.each([
    ['0.x', { kind: 'file', file: { uri: 'https://files.example/a.txt' } }],
    ['1.0', { url: 'https://files.example/a.txt' }],
  ])('a file by reference of %s is read', async (_which, part) => {
    const scene = fixture('C03')
    Object.assign(resultOf(entry(scene, 'message/send')), { role: 'agent', parts: [part] })
    await using helpdesk = await open(scene)

    expect(await helpdesk.agent().send('ping')).toHaveReplyFile({ url: 'https://files.example/a.txt' })
  })
})

describe('C06 the JSON-RPC id comes back changed', () => {
  const answering = (change: (json: Json) => void): Fixture => {
    const scene = fixture('C06')
    change(entry(scene, 'message/send').json as Json)
    return scene
  }
  const rpcId = (): number => Number(entry(fixture('C06'), 'message/send')['requestId'])

  test.each([
    ['"7" for 7', () => {}, 'response id "7" (string) does not equal request id 7 (number)'],
    [
      'an absent one',
      (json: Json) => delete json['id'],
      'the response has no id; the request has 7 (number)',
    ],
  ])('%s: a warning', async (_what, change, says) => {
    await using helpdesk = await open(answering(change))

    expect(
      await helpdesk.passing(() => expect(helpdesk.agent({}, { rpcId })).not.toReply('ping', 'hi')),
    ).toContain(`! id  ${says}`)
  })

  test.each([
    ['8 for 7', 8, 'response id 8 (number) does not equal request id 7 (number)'],
    ['null with a result', null, 'response id null does not equal request id 7 (number)'],
  ])('%s fails', async (_what, id, says) => {
    await using helpdesk = await open(answering((json) => Object.assign(json, { id })))

    const failure = await helpdesk.failure(() => expect(helpdesk.agent({}, { rpcId })).toReply('ping', 'hi'))

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain(says)
  })

  test('null with -32700 is that error', async () => {
    await using helpdesk = await open(
      answering((json) => {
        delete json['result']
        Object.assign(json, { id: null, error: { code: -32700, message: 'Parse error' } })
      }),
    )

    const failure = await helpdesk.failure(() => expect(helpdesk.agent({}, { rpcId })).toReply('ping', 'hi'))

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain('message/send was answered with error -32700 (ParseError): "Parse error"')
    expect(failure).not.toContain('response id')
  })
})
