import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkAgentCard } from '../../src/card/checkAgentCard.ts'
import { rules } from '../../src/card/rules/index.ts'
import type { CardContext, CardOptions } from '../../src/card/types.ts'
import { local } from './cards.ts'
import { interfaces } from './cases/interfaces.ts'
import { members } from './cases/members.ts'
import { security } from './cases/security.ts'
import { serving } from './cases/serving.ts'
import { skills } from './cases/skills.ts'
import type { Cases } from './cases/types.ts'

const cases: Cases = { ...members, ...interfaces, ...serving, ...security, ...skills }

test('every rule has a case, and every case a rule', () => {
  expect(Object.keys(cases).sort()).toEqual(rules.map(({ id }) => id).sort())
})

test('the id of a rule is the name of its file', () => {
  const files = readdirSync(new URL('../../src/card/rules/', import.meta.url))
    .filter((name) => name !== 'index.ts')
    .map((name) => `card/${name.replace(/\.ts$/, '')}`)
  expect(rules.map(({ id }) => id).sort()).toEqual(files.sort())
})

test.each(rules.map((rule) => [rule.id, rule] as const))(
  '%s has a summary, a fix and a source',
  (_id, rule) => {
    expect(Object.keys(rule.levels).length).toBeGreaterThan(0)
    for (const text of [rule.summary, rule.fix]) expect(text).toMatch(/^[\w`'"].{15,}\.$/)
    for (const version of Object.keys(rule.levels)) {
      const source = typeof rule.source === 'string' ? rule.source : rule.source[version as '0.3']
      expect(source, version).toBeTruthy()
    }
  },
)

const rows = Object.entries(cases).flatMap(([id, value]) =>
  (Array.isArray(value) ? value : [value]).map((one, index) => ({ id, index, ...one })),
)

describe.each(rows)('$id ($index)', ({ id, broken, repaired, level, says, from = local, repairedFrom }) => {
  const findings = (card: unknown, options: CardContext & CardOptions): string[] =>
    checkAgentCard(card, options)
      .findings.filter((finding) => finding.id === id)
      .map((finding) => `${finding.level}: ${finding.message}`)

  test('fires', () => {
    const said = findings(broken, from)
    expect(said.join('\n')).toContain(says)
    expect(said.find((line) => line.includes(says))).toMatch(new RegExp(`^${level}: `))
  })

  test('reports nothing when repaired', () => {
    expect(findings(repaired, repairedFrom ?? from)).toEqual([])
  })

  test('can be silenced', () => {
    expect(findings(broken, { ...from, rules: { [id]: 'off' } })).toEqual([])
  })
})
