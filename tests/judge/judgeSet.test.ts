import { describe, expect, test } from 'vitest'
import { calibrateJudge } from '../../src/judge/calibrate.ts'
import { parseCriteria } from '../../src/judge/criteria.ts'
import { quoteFinder } from '../../src/judge/evidence.ts'
import { judgeQuestion } from '../../src/judge/prompt.ts'
import { claim, answer, keysAsked } from './support.ts'
import { loadJudgeSet, type SetTalk } from '../judge-set/load.ts'

const talks = loadJudgeSet()
const titled = talks.map((talk) => [`${talk.group}, ${talk.name}`, talk] as const)

/** Themes, and talks that each has at least. */
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

describe('the labelled talks', () => {
  test('are enough, of every theme', () => {
    expect(talks.length).toBeGreaterThanOrEqual(60)
    const counts = Object.fromEntries(
      Object.keys(themes).map((theme) => [theme, talks.filter(({ group }) => group === theme).length]),
    )
    for (const [theme, least] of Object.entries(themes)) {
      expect(counts[theme], theme).toBeGreaterThanOrEqual(least)
    }
    expect(new Set(talks.map(({ group }) => group))).toEqual(new Set(Object.keys(themes)))
  })

  test('have each verdict often enough to tell judges apart', () => {
    const labels = talks.flatMap((talk) => talk.labels)
    expect(labels.filter((label) => label === 'met').length).toBeGreaterThan(40)
    expect(labels.filter((label) => label === 'not_met').length).toBeGreaterThan(30)
    expect(labels.filter((label) => label === 'unknown').length).toBeGreaterThan(6)
  })

  test('have names of their own', () => {
    expect(new Set(titled.map(([title]) => title)).size).toBe(talks.length)
  })

  test('speak at least six languages', () => {
    const scripts = [
      /\p{sc=Hiragana}/u,
      /\p{sc=Arabic}/u,
      /\p{sc=Cyrillic}/u,
      /\p{sc=Devanagari}/u,
      /ß|ü/,
      /ñ|¿/,
    ]
    const whole = JSON.stringify(talks)
    for (const script of scripts) expect(whole).toMatch(script)
  })

  test.each(titled)('%s: labels are legal, and their words are said', (_, talk) => {
    const { criteria } = parseCriteria(talk.criteria, 'the set')
    expect(talk.labels).toHaveLength(criteria.length)
    const finder = quoteFinder(talk.talk.entries)
    for (const [index, criterion] of criteria.entries()) {
      const [label, quote] = [talk.labels[index], talk.quotes[index]]
      expect(['met', 'not_met', 'unknown']).toContain(label)
      const needed =
        (criterion.kind === 'must' && label === 'met') ||
        (criterion.kind === 'mustNot' && label === 'not_met')
      expect(quote !== undefined || !needed, `${criterion.text} needs a quote`).toBe(true)
      if (quote !== undefined) {
        expect(finder.find(quote, criterion.about)).toEqual({ ...quote, verified: true })
      }
    }
  })

  test.each(titled)('%s: is a talk, and short enough to be judged', (_, { talk, criteria }) => {
    const { entries } = talk
    expect(entries[0]?.from).toBe('user')
    expect(entries.at(-1)?.from).toBe('agent')
    const whole = { turns: 1, maxTurns: 1, endReason: 'goal' as const, facts: [], ...talk }
    const { elisions } = judgeQuestion(whole, parseCriteria(criteria, 'the set').criteria, 'mark')
    expect(elisions).toEqual([])
  })
})

/** Whoever answers as labelled. */
const asLabelled = (set: readonly SetTalk[]) => ({
  model: ({ messages, schema }: { messages: readonly { content: string }[]; schema?: unknown }): string => {
    const content = messages[0]?.content ?? ''
    const talk = set.find(({ talk: { entries }, criteria }) =>
      [
        entries.at(-1)?.text.slice(-30) ?? '',
        ...parseCriteria(criteria, 'x').criteria.map(({ text }) => text),
      ].every((part) => content.includes(JSON.stringify(part.replace(/^<<<.*/, '')).slice(1, -1))),
    )
    if (talk === undefined) throw new Error(`who is meant? ${content}`)
    const keys = keysAsked({ schema } as never)
    return JSON.stringify(
      answer(
        Object.fromEntries(
          keys.map((key) => {
            const index = Number(key.slice(1)) - 1
            const quote = talk.quotes[index]
            return [
              key,
              claim(
                talk.labels[index] ?? 'unknown',
                ...(quote === undefined ? [] : [[quote.turn, quote.quote] as [number, string]]),
              ),
            ]
          }),
        ),
      ),
    )
  },
})

test('a judge that answers as labelled agrees with all of it', async () => {
  const result = await calibrateJudge(
    talks.map(({ quotes: _quotes, ...talk }) => talk),
    { judge: asLabelled(talks) },
  )
  expect(result.disagreements).toEqual([])
  expect(result).toMatchObject({
    agreement: 1,
    kappa: 1,
    failed: [],
    n: talks.flatMap(({ labels }) => labels).length,
  })
  expect(Object.keys(result.groups).toSorted()).toEqual(Object.keys(themes).toSorted())
})
