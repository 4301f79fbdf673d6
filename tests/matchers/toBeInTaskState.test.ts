import { expect, test } from 'vitest'
import '../../src/vitest.ts'
import type { Task, TaskState } from '../../src/protocol/model.ts'
import { failureOf, messageReply, taskReply } from './support.ts'

test('passes for the state that the task is in', () => {
  expect(taskReply('completed')).toBeInTaskState('completed')
  expect(taskReply('working')).toBeInTaskState('working')
  expect(messageReply('Hi.')).not.toBeInTaskState('completed')
})

test('takes a task of getTask()', () => {
  const task: Task = { kind: 'task', id: 't1', status: { state: 'canceled' }, artifacts: [], history: [] }

  expect(task).toBeInTaskState('canceled')
  expect(task).not.toBeInTaskState('completed')
})

test('fails with the state that it is in, and why', async () => {
  const text = await failureOf(() =>
    expect(taskReply('failed', [], 'quota used up')).toBeInTaskState('completed'),
  )

  expect(text).toMatchInlineSnapshot(`
    "[failed] expect(reply).toBeInTaskState("completed")

    Agent:    Echo Desk (http://127.0.0.1:<port>)
    Expected: a task in state completed
    Received: task t1 ended in state failed: quota used up   reply/task-state"
  `)
})

test('fails for a message', async () => {
  expect(await failureOf(() => expect(messageReply('Hi.')).toBeInTaskState('completed')))
    .toMatchInlineSnapshot(`
      "[failed] expect(reply).toBeInTaskState("completed")

      Agent:    Echo Desk (http://127.0.0.1:<port>)
      Expected: a task in state completed
      Received: a Message with the text "Hi.", which is not a task   reply/no-task"
    `)
})

test('.not fails and says what was found', async () => {
  expect(await failureOf(() => expect(taskReply('rejected')).not.toBeInTaskState('rejected')))
    .toMatchInlineSnapshot(`
      "[failed] expect(reply).not.toBeInTaskState("rejected")

      Agent:    Echo Desk (http://127.0.0.1:<port>)
      Expected: not a task in state rejected
      Received: task t1 ended in state rejected (no reason given)"
    `)
})

test.each([
  [
    'TASK_STATE_CANCELLED',
    'toBeInTaskState(): `state` must be "submitted", "working", "input-required", "auth-required", "completed", "canceled", "failed", "rejected" or "unknown"; received "TASK_STATE_CANCELLED".',
  ],
  [
    'done',
    'toBeInTaskState(): `state` must be "submitted", "working", "input-required", "auth-required", "completed", "canceled", "failed", "rejected" or "unknown"; received "done".',
  ],
])('misuse: %s', async (state, message) => {
  const given = state as TaskState

  expect(await failureOf(() => expect(taskReply('canceled')).toBeInTaskState(given))).toContain(message)
})

test('misuse: a URL', async () => {
  expect(await failureOf(() => expect('http://127.0.0.1:1').toBeInTaskState('failed')))
    .toMatchInlineSnapshot(`
    "[error] expect(reply).toBeInTaskState("failed")

    Error: toBeInTaskState checks what agent.send() or agent.getTask() returned, but received an agent.
    Fix:   Send something first: expect(await agent.send("…")).toBeInTaskState(…)."
  `)
})
