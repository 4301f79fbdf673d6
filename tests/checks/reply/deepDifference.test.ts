import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { difference } from '../../../src/checks/reply/deepDifference.ts'

describe('equal', () => {
  test.each([
    [{ a: 1 }, { a: 1, b: undefined }, undefined],
    [{ a: 1, b: undefined }, { a: 1 }, undefined],
    [{ a: /^x/ }, { a: 'xy' }, undefined],
    [[expect.any(Number)], [3], undefined],
    [NaN, NaN, undefined],
    [null, undefined, 'it is missing'],
    [{ a: 1 }, null, 'it is not {"a":1}, but is null'],
    [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, 'it.a.b[1] is not 2, but is 3'],
    [[1], [1, 2], 'it has 2 items, not 1'],
    [[1, 2], [1], 'it has 1 item, not 2'],
    [{}, { a: 1 }, 'it.a is 1, but was not expected'],
    [{ a: /^x/ }, { a: 'y' }, 'it.a does not match /^x/, but is "y"'],
    [[1], { 0: 1, length: 1 }, 'it is not [1], but is {"0":1,"length":1}'],
    [expect.any(Number), 'x', 'it is not Any<Number>, but is "x"'],
  ])('%j and %j', (expected, actual, found) => {
    expect(difference(expected, actual, 'equal', 'it')).toBe(found)
  })

  test('every JSON value equals its copy, and a changed one does not', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = JSON.parse(JSON.stringify(value)) as unknown
        expect(difference(copy, copy, 'equal', 'it')).toBeUndefined()
        expect(difference({ of: copy }, { of: [copy] }, 'equal', 'it')).toBeDefined()
      }),
    )
  })
})

describe('part', () => {
  test.each([
    [{ tags: ['b'] }, { tags: ['a', 'b'], id: 1 }, undefined],
    [{ tags: ['b', 'a'] }, { tags: ['a', 'b'] }, undefined],
    [{ list: [{ id: 1 }] }, { list: [{ id: 2 }, { id: 1, x: 1 }] }, undefined],
    [{ tags: ['c'] }, { tags: ['a', 'b'] }, 'tags has no "c", but is ["a","b"]'],
    [{ tags: ['c'] }, {}, 'tags is missing'],
    [{ tags: ['c'] }, { tags: 'c' }, 'tags is not ["c"], but is "c"'],
  ])('%j in %j', (expected, actual, found) => {
    expect(difference(expected, actual, 'part', '')).toBe(found)
  })
})
