import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { defineDocument, openDocument, type Document, type Z } from '../../src/core/document.ts'
import { A2AModelError } from '../../src/core/errors.ts'

const recording = defineDocument({
  name: 'recording',
  version: { member: 'schemaVersion', reads: [1, 2] },
  schema: (z) =>
    z.object({
      schemaVersion: z.int(),
      name: z.string().exactOptional(),
      entries: z.array(
        z.object({
          request: z.object({ model: z.string() }),
          verdict: z.enum(['met', 'not_met', 'unknown']).exactOptional(),
          text: z.union([z.string(), z.array(z.string())]).exactOptional(),
        }),
      ),
    }),
})

const entry = { request: { model: 'gpt' } }

async function messageOf(value: unknown): Promise<string> {
  const { parse } = await recording()
  try {
    parse(value, 'runs/a.json')
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('it was read')
}

/** What `check` says about a value of a schema of its own. */
async function problemOf(schema: (z: Z) => z.ZodType, value: unknown): Promise<string> {
  const { check } = await openDocument({ name: 'sample', schema })
  const checked = check(value)
  if ('value' in checked) throw new Error('it was read')
  return checked.problem
}

test('a document is read as its schema says, and unknown members are left out', async () => {
  const { parseText, parse, check } = await recording()
  const value = { schemaVersion: 2, entries: [entry] }

  expect(parseText(JSON.stringify(value), 'runs/a.json')).toEqual(value)
  expect(parse({ ...value, later: true }, 'runs/a.json')).toEqual(value)
  expect(check(value)).toEqual({ value })
})

test('the type comes from the schema', async () => {
  const {
    parse,
  }: Document<{ schemaVersion: number; name?: string; entries: { request: { model: string } }[] }> =
    await recording()
  expect(parse({ schemaVersion: 1, name: 'a', entries: [] }, 'a').name).toBe('a')
})

describe('a broken document', () => {
  test.each([
    [
      { schemaVersion: 1, entries: [entry, entry, entry, { request: { model: 7 } }] },
      'entries[3].request.model: expected string, received number',
    ],
    [{ schemaVersion: 1, entries: [{ request: {} }] }, 'entries[0].request.model: missing, expected string'],
    [{ schemaVersion: 1, entries: {} }, 'entries: expected array, received object'],
    [{ schemaVersion: 1, entries: null }, 'entries: expected array, received null'],
    [[], 'expected object, received array'],
    [
      { schemaVersion: 1, entries: [{ ...entry, verdict: 'maybe' }] },
      'entries[0].verdict: expected "met", "not_met" or "unknown", received "maybe"',
    ],
    [
      { schemaVersion: 1, entries: [{ ...entry, text: 4 }] },
      'entries[0].text: expected string or array, received number',
    ],
    [
      { schemaVersion: 1, entries: [{ ...entry, text: ['a', 4] }] },
      'entries[0].text[1]: expected string, received number',
    ],
  ])('%j', async (value, problem) => {
    expect(await messageOf(value)).toBe(`the recording runs/a.json cannot be read: ${problem}.`)
  })

  test('is reported with its first three problems', async () => {
    const value = { schemaVersion: 1, name: 1, entries: [{}, {}, {}, {}] }
    expect(await messageOf(value)).toBe(
      'the recording runs/a.json cannot be read: name: expected string, received number; entries[0].request: missing, expected object; entries[1].request: missing, expected object; and 2 more.',
    )
  })

  test('is an A2AUsageError unless the definition has an error of its own', async () => {
    const { parse } = await recording()
    expect(() => parse([], 'a')).toThrow(
      expect.objectContaining({ name: 'A2AUsageError', code: 'BAD_OPTIONS' }),
    )

    const own = await openDocument({
      name: 'cassette',
      schema: (z) => z.object({}),
      error: (message, detail) =>
        new A2AModelError('CASSETTE', message, { ...detail, fix: 'Record it again.' }),
    })
    expect(() => own.parseText('{', 'c.json')).toThrow(
      expect.objectContaining({
        code: 'CASSETTE',
        fix: 'Record it again.',
        cause: expect.any(SyntaxError) as unknown,
      }),
    )
  })

  test('that is not JSON', async () => {
    const { parseText } = await recording()
    expect(() => parseText('{"a"', 'runs/a.json')).toThrow(
      /^the recording runs\/a\.json cannot be read: it is not JSON \(.+\)\.$/,
    )
  })

  test.each([
    [
      { schemaVersion: 3, entries: 'other' },
      'its schemaVersion is 3, and this version of expect-a2a reads 1 and 2',
    ],
    [
      { schemaVersion: '1', entries: [] },
      'its schemaVersion is "1", and this version of expect-a2a reads 1 and 2',
    ],
    [{ entries: [] }, 'its schemaVersion is missing; this version of expect-a2a reads 1 and 2'],
  ])('of another version: %j', async (value, problem) => {
    expect(await messageOf(value)).toBe(`the recording runs/a.json cannot be read: ${problem}.`)
  })
})

describe('a problem names', () => {
  test('members that should not be there', async () => {
    expect(await problemOf((z) => z.strictObject({ a: z.int() }), { a: 1, b: 2, c: 3 })).toBe(
      'unknown members "b" and "c"',
    )
  })

  test('a member with an unusual name', async () => {
    expect(await problemOf((z) => z.record(z.string(), z.int()), { 'a b': 'x' })).toBe(
      '["a b"]: expected number, received string',
    )
  })

  test('a number with a fraction', async () => {
    expect(await problemOf((z) => z.int(), 1.5)).toBe('expected integer, received 1.5')
  })

  test('the alternative that was most likely meant', async () => {
    const alternatives = (z: Z): z.ZodType =>
      z.union([z.object({ name: z.string() }), z.object({ list: z.array(z.object({ turn: z.int() })) })])
    expect(await problemOf(alternatives, { list: [{ turn: 1 }, { turn: 'two' }] })).toBe(
      'list[1].turn: expected number, received string',
    )
  })

  test('the kinds that there are', async () => {
    const kinds = (z: Z): z.ZodType =>
      z.object({
        all: z.array(
          z.discriminatedUnion('kind', [
            z.object({ kind: z.literal('a') }),
            z.object({ kind: z.literal('b') }),
          ]),
        ),
      })
    expect(await problemOf(kinds, { all: [{ kind: 'c' }] })).toBe(
      'all[0].kind: expected "a" or "b", received "c"',
    )
    expect(await problemOf(kinds, { all: [{}] })).toBe('all[0].kind: missing, expected "a" or "b"')
  })

  test('what a rule of the schema says', async () => {
    expect(
      await problemOf((z) => z.object({ a: z.array(z.int()).min(1, 'must have an item') }), { a: [] }),
    ).toBe('a: must have an item')
    expect(await problemOf((z) => z.object({ a: z.string().min(1) }), { a: '' })).toBe(
      'a: too small: expected string to have >=1 characters',
    )
  })
})

test('the JSON Schema is the plain one that servers of models take', async () => {
  const { jsonSchema } = await openDocument({
    name: 'answer',
    schema: (z) => z.strictObject({ turn: z.int(), found: z.boolean(), why: z.string().nullable() }),
  })
  expect(jsonSchema).toEqual({
    type: 'object',
    additionalProperties: false,
    required: ['turn', 'found', 'why'],
    properties: {
      turn: { type: 'integer' },
      found: { type: 'boolean' },
      why: { type: ['string', 'null'] },
    },
  })
})
