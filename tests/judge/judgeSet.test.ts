import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { calibrateJudge } from '../../src/judge/calibrate.ts'
import { parseCriteria } from '../../src/judge/criteria.ts'
import { quoteFinder } from '../../src/judge/evidence.ts'
import { judgeQuestion } from '../../src/judge/prompt.ts'
import { claim, answer, keysAsked } from './support.ts'
import { temporaryFolder } from '../support/temporaryFolder.ts'
import { loadJudgeSet, type SetConversation } from '../judge-set/load.ts'

const conversations = await loadJudgeSet()
const titled = conversations.map(
  (conversation) => [`${conversation.group}, ${conversation.name}`, conversation] as const,
)

/** Themes, and the least number of conversations in each. */
const themes = {
  met: 5,
  'not met': 5,
  unknown: 5,
  prohibitions: 5,
  injections: 5,
  long: 4,
  'other languages': 8,
  'claims without proof': 5,
  negations: 5,
  'numbers and dates': 5,
  'said by the user only': 5,
}

describe('the labelled conversations', () => {
  test('are enough for every theme', () => {
    expect(conversations.length).toBeGreaterThanOrEqual(60)
    const counts = Object.fromEntries(
      Object.keys(themes).map((theme) => [
        theme,
        conversations.filter(({ group }) => group === theme).length,
      ]),
    )
    for (const [theme, least] of Object.entries(themes)) {
      expect(counts[theme], theme).toBeGreaterThanOrEqual(least)
    }
    expect(new Set(conversations.map(({ group }) => group))).toEqual(new Set(Object.keys(themes)))
  })

  test('have each verdict often enough to compare judges', () => {
    const labels = conversations.flatMap((conversation) => conversation.labels)
    expect(labels.filter((label) => label === 'met').length).toBeGreaterThan(40)
    expect(labels.filter((label) => label === 'not_met').length).toBeGreaterThan(30)
    expect(labels.filter((label) => label === 'unknown').length).toBeGreaterThan(6)
  })

  test('have unique names', () => {
    expect(new Set(titled.map(([title]) => title)).size).toBe(conversations.length)
  })

  test('are in at least six languages', () => {
    const scripts = [
      /\p{sc=Hiragana}/u,
      /\p{sc=Arabic}/u,
      /\p{sc=Cyrillic}/u,
      /\p{sc=Devanagari}/u,
      /ß|ü/,
      /ñ|¿/,
    ]
    const whole = JSON.stringify(conversations)
    for (const script of scripts) expect(whole).toMatch(script)
  })

  test.each(titled)('%s: labels are valid, and their quotes are in the conversation', (_, conversation) => {
    const { criteria } = parseCriteria(conversation.criteria, 'the set')
    expect(conversation.labels).toHaveLength(criteria.length)
    const finder = quoteFinder(conversation.conversation.entries)
    for (const [index, criterion] of criteria.entries()) {
      const [label, quote] = [conversation.labels[index], conversation.quotes[index]]
      expect(['met', 'not_met', 'unknown']).toContain(label)
      const needed =
        (criterion.kind === 'must' && label === 'met') ||
        (criterion.kind === 'mustNot' && label === 'not_met')
      expect(quote !== undefined || !needed, `${criterion.text} needs a quote`).toBe(true)
      if (quote !== undefined) {
        expect(finder.find(quote, criterion.evidenceFrom)).toEqual({ ...quote, verified: true })
      }
    }
  })

  test.each(titled)(
    '%s: is a whole conversation, and short enough to be judged',
    (_, { conversation, criteria }) => {
      const { entries } = conversation
      expect(entries[0]?.from).toBe('user')
      expect(entries.at(-1)?.from).toBe('agent')
      const whole = { turns: 1, maxTurns: 1, endReason: 'goal' as const, facts: [], ...conversation }
      const { elisions } = judgeQuestion(whole, parseCriteria(criteria, 'the set').criteria, 'mark')
      expect(elisions).toEqual([])
    },
  )
})

test.each<[string, object, string]>([
  [
    'a label that does not exist',
    { criteria: [{ must: 'It greets.', label: 'maybe' }] },
    'conversations[0].criteria[0].label: expected "met", "not_met" or "unknown", received "maybe"',
  ],
  [
    'an entry without a speaker',
    { entries: ['hello'] },
    'conversations[0].entries[0]: must start with "user: " or "agent: "',
  ],
  [
    'a state that does not exist',
    { entries: ['user: hi', { agent: 'hello', state: 'done' }] },
    'conversations[0].entries[1].state: expected "working", "completed", "input-required", "failed", "canceled" or "rejected", received "done"',
  ],
])('a file with %s is refused, by name and path', async (_, change, problem) => {
  const folder = temporaryFolder()
  const file = join(folder, 'broken.json')
  const conversation = {
    name: 'broken',
    entries: ['user: hi', 'agent: hello'],
    criteria: [{ must: 'It greets.', label: 'met' }],
  }
  writeFileSync(file, JSON.stringify({ theme: 'broken', conversations: [{ ...conversation, ...change }] }))
  await expect(loadJudgeSet(folder)).rejects.toThrow(`the labelled set ${file} cannot be read: ${problem}.`)
})

/** A judge that answers as labelled. */
const asLabelled = (set: readonly SetConversation[]) => ({
  model: ({ messages, schema }: { messages: readonly { content: string }[]; schema?: unknown }): string => {
    const content = messages[0]?.content ?? ''
    const conversation = set.find(({ conversation: { entries }, criteria }) =>
      [
        entries.at(-1)?.text.slice(-30) ?? '',
        ...parseCriteria(criteria, 'x').criteria.map(({ text }) => text),
      ].every((part) => content.includes(JSON.stringify(part.replace(/^<<<.*/, '')).slice(1, -1))),
    )
    if (conversation === undefined) throw new Error(`not in the set: ${content}`)
    const keys = keysAsked({ schema } as never)
    return JSON.stringify(
      answer(
        Object.fromEntries(
          keys.map((key) => {
            const index = Number(key.slice(1)) - 1
            const quote = conversation.quotes[index]
            return [
              key,
              claim(
                conversation.labels[index] ?? 'unknown',
                ...(quote === undefined ? [] : [[quote.turn, quote.quote] as [number, string]]),
              ),
            ]
          }),
        ),
      ),
    )
  },
})

test('a judge that answers as labelled agrees with every label', async () => {
  const result = await calibrateJudge(
    conversations.map(({ quotes: _quotes, ...conversation }) => conversation),
    { judge: asLabelled(conversations) },
  )
  expect(result.disagreements).toEqual([])
  expect(result).toMatchObject({
    agreement: 1,
    kappa: 1,
    failed: [],
    n: conversations.flatMap(({ labels }) => labels).length,
  })
  expect(Object.keys(result.groups).toSorted()).toEqual(Object.keys(themes).toSorted())
})
