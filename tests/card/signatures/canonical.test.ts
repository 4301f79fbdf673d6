import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, pythonJson } from '../../../src/card/signatures/canonical.ts'

describe('canonicalJson', () => {
  test('gives the example of RFC 8785 §3.2.4', () => {
    const example = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000f\u000aA\'\u0042\u0022\u005c\\"\u002f',
      literals: [null, true, false],
    }
    expect(canonicalJson(example)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  test('sorts as RFC 8785 §3.2.3 does: by UTF-16 code units', () => {
    const names = ['€', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', 'ö']
    const sorted = JSON.parse(canonicalJson(Object.fromEntries(names.map((name) => [name, 0])))) as object
    expect(Object.keys(sorted)).toEqual(['1', '\r', '\u0080', 'ö', '€', '\u{1f600}', '\ufb33'])
  })

  test.each([
    [0, '0'],
    [-0, '0'],
    [1.0, '1'],
    [5e-324, '5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [9007199254740992, '9007199254740992'],
    [295147905179352830000, '295147905179352830000'],
    [1e21, '1e+21'],
    [9.999999999999997e22, '9.999999999999997e+22'],
    [0.000001, '0.000001'],
    [1e-7, '1e-7'],
  ])('writes %d as in RFC 8785 appendix B', (number, text) => {
    expect(canonicalJson(number)).toBe(text)
  })

  test.each([
    [NaN, 'NaN has no canonical form'],
    [Infinity, 'Infinity has no canonical form'],
    ['\ud800', 'half a surrogate pair'],
    [{ '\udc00': 1 }, 'half a surrogate pair'],
    [[() => 1], 'a function has no canonical form'],
    [1n, 'a bigint has no canonical form'],
    [undefined, 'a undefined has no canonical form'],
  ])('has no form for %s', (value, message) => {
    expect(() => canonicalJson(value)).toThrow(message)
  })

  test('leaves out what is undefined, as JSON does', () => {
    expect(canonicalJson({ b: undefined, a: [undefined] })).toBe('{"a":[null]}')
  })

  const json = fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' })

  test('parses to the same value', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(plus0(value))
      }),
    )
  })

  test('does not depend on the order of members', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))
      }),
    )
  })

  test('has a fixed point', () => {
    fc.assert(
      fc.property(json, (value) => {
        const once = canonicalJson(value)
        expect(canonicalJson(JSON.parse(once))).toBe(once)
      }),
    )
  })

  test('sorts every object and has no whitespace', () => {
    const names = fc.uniqueArray(fc.string({ unit: 'binary' }), { minLength: 2 })
    fc.assert(
      fc.property(names, (list) => {
        const text = canonicalJson(Object.fromEntries(list.map((name) => [name, 1])))
        const sorted = [...list].sort((a, b) => (a < b ? -1 : 1))
        expect(text).toBe(`{${sorted.map((name) => `${JSON.stringify(name)}:1`).join(',')}}`)
      }),
    )
  })
})

// What Python 3.11 wrote for these.
describe('pythonJson', () => {
  test.each([
    ['é☕\u007f\u{1d11e}', '"\\u00e9\\u2615\\u007f\\ud834\\udd1e"'],
    ['\b\f\n\r\t\u0000/"\\', '"\\b\\f\\n\\r\\t\\u0000/\\"\\\\"'],
    [{ '\u{1d11e}': 1, '\ue000': 2, a: 3, ab: 4 }, '{"a":3,"ab":4,"\\ue000":2,"\\ud834\\udd1e":1}'],
    [[1, -1, 1e20, 0.5], '[1,-1,100000000000000000000,0.5]'],
  ])('writes %j', (value, text) => {
    expect(pythonJson(value, { floats: false })).toBe(text)
  })

  test.each([
    [1, '1.0'],
    [-3, '-3.0'],
    [-0, '-0.0'],
    [0.25, '0.25'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1.5e-7, '1.5e-07'],
    [1e15, '1000000000000000.0'],
    [1e16, '1e+16'],
    [123456789012345680000, '1.2345678901234568e+20'],
    [1e100, '1e+100'],
    [5e-324, '5e-324'],
  ])('writes the float %d', (number, text) => {
    expect(pythonJson(number, { floats: true })).toBe(text)
  })
})

/** JSON has no negative zero once it was canonical. */
function plus0(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, item]) => [name, reversed(item)] as const)
  return Object.fromEntries(entries.reverse())
}
