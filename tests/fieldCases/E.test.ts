import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import type { Fixture } from '../support/fixtureServer.ts'
import { entry, fixture, open } from './scene.ts'

type Json = Record<string, unknown>

describe('E01 the same answer two or three times', () => {
  // The fixture answers message/stream; servers also answer message/send with a stream, and all its events are folded.
  const asSend = (): Fixture => {
    const scene = fixture('E01')
    entry(scene, 'message/stream').rpc = 'message/send'
    return scene
  }

  test('the text is the answer once, without the question', async () => {
    await using helpdesk = await open(asSend())

    await expect(helpdesk.url).toReply('capital?', 'Oslo', { exact: true })
    await expect(helpdesk.url).toPassSmokeCheck({ message: 'capital?' })

    const reply = await helpdesk.agent().send('capital?')
    expect(reply).toBeInTaskState('completed')
    expect(reply).toHaveArtifact('a1', 'Oslo')
    expect(reply.progress).toEqual(['Oslo'])
  })

  const text = (value: string) => ({ kind: 'text', text: value })
  const message = (role: string, ...parts: string[]) => ({
    kind: 'message',
    messageId: 'm',
    role,
    parts: parts.map(text),
  })
  const artifact = (id: string, ...parts: string[]) => ({ artifactId: id, parts: parts.map(text) })
  test.each([
    ['artifacts before the status message', { artifacts: [artifact('a', 'A')] }, 'S', 'A'],
    ['the status message before the history', { history: [message('agent', 'H')] }, 'S', 'S'],
    [
      'the last agent message of the history',
      { history: [message('agent', 'H'), message('user', 'U')] },
      undefined,
      'H',
    ],
    [
      'chunks of one artifact without a separator',
      { artifacts: [artifact('a', 'Os', 'lo')] },
      undefined,
      'Oslo',
    ],
    ['artifacts by a newline', { artifacts: [artifact('a', 'A'), artifact('b', 'B')] }, undefined, 'A\nB'],
    ['parts of a message by a newline', { history: [message('agent', 'one', 'two')] }, undefined, 'one\ntwo'],
  ])('%s', async (_what, members, status, expected) => {
    const task = {
      kind: 'task',
      id: 't1',
      contextId: 'c1',
      status: { state: 'completed', ...(status !== undefined && { message: message('agent', status) }) },
      ...members,
    }
    await using helpdesk = await open({
      exchange: [{ on: 'POST /rpc', rpc: 'message/send', json: { jsonrpc: '2.0', id: '$id', result: task } }],
    })

    await expect(helpdesk.url).toReply('capital?', expected, { exact: true })
  })
})

describe('E02 no artifacts: the text is in the status message', () => {
  const withTask = (change: (task: Json) => void): Fixture => {
    const scene = fixture('E02')
    change((entry(scene, 'message/send').json as { result: Json }).result)
    return scene
  }

  test.each([
    ['null', () => {}],
    ['[]', (task: Json) => Object.assign(task, { artifacts: [] })],
    ['absent', (task: Json) => delete task['artifacts']],
  ])('artifacts %s', async (_what, change) => {
    await using helpdesk = await open(withTask(change))

    await expect(helpdesk.url).toPassSmokeCheck()
    await expect(helpdesk.url).toReply('go', 'All set.', { exact: true })
    expect((await helpdesk.agent().send('go')).findings).toEqual([])
  })

  test('the question of a task that waits for input comes first, and its draft is kept apart', async () => {
    await using helpdesk = await open(
      withTask((task) => {
        const status = task['status'] as { state: string; message: { parts: Json[] } }
        status.state = 'input-required'
        status.message.parts = [{ kind: 'text', text: 'Send it?' }]
        task['artifacts'] = [{ artifactId: 'a1', parts: [{ text: 'draft' }] }]
      }),
    )

    await expect(helpdesk.url).toPassSmokeCheck()
    await expect(helpdesk.url).toReply('write', 'Send it?', { exact: true })
    const reply = await helpdesk.agent().send('write')
    expect(reply).toBeInTaskState('input-required')
    expect(reply).toHaveArtifact('a1', 'draft')
  })

  test('no text at any level fails, unless the test asks for a file or for data', async () => {
    const answer = (parts: Json[]) =>
      withTask((task) => {
        task['status'] = { state: 'completed' }
        task['artifacts'] = [{ artifactId: 'a1', parts }]
      })
    await using helpdesk = await open(answer([{ kind: 'data', data: { n: 1 } }]))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toPassSmokeCheck())
    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain('task t1 completed without any text')

    await expect(helpdesk.url).toReply('go', { n: 1 })
    const file = { kind: 'file', file: { bytes: 'aGk=', mimeType: 'text/plain', name: 'a.txt' } }
    await using other = await open(answer([file]))
    expect(await other.agent().send('go')).toHaveReplyFile({ name: 'a.txt' })
  })
})

describe('E05 a failed, canceled or rejected task is not an empty success', () => {
  const withStatus = (state: string, text?: string): Fixture => {
    const scene = fixture('E05')
    const { task } = (entry(scene, 'SendMessage').json as { result: { task: Json } }).result
    task['status'] = {
      state,
      ...(text !== undefined && { message: { messageId: 'm2', role: 'ROLE_AGENT', parts: [{ text }] } }),
    }
    return scene
  }

  test('failed, with the reason', async () => {
    await using helpdesk = await open(fixture('E05'))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toPassSmokeCheck())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain('task t1 ended in state failed: quota used up')
    expect(await helpdesk.failure(() => expect(helpdesk.url).toReply('ping'))).toMatch(/^\[failed\] /)
    // An error is never graded as an answer.
    expect(await helpdesk.failure(() => expect(helpdesk.url).toReply('ping', 'quota used up'))).toMatch(
      /^\[failed\] /,
    )
    expect(await helpdesk.agent().send('ping')).toMatchObject({ text: '', reason: 'quota used up' })
  })

  test.each([
    ['TASK_STATE_CANCELED', undefined, 'task t1 ended in state canceled (no reason given)'],
    ['TASK_STATE_REJECTED', 'not my job', 'task t1 ended in state rejected: not my job'],
  ])('%s', async (state, text, says) => {
    await using helpdesk = await open(withStatus(state, text))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toPassSmokeCheck())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain(says)
  })

  test('auth-required with a message passes with a warning, because a question is a sign of life', async () => {
    await using helpdesk = await open(withStatus('TASK_STATE_AUTH_REQUIRED', 'sign in'))

    expect(await helpdesk.passing(() => expect(helpdesk.url).not.toPassSmokeCheck())).toContain(
      '! the agent asks for authentication (auth-required): sign in',
    )
  })

  test('auth-required without a message fails', async () => {
    await using helpdesk = await open(withStatus('TASK_STATE_AUTH_REQUIRED'))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toPassSmokeCheck())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain('the agent asks for authentication (auth-required)')
  })

  test.each([
    ['failed', 'TASK_STATE_FAILED'],
    ['canceled', 'TASK_STATE_CANCELED'],
    ['rejected', 'TASK_STATE_REJECTED'],
    ['auth-required', 'TASK_STATE_AUTH_REQUIRED'],
  ] as const)('a test may expect %s', async (state, written) => {
    await using helpdesk = await open(withStatus(written))

    await expect(helpdesk.url).toReachTaskState('ping', state)
  })
})
