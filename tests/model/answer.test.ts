import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Checked } from '../../src/core/document.ts'
import { readJson } from '../../src/model/answer.ts'

/** A check by a function that says what is wrong with a value. */
function checkedBy<T>(problemOf: (value: unknown) => string | undefined): (value: unknown) => Checked<T> {
  return (value) => {
    const problem = problemOf(value)
    return problem === undefined ? { value: value as T } : { problem }
  }
}

type Fields = Record<string, unknown>

/** Checks a verdict in the form of the field cases. */
function isVerdict(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not an object'
  const { pass, score } = value as Fields
  if (pass === undefined) return 'missing "pass"'
  if (typeof pass !== 'boolean') return '"pass" is not a boolean'
  if (score !== undefined && !(typeof score === 'number' && score >= 0 && score <= 1)) {
    return '"score" is not between 0 and 1'
  }
  return undefined
}

const read = (text: string, json?: unknown): Checked<unknown> =>
  readJson({ text, ...(json !== undefined && { json }) }, checkedBy(isVerdict))

describe('K01 a judge answers with fenced or wrapped JSON', () => {
  test.each([
    ['```json\n{"pass": true, "reason": "greets"}\n```', 'greets'],
    ['Sure, here is my verdict:\n{"pass": true, "reason": "greets"}\nHope this helps.', 'greets'],
    ['{"pass": true, "reason": "it shows ```js\\nx()\\n``` as asked"}', 'it shows ```js\nx()\n``` as asked'],
    ['```\n{"pass": true, "reason": "a } in text"}\n```', 'a } in text'],
  ])('%s', (text, reason) => {
    expect(read(text)).toEqual({ value: { pass: true, reason } })
  })

  test('two different verdicts in one reply are a problem', () => {
    expect(read('{"pass": true}\nOn second thought:\n{"pass": false}')).toEqual({
      problem: 'two different answers',
    })
    expect(read('```json\n{"pass": true}\n```\nor\n```json\n{"pass": false}\n```')).toEqual({
      problem: 'two different answers',
    })
  })

  test('the same verdict twice counts once, however it is written', () => {
    expect(read('Draft: {"pass":true,"score":1}. Final: { "score": 1.0, "pass": true }')).toEqual({
      value: { pass: true, score: 1 },
    })
  })

  test('nothing is repaired', () => {
    for (const text of [
      "{'pass': true}",
      '{pass: true}',
      '{"pass": true,}',
      '{"pass": tru',
      '({"pass":1<2})',
    ]) {
      expect(read(text)).toHaveProperty('problem')
    }
  })
})

describe('K02 members of a verdict are missing or of another type', () => {
  test.each([
    ['{"reason": "fine"}', 'missing "pass"'],
    ['{"pass": "true"}', '"pass" is not a boolean'],
    ['{"score": 7, "pass": true}', '"score" is not between 0 and 1'],
    ['{"verdict": "yes"}', 'missing "pass"'],
  ])('%s', (text, problem) => {
    expect(read(text)).toEqual({ problem })
    expect(read(`My verdict: ${text}`)).toEqual({ problem })
  })

  test('a verdict with further members is read', () => {
    expect(read('{"score": 0.75, "pass": false, "reason": "…"}')).toHaveProperty('value.pass', false)
  })
})

describe('where an answer is read from', () => {
  test('from the data of the model first', () => {
    expect(read('{"pass": false}', { pass: true })).toEqual({ value: { pass: true } })
  })

  test('from the text if the data is wrong', () => {
    expect(read('{"pass": false}', { text: 1 })).toEqual({ value: { pass: false } })
    expect(read('nothing', { text: 1 })).toEqual({ problem: 'missing "pass"' })
  })

  test('from a text that is JSON as a whole, and from nothing within it', () => {
    expect(read('{"result": {"pass": true}}')).toEqual({ problem: 'missing "pass"' })
    expect(read('[{"pass": true}]')).toEqual({ problem: 'not an object' })
    expect(read('Here: {"result": {"pass": true}}')).toEqual({ problem: 'missing "pass"' })
  })

  test('from the objects between words that fit; others are skipped', () => {
    expect(read('The call {"order": 7} failed, so {"pass": false}. Set {x} to { }.')).toEqual({
      value: { pass: false },
    })
  })

  test('from JSON within other braces', () => {
    expect(read('{ "see: {"pass": true} }')).toEqual({ value: { pass: true } })
  })

  test('not from what a local model thinks first', () => {
    expect(read('<think>Maybe {"pass": false}?</think>\n\n{"pass": true}')).toEqual({ value: { pass: true } })
    expect(read('{"pass": true, "reason": "</think>"}')).toHaveProperty('value.reason', '</think>')
  })

  test('an answer without JSON and an empty one are different problems', () => {
    expect(read('I cannot say.')).toEqual({ problem: 'no JSON object in the answer' })
    expect(read(' \n')).toEqual({ problem: 'an empty answer' })
  })

  test('a long answer of braces is read in time', () => {
    const started = performance.now()
    expect(read('{"'.repeat(300_000))).toEqual({ problem: 'no JSON object in the answer' })
    expect(performance.now() - started).toBeLessThan(20_000)
  })
})

describe('any object', () => {
  const anyObject = fc
    .dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
    .map((value) => JSON.parse(JSON.stringify({ ...value, mark: 1 })) as Fields)
  const fits = (value: unknown): string | undefined =>
    (value as Fields | null)?.['mark'] === 1 ? undefined : 'no mark'
  const prose = fc.string({ unit: fc.constantFrom(...Array.from('abc ."\'`\n:,[]()<>/\\é…1')) })

  test('is read bare, in a fence, and between words', () => {
    fc.assert(
      fc.property(anyObject, prose, prose, fc.constantFrom(0, 2), (value, before, after, indent) => {
        const json = JSON.stringify(value, undefined, indent)
        for (const text of [
          json,
          `\n ${json} `,
          `\`\`\`json\n${json}\n\`\`\``,
          `${before}\n${json}\n${after}`,
        ]) {
          expect(readJson({ text }, checkedBy(fits))).toEqual({ value })
        }
      }),
    )
  })

  test('is not read next to a different one, and once next to an equal one', () => {
    fc.assert(
      fc.property(anyObject, anyObject, prose, (one, other, between) => {
        const text = `First: ${JSON.stringify(one)} ${between} ${JSON.stringify(other)}.`
        const same = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
        expect(readJson({ text }, checkedBy(fits))).toEqual(
          same ? { value: other } : { problem: 'two different answers' },
        )
        expect(readJson({ text: `${JSON.stringify(one)}\n${JSON.stringify(one)}` }, checkedBy(fits))).toEqual(
          {
            value: one,
          },
        )
      }),
    )
  })

  test('no text makes it throw', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '"',
      '\\',
      '```',
      '\n',
      '[',
      ']',
      ':',
      ',',
      '{"a":1}',
      'x',
      '<think>',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const found = readJson(
          { text: parts.join('') },
          checkedBy(() => undefined),
        )
        expect('value' in found || found.problem !== '').toBe(true)
      }),
    )
  })
})

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => [key, sorted(each)])
}
