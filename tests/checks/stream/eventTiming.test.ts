import { expect, test } from 'vitest'
import { arrivalOf, lateFindings, pieceFindings } from '../../../src/checks/stream/eventTiming.ts'

const at = (...events: number[]): { requestedAt: number; events: number[] } => ({
  requestedAt: 1000,
  events: events.map((ms) => 1000 + ms),
})
const every = (ms: number, times: number, first = 0): number[] =>
  Array.from({ length: times }, (_, index) => first + index * ms)

test.each([
  ['two events apart', at(5, 3000)],
  ['a Task at once, the rest in one piece at the end', at(5, 3000, 3000, 3001)],
  ['many small steps', at(...every(10, 100, 2000))],
  ['exactly 20 ms apart', at(5, 25)],
])('step by step: %s', (_, timings) => {
  expect(arrivalOf(timings)).toEqual({ kind: 'steps' })
})

test('reports events in one piece after a silence', () => {
  expect(arrivalOf(at(3000, 3000, 3001, 3002, 3002))).toEqual({
    kind: 'piece',
    message:
      '5 events arrived within 2 ms after 3000 ms of silence: the response looks buffered, perhaps by a proxy',
  })
  // Reading a large piece takes that long.
  expect(arrivalOf(at(...every(1, 150, 3000)))).toMatchObject({ kind: 'piece' })
})

test('one event is not step by step', () => {
  expect(arrivalOf(at(3000))).toEqual({
    kind: 'piece',
    message: 'the stream has 1 event, so nothing arrived step by step',
  })
})

test('reports events too fast to judge', () => {
  expect(arrivalOf(at(4, 5, 7))).toEqual({
    kind: 'quick',
    message:
      '3 events arrived within 3 ms, 4 ms after the request: too fast to say whether something held them back',
  })
})

test('one piece is an error if steps are expected, else a note if noticeable', () => {
  expect(pieceFindings(at(3000, 3000, 3001), true)).toMatchObject([
    { id: 'stream/one-piece', level: 'error' },
  ])
  expect(pieceFindings(at(3000, 3000, 3001), false)).toMatchObject([
    { id: 'stream/one-piece', level: 'note' },
  ])
  for (const quiet of [at(3000, 3001), at(400, 401, 402), at(5, 3000, 3001)])
    expect(pieceFindings(quiet, false)).toEqual([])
  expect(pieceFindings(at(4, 5, 7), true)).toEqual([])
})

test('reports a late first event', () => {
  expect(lateFindings(at(250, 300), 250)).toEqual([])
  expect(lateFindings(at(250), undefined)).toEqual([])
  expect(lateFindings(at(), 250)).toEqual([])
  expect(lateFindings(at(251, 300), 250)).toMatchObject([
    {
      id: 'stream/first-event-late',
      level: 'error',
      message: 'the first event arrived after 251 ms, not within 250 ms',
    },
  ])
})
