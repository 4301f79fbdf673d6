import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readJson } from '../../src/model/answer.ts'

type Fields = Record<string, unknown>

/** A verdict as the field cases have it. */
function isVerdict(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'no object'
  const { pass, score } = value as Fields
  if (pass === undefined) return 'missing "pass"'
  if (typeof pass !== 'boolean') return '"pass" is no boolean'
  if (score !== undefined && !(typeof score === 'number' && score >= 0 && score <= 1)) {
    return '"score" is not within 0..1'
  }
  return undefined
}

const read = (text: string, json?: unknown): ReturnType<typeof readJson> =>
  readJson({ text, ...(json !== undefined && { json }) }, isVerdict)

describe('K01 a judge answers with fenced or wrapped JSON', () => {
  test.each([
    ['```json\n{"pass": true, "reason": "greets"}\n```', 'greets'],
    ['Sure, here is my verdict:\n{"pass": true, "reason": "greets"}\nHope this helps.', 'greets'],
    ['{"pass": true, "reason": "it shows ```js\\nx()\\n``` as asked"}', 'it shows ```js\nx()\n``` as asked'],
    ['```\n{"pass": true, "reason": "a } in text"}\n```', 'a } in text'],
  ])('%s', (text, reason) => {
    expect(read(text)).toEqual({ value: { pass: true, reason } })
  })

  test('two different verdicts in one reply are none', () => {
    expect(read('{"pass": true}\nOn second thought:\n{"pass": false}')).toEqual({
      problem: 'two different answers',
    })
    expect(read('```json\n{"pass": true}\n```\nor\n```json\n{"pass": false}\n```')).toEqual({
      problem: 'two different answers',
    })
  })

  test('the same verdict twice is one, however it is written', () => {
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

describe('K02 fields of a verdict are missing or of another kind', () => {
  test.each([
    ['{"reason": "fine"}', 'missing "pass"'],
    ['{"pass": "true"}', '"pass" is no boolean'],
    ['{"score": 7, "pass": true}', '"score" is not within 0..1'],
    ['{"verdict": "yes"}', 'missing "pass"'],
  ])('%s', (text, problem) => {
    expect(read(text)).toEqual({ problem })
    expect(read(`My verdict: ${text}`)).toEqual({ problem })
  })

  test('the second of the replies fits: what it means is for its reader to say', () => {
    expect(read('{"score": 0.75, "pass": false, "reason": "…"}')).toHaveProperty('value.pass', false)
  })
})

describe('the places to look at', () => {
  test('data that the model gave comes first', () => {
    expect(read('{"pass": false}', { pass: true })).toEqual({ value: { pass: true } })
  })

  test('data that does not fit gives way to the text', () => {
    expect(read('{"pass": false}', { text: 1 })).toEqual({ value: { pass: false } })
    expect(read('nothing', { text: 1 })).toEqual({ problem: 'missing "pass"' })
  })

  test('a text that is JSON is taken at its word: nothing is looked for within it', () => {
    expect(read('{"result": {"pass": true}}')).toEqual({ problem: 'missing "pass"' })
    expect(read('[{"pass": true}]')).toEqual({ problem: 'no object' })
    expect(read('Here: {"result": {"pass": true}}')).toEqual({ problem: 'missing "pass"' })
  })

  test('objects among words that do not fit are passed over', () => {
    expect(read('The call {"order": 7} failed, so {"pass": false}. Set {x} to { }.')).toEqual({
      value: { pass: false },
    })
  })

  test('JSON may stand within braces that are none', () => {
    expect(read('{ "see: {"pass": true} }')).toEqual({ value: { pass: true } })
  })

  test('what a local model thinks first is no answer', () => {
    expect(read('<think>Maybe {"pass": false}?</think>\n\n{"pass": true}')).toEqual({ value: { pass: true } })
    expect(read('{"pass": true, "reason": "</think>"}')).toHaveProperty('value.reason', '</think>')
  })

  test('an answer without any is told apart from an empty one', () => {
    expect(read('I cannot say.')).toEqual({ problem: 'no JSON object in the answer' })
    expect(read(' \n')).toEqual({ problem: 'an empty answer' })
  })

  test('a long answer of braces ends soon', () => {
    const started = performance.now()
    expect(read('{"'.repeat(300_000))).toEqual({ problem: 'no JSON object in the answer' })
    expect(performance.now() - started).toBeLessThan(20_000)
  })
})

describe('whatever the object', () => {
  const anyObject = fc
    .dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
    .map((value) => JSON.parse(JSON.stringify({ ...value, mark: 1 })) as Fields)
  const fits = (value: unknown): string | undefined =>
    (value as Fields | null)?.['mark'] === 1 ? undefined : 'no mark'
  const prose = fc.string({ unit: fc.constantFrom(...Array.from('abc ."\'`\n:,[]()<>/\\é…1')) })

  test('it is read bare, in a fence, and among words', () => {
    fc.assert(
      fc.property(anyObject, prose, prose, fc.constantFrom(0, 2), (value, before, after, indent) => {
        const json = JSON.stringify(value, undefined, indent)
        for (const text of [
          json,
          `\n ${json} `,
          `\`\`\`json\n${json}\n\`\`\``,
          `${before}\n${json}\n${after}`,
        ]) {
          expect(readJson({ text }, fits)).toEqual({ value })
        }
      }),
    )
  })

  test('of two different ones none is read, of two equal ones one', () => {
    fc.assert(
      fc.property(anyObject, anyObject, prose, (one, other, between) => {
        const text = `First: ${JSON.stringify(one)} ${between} ${JSON.stringify(other)}.`
        const same = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
        expect(readJson({ text }, fits)).toEqual(
          same ? { value: other } : { problem: 'two different answers' },
        )
        expect(readJson({ text: `${JSON.stringify(one)}\n${JSON.stringify(one)}` }, fits)).toEqual({
          value: one,
        })
      }),
    )
  })

  test('no text at all makes it throw', () => {
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
        const found = readJson({ text: parts.join('') }, () => undefined)
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
