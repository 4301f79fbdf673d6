import { expect, test } from 'vitest'
import { lostBetween } from '../../../src/checks/stream/taskDifference.ts'
import type { Artifact, Part, Task } from '../../../src/protocol/model.ts'
import { taskOf } from './events.ts'

const text = (...words: string[]): Part[] => words.map((word) => ({ kind: 'text', text: word }))
const has = (id: string, parts: Part[]): Artifact => ({ artifactId: id, parts })
const says = (words: string): Task => {
  const task = taskOf('completed')
  task.status.message = { kind: 'message', messageId: 'm', role: 'agent', parts: text(words) }
  return task
}
const done = (...artifacts: Artifact[]): Task => taskOf('completed', artifacts)
const data = (value: unknown): Part => ({ kind: 'data', data: value })

test.each<[string, Task, Task]>([
  ['the same', done(has('a', text('Hello'))), done(has('a', text('Hello')))],
  ['other cuts', done(has('a', text('Hel', 'lo'))), done(has('a', text('Hello')))],
  ['a status message in one of them only', says('Done.'), done()],
  ['the same data', done(has('a', [data({ n: 1 })])), done(has('a', [data({ n: 1 })]))],
])('nothing is lost: %s', (_, streamed, polled) => {
  expect(lostBetween(streamed, polled, 'GetTask')).toBeUndefined()
})

test.each<[Task, Task, string]>([
  [done(), taskOf('failed'), 'the stream ended with state completed, but GetTask returns failed'],
  [done(), done(has('a', text('x'))), 'artifact a of GetTask was never streamed'],
  [done(has('a', text('x'))), done(), 'artifact a was streamed, but GetTask does not have it'],
  [
    done(has('a', text('Hel'))),
    done(has('a', text('Hello'))),
    'artifact a has 5 characters in GetTask, but 3 in what was streamed before and after the interruption',
  ],
  [
    done(has('a', text('Hullo'))),
    done(has('a', text('Hello'))),
    'artifact a has "Hello" in GetTask, but "Hullo" in what was streamed before and after the interruption',
  ],
  [
    done(has('a', [])),
    done(has('a', [data(1), data(2)])),
    'artifact a has 2 other parts in GetTask, but 0 in what was streamed before and after the interruption',
  ],
  [
    done(has('a', [data(1)])),
    done(has('a', [data(2)])),
    'artifact a has other data or files in GetTask, but others in what was streamed before and after the interruption',
  ],
  [says('Done.'), says('Gone.'), 'the last status message is "Done." in the stream, but "Gone." in GetTask'],
])('%#', (streamed, polled, expected) => {
  expect(lostBetween(streamed, polled, 'GetTask')).toBe(expected)
})
