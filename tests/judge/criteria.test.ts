import { describe, expect, test } from 'vitest'
import { needsJudge, parseCriteria } from '../../src/judge/criteria.ts'
import type { Criterion } from '../../src/judge/types.ts'

const parse = (input: unknown) => parseCriteria(input as string, 'toPassConversation')

/** The error's message and fix, in one. */
function refusal(input: unknown): string {
  try {
    parse(input)
  } catch (error) {
    const {
      name,
      code,
      message,
      fix = '',
    } = error as {
      name: string
      code: string
      message: string
      fix?: string
    }
    expect([name, code]).toEqual(['A2AUsageError', 'BAD_OPTIONS'])
    return `${message} ${fix}`.trim()
  }
  return 'accepted'
}

describe('a text', () => {
  test('has one criterion a line, without its list markers', () => {
    const text = `
      - The agent greets.
      * The agent asks for the date.
      • The agent says 1.5 hours.
      3. The agent names a price.
      (4) The agent thanks.
      5) The agent says "- 3".
      - [ ] The agent signs.

      1.5 hours are named.
    `
    expect(parse(text).criteria.map((one) => one.text)).toEqual([
      'The agent greets.',
      'The agent asks for the date.',
      'The agent says 1.5 hours.',
      'The agent names a price.',
      'The agent thanks.',
      'The agent says "- 3".',
      'The agent signs.',
      '1.5 hours are named.',
    ])
  })

  test('gives each an id and the default weight', () => {
    expect(parse('One.\r\nTwo.').criteria).toEqual([
      { key: 'c1', id: 'c1', kind: 'must', text: 'One.', weight: 1, required: false, evidenceFrom: 'agent' },
      { key: 'c2', id: 'c2', kind: 'must', text: 'Two.', weight: 1, required: false, evidenceFrom: 'agent' },
    ])
  })
})

describe('a list', () => {
  const check = (): boolean => true

  test('may mix all kinds', () => {
    const { criteria } = parse([
      'The agent greets.',
      { id: 'day', must: 'The agent names a day.', weight: 2, required: true },
      { must: 'The user says a name.', evidenceFrom: 'user' },
      { id: 'leak', mustNot: 'The agent leaks.' },
      { check, description: 'gives a reference', weight: 0.5 },
    ])
    expect(criteria).toEqual([
      {
        key: 'c1',
        id: 'c1',
        kind: 'must',
        text: 'The agent greets.',
        weight: 1,
        required: false,
        evidenceFrom: 'agent',
      },
      {
        key: 'c2',
        id: 'day',
        kind: 'must',
        text: 'The agent names a day.',
        weight: 2,
        required: true,
        evidenceFrom: 'agent',
      },
      {
        key: 'c3',
        id: 'c3',
        kind: 'must',
        text: 'The user says a name.',
        weight: 1,
        required: false,
        evidenceFrom: 'user',
      },
      {
        key: 'c4',
        id: 'leak',
        kind: 'mustNot',
        text: 'The agent leaks.',
        weight: 1,
        required: false,
        evidenceFrom: 'agent',
      },
      {
        key: 'c5',
        id: 'c5',
        kind: 'check',
        text: 'gives a reference',
        weight: 0.5,
        required: false,
        evidenceFrom: 'agent',
        check,
      },
    ])
  })

  test('keeps two criteria with the same first 70 characters apart', () => {
    const start = 'The agent, which was asked twice for the state of the order, says that it is'
    const { criteria } = parse([`${start} paid.`, `${start} sent.`])
    expect(start.length).toBeGreaterThan(70)
    expect(criteria.map(({ key, text }) => [key, text])).toEqual([
      ['c1', `${start} paid.`],
      ['c2', `${start} sent.`],
    ])
  })

  test('ignores an undefined member', () => {
    const { criteria } = parse([{ must: 'The agent greets.', mustNot: undefined, weight: undefined }])
    expect(criteria[0]).toMatchObject({ kind: 'must', weight: 1 })
  })

  test('is not changed', () => {
    const input: readonly Criterion[] = Object.freeze([
      Object.freeze({ must: '  The agent greets. ', weight: 2 }),
      Object.freeze({ mustNot: 'The agent leaks.' }),
    ])
    expect(parse(input).criteria.map(({ text }) => text)).toEqual(['The agent greets.', 'The agent leaks.'])
    expect(input).toEqual([{ must: '  The agent greets. ', weight: 2 }, { mustNot: 'The agent leaks.' }])
  })
})

