import { describe, expect, test } from 'vitest'
import { rules } from '../../src/card/rules/index.ts'
import { catalogue } from '../../src/findings/catalogue.ts'
import { faultyAgents } from './faultyAgents.ts'

const agents = Object.values(faultyAgents).flat()
const shown = new Set(agents.map(({ finding }) => finding))
const findingIds = [...Object.keys(catalogue), ...rules.map(({ id }) => id)]

/** Ids that no faulty agent can show, and why. */
const exempt: Record<string, string> = {
  'auth/good-not-tried': 'a note about the call of the matcher, not about the agent',
  'conversation/note': 'about the call of the matcher, models and cassettes, not about the agent',
  'wire/silent-subscription':
    'it takes an agent that is silent for five seconds; tests/client/wait/watchTask.test.ts has one',
  'wire/subscribe-verb': 'a note about subscriptions over HTTP+JSON, which no check makes on its own',
  'wire/unreadable': 'the id of an error that names no other; every error that is thrown names one',
}

describe('the faulty agents', () => {
  test('are numerous, most of them with a fault outside the card', () => {
    expect(agents.length).toBeGreaterThanOrEqual(200)
    expect(agents.filter(({ finding }) => !finding.startsWith('card/')).length).toBeGreaterThanOrEqual(125)
  })

  test('have unique names', () => {
    const names = Object.entries(faultyAgents).flatMap(([area, all]) =>
      all.map(({ finding, name }) => `${area} ${finding} ${name}`),
    )
    expect(new Set(names).size).toBe(agents.length)
  })

  test('show every finding and every card rule', () => {
    expect(findingIds.filter((id) => !shown.has(id) && !(id in exempt))).toEqual([])
  })

  test('show only existing findings', () => {
    expect([...shown].filter((id) => !findingIds.includes(id))).toEqual([])
  })

  test.each(Object.entries(exempt))('do not show %s: %s', (id) => {
    expect(findingIds).toContain(id)
    expect([...shown]).not.toContain(id)
  })

  test.each(Object.entries(catalogue).filter(([id]) => shown.has(id)))(
    'show %s with each of its levels',
    (id, { level }) => {
      const seen = new Set(agents.filter(({ finding }) => finding === id).map((agent) => agent.level))
      expect([...seen].toSorted()).toEqual([level].flat().toSorted())
    },
  )
})
