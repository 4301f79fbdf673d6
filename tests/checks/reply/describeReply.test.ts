import { expect, test } from 'vitest'
import { describeReply, textExcerpt } from '../../../src/checks/reply/describeReply.ts'
import type { FilePart, Part } from '../../../src/protocol/model.ts'
import { messageReply, taskReply } from '../../matchers/support.ts'

const data: Part = { kind: 'data', data: 1 }
const file: FilePart = { kind: 'file', url: 'http://127.0.0.1/a' }

test.each([
  [messageReply('Hi.'), 'a Message with the text "Hi."'],
  [messageReply(), 'a Message without any text'],
  [messageReply(data, file), 'a Message without any text, but with 1 data part and 1 file'],
  [messageReply('Hi.', data, data), 'a Message with the text "Hi." and 2 data parts'],
  [taskReply('completed', [], 'All set.'), 'task t1 completed with the text "All set."'],
  [
    taskReply('input-required', [], 'Which city?'),
    'task t1 is waiting in state input-required with the text "Which city?"',
  ],
  [taskReply('failed', [], 'quota used up'), 'task t1 ended in state failed: quota used up'],
  [taskReply('canceled'), 'task t1 ended in state canceled (no reason given)'],
  [taskReply('unknown'), 'task t1 is in state unknown'],
  [
    { ...taskReply('working'), unsettled: true, wait: { polls: 1, ms: 70 } },
    'task t1 still working after 70 ms and 1 poll',
  ],
])('%#', (reply, phrase) => {
  expect(describeReply(reply)).toBe(phrase)
})

test('truncates a long text, and shows it whole below', () => {
  const reply = messageReply('x'.repeat(130))

  expect(describeReply(reply)).toBe(`a Message with the text "${'x'.repeat(120)}…"`)
  expect(textExcerpt(reply)).toEqual([{ label: 'Text of the reply', text: 'x'.repeat(130) }])
  expect(textExcerpt(messageReply('short'))).toEqual([])
})
