import { expect, test } from 'vitest'
import { snapshotSerializer } from '../../src/report/serializer.ts'
import { exchange } from './exchange.ts'

expect.addSnapshotSerializer(snapshotSerializer)

const ids = { task: '3f8a1c52-0000-4000-8000-000000000001', context: 'ctx-3f8a1c52-9' }

const task = (n: number): object => ({
  kind: 'task',
  id: `${ids.task}${n}`,
  contextId: ids.context,
  status: {
    state: 'completed',
    timestamp: '2026-01-02T03:04:05.678Z',
    message: {
      kind: 'message',
      messageId: `m-${n}`,
      role: 'agent',
      taskId: `${ids.task}${n}`,
      contextId: ids.context,
      parts: [
        { kind: 'text', text: `See http://127.0.0.1:4100${n}/tasks/${ids.task}${n} at 2026-01-02T03:04:05Z` },
      ],
    },
  },
  artifacts: [{ artifactId: 'a1', name: 'report', parts: [] }],
  history: [],
})

test('masks ids, times and ports, the same whatever they are', () => {
  expect(task(1)).toMatchInlineSnapshot(`
    {
      "artifacts": [
        {
          "artifactId": "<artifact-1>",
          "name": "report",
          "parts": [],
        },
      ],
      "contextId": "<context-1>",
      "history": [],
      "id": "<task-1>",
      "kind": "task",
      "status": {
        "message": {
          "contextId": "<context-1>",
          "kind": "message",
          "messageId": "<message-1>",
          "parts": [
            {
              "kind": "text",
              "text": "See http://127.0.0.1:<port>/tasks/<task-1> at <time>",
            },
          ],
          "role": "agent",
          "taskId": "<task-1>",
        },
        "state": "completed",
        "timestamp": "<time>",
      },
    }
  `)
})

test('counts the ids of one value, also across a list', () => {
  const reply = {
    isA2AReply: true,
    kind: 'task',
    text: `about ${ids.task}2`,
    taskId: `${ids.task}1`,
    task: task(1),
    data: [task(2)],
    wait: { polls: 3, ms: 412 },
    exchanges: [exchange()],
    secrets: ['s3cret'],
  }
  expect(reply).toMatchInlineSnapshot(`
    {
      "data": [
        {
          "artifacts": [
            {
              "artifactId": "<artifact-1>",
              "name": "report",
              "parts": [],
            },
          ],
          "contextId": "<context-1>",
          "history": [],
          "id": "<task-2>",
          "kind": "task",
          "status": {
            "message": {
              "contextId": "<context-1>",
              "kind": "message",
              "messageId": "<message-2>",
              "parts": [
                {
                  "kind": "text",
                  "text": "See http://127.0.0.1:<port>/tasks/<task-2> at <time>",
                },
              ],
              "role": "agent",
              "taskId": "<task-2>",
            },
            "state": "completed",
            "timestamp": "<time>",
          },
        },
      ],
      "kind": "task",
      "task": {
        "artifacts": [
          {
            "artifactId": "<artifact-1>",
            "name": "report",
            "parts": [],
          },
        ],
        "contextId": "<context-1>",
        "history": [],
        "id": "<task-1>",
        "kind": "task",
        "status": {
          "message": {
            "contextId": "<context-1>",
            "kind": "message",
            "messageId": "<message-1>",
            "parts": [
              {
                "kind": "text",
                "text": "See http://127.0.0.1:<port>/tasks/<task-1> at <time>",
              },
            ],
            "role": "agent",
            "taskId": "<task-1>",
          },
          "state": "completed",
          "timestamp": "<time>",
        },
      },
      "taskId": "<task-1>",
      "text": "about <task-2>",
      "wait": "<wait>",
    }
  `)
})

test('leaves everything else to others', () => {
  for (const value of [null, 'task', { kind: 'task' }, { id: 'x' }, [task(1)], new Date()]) {
    expect(snapshotSerializer.test(value)).toBe(false)
  }
})

test('secrets that a reply repeats are hidden', () => {
  const reply = { isA2AReply: true, text: 'your key is hunter2hunter2', secrets: ['hunter2hunter2'] }
  expect(reply).toMatchInlineSnapshot(`
    {
      "text": "your key is <hidden>",
    }
  `)
})