describe('rejects invalid criteria', () => {
  const long = 'x'.repeat(501)

  test.each<[string, unknown, string]>([
    [
      'an empty text',
      ' \n - \n',
      'toPassConversation() has no success criteria, so there is nothing to judge. Say what the agent must do, one sentence per criterion.',
    ],
    [
      'an empty list',
      [],
      'toPassConversation() has no success criteria, so there is nothing to judge. Say what the agent must do, one sentence per criterion.',
    ],
    ['a number', 3, 'the success criteria of toPassConversation() must be a string or an array, but are 3.'],
    [
      'an object',
      {},
      'the success criteria of toPassConversation() must be a string or an array, but are an object.',
    ],
    [
      'an empty criterion',
      ['a', ' '],
      'criterion 2 of toPassConversation() is empty. Write a sentence that says what the agent must do, or leave it out.',
    ],
    [
      'a number as a criterion',
      [3],
      'criterion 1 of toPassConversation() must be a string or an object, but is 3. Write a sentence, or { must }, { mustNot } or { check, description }.',
    ],
    [
      'an empty object',
      [{}],
      'criterion 1 of toPassConversation() has none of "must", "mustNot" and "check". Write { must: "The agent …" }, { mustNot: "The agent …" } or { check, description }.',
    ],
    [
      'a misspelt kind',
      [{ musst: 'a' }],
      'criterion 1 of toPassConversation() has no key "musst". Did you mean "must"? Accepted keys: id, must, weight, required, evidenceFrom, mustNot, check, description.',
    ],
    [
      'a misspelt key',
      [{ must: 'a', wieght: 2 }],
      'criterion 1 of toPassConversation() has no key "wieght". Did you mean "weight"? Accepted keys: id, must, weight, required, evidenceFrom.',
    ],
    [
      'an unknown key',
      [{ must: 'a', colour: 2 }],
      'criterion 1 of toPassConversation() has no key "colour". Accepted keys: id, must, weight, required, evidenceFrom.',
    ],
    [
      'must and mustNot',
      [{ must: 'a', mustNot: 'b' }],
      'criterion 1 of toPassConversation() has both "must" and "mustNot". Write two criteria.',
    ],
    [
      'a prohibition with a weight',
      [{ mustNot: 'a', weight: 2 }],
      'criterion 1 of toPassConversation() is a prohibition and takes no "weight": one breach fails the conversation, whatever the other criteria say. Leave "weight" out, or use "must".',
    ],
    [
      'a weight of 0',
      [{ must: 'a', weight: 0 }],
      '"weight" of criterion 1 of toPassConversation() must be a finite number above 0, but is 0. Leave out a criterion that should not count.',
    ],
    [
      'an endless weight',
      [{ must: 'a', weight: Infinity }],
      '"weight" of criterion 1 of toPassConversation() must be a finite number above 0, but is Infinity. Leave out a criterion that should not count.',
    ],
    [
      'a weight that is a text',
      [{ must: 'a', weight: '2' }],
      '"weight" of criterion 1 of toPassConversation() must be a finite number above 0, but is "2". Leave out a criterion that should not count.',
    ],
    [
      'must without a text',
      [{ must: true }],
      '"must" of criterion 1 of toPassConversation() must be a sentence, but is true.',
    ],
    [
      'required that is not a boolean',
      [{ must: 'a', required: 'yes' }],
      '"required" of criterion 1 of toPassConversation() must be true or false, but is "yes".',
    ],
    [
      'evidence from somebody else',
      [{ must: 'a', evidenceFrom: 'both' }],
      '"evidenceFrom" of criterion 1 of toPassConversation() must be "agent" or "user", but is "both".',
    ],
    [
      'an empty id',
      [{ must: 'a', id: ' ' }],
      '"id" of criterion 1 of toPassConversation() must be a non-empty string, but is " ".',
    ],
    [
      'check without says',
      [{ check: () => true }],
      'criterion 1 of toPassConversation() has a "check" but no "description". Describe in a sentence what the function checks: reports show it.',
    ],
    [
      'check that is a text',
      [{ check: 'a', description: 'b' }],
      '"check" of criterion 1 of toPassConversation() must be a function of the transcript, but is "a". Use { must } for a sentence that a model judges.',
    ],
    [
      'a long text',
      [long],
      'criterion 1 of toPassConversation() has 501 characters; the limit is 500. Split it into several criteria, one requirement each.',
    ],
    [
      'a long says',
      [{ check: () => true, description: long }],
      'criterion 1 of toPassConversation() has 501 characters; the limit is 500. Split it into several criteria, one requirement each.',
    ],
    [
      'the same id twice',
      [
        { id: 'a', must: 'a' },
        { id: 'a', must: 'b' },
      ],
      'the criteria 1 and 2 of toPassConversation() have the same id "a". Give each its own id, or none.',
    ],
    [
      'an id that is the default of another',
      [{ id: 'c2', must: 'a' }, 'b'],
      'the criteria 1 and 2 of toPassConversation() have the same id "c2" (the default id of one of them). Give each its own id, or none.',
    ],
  ])('%s', (_, input, message) => {
    expect(refusal(input)).toBe(message)
  })

  test('accepts 500 characters', () => {
    expect(parse([`${'x'.repeat(499)}😀`]).criteria).toHaveLength(1)
  })
})

describe('warns about criteria that are hard to judge', () => {
  test.each<[string, unknown, string[]]>([
    [
      'several requirements in one',
      ['The agent greets and asks the name and thanks.'],
      ['criterion c1 combines several requirements with "and": split it, so that each is judged on its own.'],
    ],
    ['one "and"', ['The agent greets and thanks.'], []],
    ['"and" in a quote', ['The agent says "this and that and more".'], []],
    [
      'the same twice',
      ['The agent greets.', { id: 'b', must: 'The agent greets.' }],
      ['the criteria c1 and b say the same, so it counts twice.'],
    ],
    ['a check with several', [{ check: () => true, description: 'this and that and more' }], []],
  ])('%s', (_, input, warnings) => {
    expect(parse(input).warnings).toEqual(warnings)
  })
})

test('a model is needed as soon as one criterion is not decided by code', () => {
  const check = { check: () => true, description: 'a' }
  expect(needsJudge(parse([check]).criteria)).toBe(false)
  expect(needsJudge(parse([check, 'The agent greets.']).criteria)).toBe(true)
  expect(needsJudge(parse([{ mustNot: 'The agent leaks.' }]).criteria)).toBe(true)
})
