import { expect, test } from 'vitest'
import { findText } from '../../../src/checks/multiTurn/findText.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

test.each([
  ['a text', 'It is Maple7.', ''],
  ['a member', { a: { b: ['x', 'MAPLE7'] } }, 'a.b[1]'],
  ['the name of a member', { a: { myMaple7s: 1 } }, 'a.myMaple7s'],
  ['the first of several', ['maple7', 'maple7'], '[0]'],
  ['a file', [{ kind: 'file', bytes: base64('a maple7 tree') }], '[0].bytes'],
])('finds it in %s', (_, value, where) => {
  expect(findText(value, 'maple7')).toBe(where)
})

test('finds a number only as a whole number', () => {
  expect(findText({ order: 4411 }, '4411')).toBe('order')
})

test.each([
  ['nothing', undefined],
  ['null', null],
  ['another text', 'maple 7'],
  ['two texts that make it together', ['maple', '7']],
  ['bytes of what is no file', { bytes: base64('maple7') }],
])('does not find it in %s', (_, value) => {
  expect(findText(value, 'maple7')).toBeUndefined()
})
