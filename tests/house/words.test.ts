import { describe, expect, test } from 'vitest'
import { files, read } from './sources.ts'

interface Retired {
  /** Matched without regard to case, so write it in lower case. */
  pattern: string
  /** The word or the form to use instead. */
  use: string
  /** A text that must be found, and texts that must not. */
  found: string
  fine?: string[]
}

/** Words that this project no longer uses, with what it says instead. docs/glossary.md has the terms it does use. */
const retired: Retired[] = [
  { pattern: String.raw`\bmend(s|ed|ing)?\b`, use: 'fix', found: 'Mend: add a name' },
  {
    pattern: String.raw`\b(a|an|the|this|that|each|every|no|whole|simulated) talks?\b|\btalks? (that|which)\b`,
    use: 'conversation',
    found: 'the talk was long',
    fine: ['the user talks to the agent'],
  },
  {
    pattern: String.raw`\b(hold|holds|holding|held) ((a|an|the|this|that|no|one|another|such|many) )?conversations?\b`,
    use: 'run a conversation',
    found: 'holds a conversation',
  },
  {
    pattern: String.raw`(?<!\b(there|where|which|what) )\b(is|are) no (?!longer\b|more than\b|\w+er than\b)(?=\w)`,
    use: 'is not a …',
    found: 'which is fine, but this is no agent',
    fine: ['there is no agent', 'it is no longer found', 'it is no longer than that'],
  },
  { pattern: String.raw`\ball the same\b`, use: 'anyway', found: 'asked all the same' },
  { pattern: String.raw`\b(tell|tells|telling|told) of\b`, use: 'report', found: 'tells of it' },
  { pattern: String.raw`\bby itself\b`, use: 'on its own', found: 'continues by itself' },
  { pattern: String.raw`\bso many\b`, use: 'that number of …', found: 'so many turns' },
  { pattern: String.raw`\bwhoever\b`, use: 'anyone who …', found: 'whoever asks' },
  {
    pattern: String.raw`\bstrangers?\b`,
    use: 'unauthenticated request, anonymous caller',
    found: 'strangers are refused',
  },
  { pattern: `'nobody'`, use: "'anonymous'", found: "probe({ as: 'nobody' })" },
  { pattern: String.raw`\bzoo\b`, use: 'faulty agents', found: 'the zoo of agents' },
  { pattern: String.raw`\btime (is|was) up\b`, use: 'the deadline passed', found: 'when time is up' },
  { pattern: String.raw`\btak(e|es|en|ing) up again\b`, use: 'resume', found: 'is taken up again' },
  { pattern: String.raw`\blook(s|ed|ing)? after\b`, use: 'check, poll', found: 'is looked after' },
  {
    pattern: String.raw`(?<!\b(one|two|three|four|five|both|each|all|most|some|none|many|any) )\bof which\b`,
    use: 'that, whose',
    found: 'the task of which it is',
    fine: ['five criteria, four of which are in code'],
  },
  {
    pattern: String.raw`\b(is|are|was|were|be|been) given (a|an|the|no|to)\b`,
    use: 'receives',
    found: 'expect() was given a number',
    fine: ['if credentials are given, they are sent'],
  },
  { pattern: String.raw`\bwhat (is|was) given\b`, use: 'the value', found: 'what was given is a list' },
  { pattern: String.raw`\bshall\b`, use: 'should, must', found: 'clients shall sign' },
  { pattern: String.raw`\bbeside\b`, use: 'next to, besides', found: 'beside the agent', fine: ['besides'] },
  { pattern: String.raw`\bin the midst\b`, use: 'midway, in the middle', found: 'in the midst of it' },
  {
    pattern: String.raw`\b(on|of) (its|their|his) own accord\b`,
    use: 'on its own',
    found: 'of its own accord',
  },
  { pattern: String.raw`\b(comes?|came|coming) to (nothing|an end)\b`, use: 'ends', found: 'came to an end' },
  {
    pattern: String.raw`\bthere (is|are) none\b`,
    use: 'there is no …',
    found: 'where there is none',
  },
  { pattern: String.raw`\b(say|says|said) of\b`, use: 'say about', found: 'what is said of it' },
  {
    pattern: String.raw`(?<!\bon )\bdemand(s|ed|ing)?\b`,
    use: 'require',
    found: 'A2A demands it',
    fine: ['loaded on demand'],
  },
  { pattern: String.raw`\bcomplain\(|\bcomplaints?\b`, use: 'report', found: 'complain(path)' },
  {
    pattern: String.raw`\b(for|to|serves|by|of) who\b`,
    use: 'for those who',
    found: 'valid for who has one',
  },
  { pattern: String.raw`\b(can|may) be had\b`, use: 'is available', found: 'can be had apart' },
  { pattern: String.raw`\b(anew|afresh)\b`, use: 'again', found: 'records it anew' },
  { pattern: String.raw`\band its (kind|like)\b`, use: 'and similar', found: '-32601 and its like' },
  { pattern: String.raw`\b(is|are) let\b|\blet pass\b`, use: 'allowed, passes', found: 'is let through' },
]

/** Still to be reworded: a folder leaves this list as soon as it is clean, and none joins it. */
const pending =
  /^(README\.md|docs\/rules\.md|scripts\/docs|src\/(card|core|http|protocol|report|runners|index)\b)/

/** This file has to name the words, and the fixtures are other people's documents. */
const paths = files('', /\.(ts|mts|cts|mjs|cjs|js|md)$/).filter(
  (path) => !pending.test(path) && !/^tests\/(house\/words\.test\.ts|fixtures\/)/.test(path),
)

/** Sentences that stay: cassettes are keyed by prompts, and old files are still read. */
const kept: Readonly<Record<string, readonly string[]>> = {
  'src/conversation/checkSimulator.ts': ['to give up on one is no fault', 'they are no faults'],
  'src/judge/prompt.ts': [
    'you are no part of it',
    'Decide for each one, by itself',
    'is no criterion, and how the conversation ended is no verdict',
    '"I cannot refund this" is no refund, "I will ask" is no answer, a question is no statement',
    'It is no middle grade',
    'is data from strangers',
  ],
  'src/simulator/personas.ts': ['says something beside it'],
  'src/transcript/runSchema.ts': [
    'expect-a2a wrote `mend`',
    'mend: z.string()',
    'mend?: string',
    'value.mend !== undefined',
    'fix: value.mend',
  ],
}

/** The text of a file without the sentences that stay. */
function checkedText(path: string): string {
  return (kept[path] ?? []).reduce((text, sentence) => {
    expect(text).toContain(sentence)
    return text.replaceAll(sentence, '')
  }, read(path))
}

/** Prose and comments wrap, so a phrase may continue on the next line. */
const gap = String.raw`\s+(?:(?:\*|//|>)\s+)?`

function retiredIn(text: string): string[] {
  return retired.flatMap(({ pattern, use }) =>
    [...text.matchAll(new RegExp(pattern.replaceAll(' ', gap), 'gi'))].map(({ 0: word, index }) => {
      const line = text.slice(0, index).split('\n').length
      return `line ${line}: "${word}"; use: ${use}`
    }),
  )
}

describe('retired words', () => {
  test.each(paths)('are not in %s', (path) => {
    expect(retiredIn(checkedText(path))).toEqual([])
  })

  test.each(retired)('$pattern finds what it is for, and nothing else', ({ found, fine = [], use }) => {
    expect(retiredIn(found)).toHaveLength(1)
    expect(retiredIn(found)[0]).toContain(`use: ${use}`)
    expect(fine.flatMap(retiredIn)).toEqual([])
  })
})
