import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { A2AUsageError } from '../../src/core/errors.ts'
import {
  checkArguments,
  checkOptions,
  credentials,
  duration,
  either,
  fn,
  listOf,
  oneOf,
  optionsOf,
  recordOf,
  regExp,
  required,
  secret,
  text,
  wholeNumber,
} from '../../src/core/validate.ts'
import { nearest } from '../../src/core/nearest.ts'

test.each([
  [text, 7, '`key` must be a string; received 7.'],
  [regExp, '/x/', '`key` must be a regular expression; received "/x/".'],
  [either(text, regExp), {}, '`key` must be a string or a regular expression; received {}.'],
  [oneOf('a', 'b', 'c'), 'd', '`key` must be "a", "b" or "c"; received "d".'],
  [listOf(text), { 0: 'a' }, '`key` must be an array, each element a string; received { 0 }.'],
  [listOf(text), ['a', 1], '`key[1]` must be a string; received 1.'],
  [recordOf(oneOf('off')), { x: 'on' }, '`key.x` must be "off"; received "on".'],
  [recordOf(text), { 'a b': 1 }, '`key["a b"]` must be a string; received 1.'],
  [
    optionsOf({ votes: wholeNumber }),
    { votes: -1 },
    '`key.votes` must be a whole number of at least 0; received -1.',
  ],
  [
    optionsOf({ votes: wholeNumber }),
    { vote: 1 },
    'there is no option `key.vote`. Did you mean `key.votes`?',
  ],
  [wholeNumber, 1.5, '`key` must be a whole number of at least 0; received 1.5.'],
  [duration, 0, '`key` must be a positive number of milliseconds; received 0.'],
  [fn, new Date(0), '`key` must be a function; received a Date.'],
  [fn, { a: 1, b: 2 }, '`key` must be a function; received { a, b }.'],
  [required(fn), undefined, '`key` must be a function; received undefined.'],
  [secret(duration), 'hunter2', '`key` must be a positive number of milliseconds; received a string.'],
  [credentials, { bearer: 'hunter2\n' }, '`key.bearer` must not contain line breaks.'],
])('names a wrong value and what it must be', (kind, value, message) => {
  expect(() => checkOptions('toX', { key: value }, { key: kind })).toThrow(
    expect.objectContaining({ message: `toX(): ${message}` }),
  )
})

test('suggests the nearest value and lists the options', () => {
  const spec = { level: oneOf('low', 'high') }
  expect(caught(() => checkOptions('toX', { level: 'hihg' }, spec)).fix).toBe('Did you mean "high"?')
  expect(caught(() => checkOptions('toX', { levle: 'low' }, spec)).fix).toBe('Options: level.')
})

test('checks the arguments before the options', () => {
  const specs = [
    { name: 'message', kind: text },
    { name: 'limits', kind: optionsOf({ size: wholeNumber }), required: false },
  ]
  expect(() => checkArguments('toX', ['a'], specs)).not.toThrow()
  expect(() => checkArguments('toX', [], specs)).toThrow(
    'toX(): `message` must be a string; received undefined.',
  )
  expect(() => checkArguments('toX', ['a', { size: 'b' }], specs)).toThrow(
    'toX(): `limits.size` must be a whole number',
  )
})

test('treats an undefined option as left out', () => {
  expect(() => checkOptions('toX', { key: undefined }, { key: text })).not.toThrow()
  expect(() => checkOptions('toX', undefined, { key: text })).not.toThrow()
})

test('does not accept names that every object inherits', () => {
  expect(() => checkOptions('toX', { constructor: 1 }, { key: text })).toThrow(
    'toX(): there is no option `constructor`.',
  )
  expect(() => checkOptions('toX', JSON.parse('{"__proto__": 1}'), { key: text })).toThrow(
    'toX(): there is no option `__proto__`.',
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

const caught = (call: () => void): A2AUsageError => {
  try {
    call()
  } catch (error) {
    return error as A2AUsageError
  }
  throw new Error('nothing was thrown')
}

test('refuses every key that is not listed', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (key) => {
      fc.pre(key !== 'rules')
      const options = Object.defineProperty({}, key, { value: 1, enumerable: true })
      expect(() => checkOptions('toX', options, { rules: text })).toThrow('toX(): there is no option `')
    }),
  )
})
