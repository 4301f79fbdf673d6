import { describe, expect, test } from 'vitest'
import type { Level } from '../../src/core/finding.ts'
import { read } from '../house/sources.ts'
import { idsInSources, ruleIds } from './ids.ts'
import { zoo } from './faultyAgents.ts'

const areas = Object.entries(zoo)
const animals = Object.values(zoo).flat()
const shown = new Set(animals.map(({ finding }) => finding))
const known = idsInSources()

/** Ids that no agent can bring about yet, and why. */
const exempt: Record<string, string> = {
  'auth/good-not-tried': 'a note on the call of the matcher, not on the agent',
  'conversation/note': 'it tells of the call of the matcher, of models and cassettes, not of the agent',
  'wire/silent-subscription':
    'it takes an agent that is silent for five seconds; tests/client/wait/watchTask.test.ts has one',
  'wire/subscribe-verb': 'a note of subscriptions over HTTP+JSON, which no check asks for by itself',
  'wire/unreadable': 'the id of an error that names no other; every one that is thrown does',
}

describe('the zoo', () => {
  test('is large, and most of it is no card', () => {
    expect(animals.length).toBeGreaterThanOrEqual(200)
    expect(animals.filter(({ finding }) => !finding.startsWith('card/')).length).toBeGreaterThanOrEqual(125)
    const names = areas.flatMap(([area, all]) => all.map(({ finding, name }) => `${area} ${finding} ${name}`))
    expect(new Set(names).size).toBe(animals.length)
  })

  test('has an animal for every finding', () => {
    expect(known.filter((id) => !shown.has(id) && !(id in exempt))).toEqual([])
  })

  test('shows nothing that is gone', () => {
    expect([...shown].filter((id) => !known.includes(id))).toEqual([])
  })

  test.each(Object.entries(exempt))('may lack %s: %s', (id) => {
    expect(known).toContain(id)
    expect([...shown]).not.toContain(id)
  })
})

describe('docs/findings.md', () => {
  const rows = read('docs/findings.md')
    .split('\n')
    .flatMap((line) => {
      const [, id, levels, ...cells] = line.split('|').map((cell) => cell.trim())
      return id?.startsWith('`') ? [{ id: id.slice(1, -1), levels: levels?.split(', ') ?? [], cells }] : []
    })

  test('has every finding that is no card rule, once', () => {
    expect(rows.map(({ id }) => id).toSorted()).toEqual(known.filter((id) => !ruleIds.has(id)))
  })

  test.each(rows.map((row) => [row.id, row] as const))(
    'says what %s means and how to fix it',
    (_id, { cells }) => {
      const [means = '', fix = ''] = cells
      for (const text of [means, fix]) expect(text).toMatch(/^[\w`"].{15,}\.$/)
    },
  )

  test.each(rows.filter(({ id }) => shown.has(id)).map((row) => [row.id, row.levels] as const))(
    'gives %s the level that the zoo shows: %s',
    (id, levels) => {
      const seen = new Set<Level>(animals.flatMap(({ finding, level }) => (finding === id ? [level] : [])))
      expect(levels.toSorted()).toEqual([...seen].toSorted())
    },
  )
})
