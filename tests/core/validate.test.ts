import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  checkOptions,
  duration,
  either,
  fn,
  listOf,
  oneOf,
  recordOf,
  regExp,
  text,
  wholeNumber,
} from '../../src/core/validate.ts'
import { nearest } from '../../src/core/nearest.ts'

test.each([
  [text, 7, 'a string'],
  [regExp, '/x/', 'a regular expression'],
  [either(text, regExp), {}, 'a string or a regular expression'],
  [oneOf('a', 'b', 'c'), 'd', '"a", "b" or "c"'],
  [listOf(text), ['a', 1], 'a list, each of it a string'],
  [recordOf(oneOf('off')), { x: 'on' }, 'an object, each value of it "off"'],
  [wholeNumber, 1.5, 'a whole number of at least 0'],
  [duration, 0, 'a number of milliseconds above 0'],
  [fn, {}, 'a function'],
])('a kind says what it wants', (kind, value, what) => {
  expect(kind.accepts(value)).toBe(false)
  expect(() => checkOptions('toX', { key: value }, { key: kind })).toThrow(
    `the option "key" of toX must be ${what}, but is `,
  )
})

test('takes an option that is undefined for one that was not given', () => {
  expect(() => checkOptions('toX', { key: undefined }, { key: text })).not.toThrow()
  expect(() => checkOptions('toX', undefined, { key: text })).not.toThrow()
})

test('is not fooled by what every object has', () => {
  expect(() => checkOptions('toX', { constructor: 1 }, { key: text })).toThrow(
    'toX has no option "constructor".',
  )
  expect(() => checkOptions('toX', JSON.parse('{"__proto__": 1}'), { key: text })).toThrow(
    'toX has no option "__proto__".',
  )
})

test.each([
  ['timeout', ['requestTimeoutMs', 'deadlineMs'], undefined],
  ['deadline_ms', ['waitMs', 'deadlineMs'], 'deadlineMs'],
  ['faliOn', ['rules', 'failOn'], 'failOn'],
  ['strict', ['rules', 'failOn'], undefined],
])('the right name for %s', (given, names, right) => {
  expect(nearest(given, names)).toBe(right)
})

test('refuses every key that is not listed, by its name', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (key) => {
      fc.pre(key !== 'rules')
      const options = Object.defineProperty({}, key, { value: 1, enumerable: true })
      expect(() => checkOptions('toX', options, { rules: text })).toThrow(`toX has no option "${key}".`)
    }),
  )
})
