import { describe, expect, test } from 'vitest'
import { checkAgentCard } from '../../src/card/checkAgentCard.ts'
import type { CardOptions } from '../../src/card/types.ts'
import { card03, card10, interface10, local, skill, without } from './cards.ts'

const untagged = card03({ skills: [without(skill(), 'tags')] })

describe('rules', () => {
  test('switches a rule off, promotes and silences it', () => {
    const levels = (level: 'off' | 'note' | 'warning' | 'error'): string[] =>
      checkAgentCard(untagged, { ...local, rules: { 'card/skill-tags': level } })
        .findings.filter(({ id }) => id === 'card/skill-tags')
        .map((finding) => finding.level)
    expect(levels('off')).toEqual([])
    expect(levels('note')).toEqual(['note'])
    expect(levels('warning')).toEqual(['warning'])
    expect(levels('error')).toEqual(['error'])
  })

  test('an error that is off does not count in the score', () => {
    const card = card03({ name: '' })
    expect(checkAgentCard(card).scores.card).toBe(0)
    const report = checkAgentCard(card, { rules: { 'card/name': 'off' } })
    expect(report.scores.card).toBe(1)
    expect(report.rulesApplied).toBe(checkAgentCard(card).rulesApplied - 1)
  })
})

describe('wrong options', () => {
  test.each([
    [
      { rules: { 'card/skil-tags': 'off' } },
      'checkAgentCard(): `rules` has "card/skil-tags", which is not a card rule. Did you mean "card/skill-tags"?',
    ],
    [
      { rules: { 'skill-tags': 'off' } },
      'checkAgentCard(): `rules` has "skill-tags", which is not a card rule. Did you mean "card/skill-tags"?',
    ],
    [
      { rules: { zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz: 'off' } },
      'checkAgentCard(): `rules` has "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", which is not a card rule.',
    ],
    [
      { rules: { 'card/name': 'warn' } },
      'checkAgentCard(): `rules["card/name"]` must be "off", "note", "warning" or "error"; received "warn".',
    ],
    [
      { rules: ['card/name'] },
      "checkAgentCard(): `rules` must be an object such as { 'card/skill-tags': 'off' }; received an array of 1.",
    ],
    [
      { failOn: 'errors' },
      'checkAgentCard(): `failOn` must be "error", "warning" or "never"; received "errors".',
    ],
    [{ version: '0.4' }, 'checkAgentCard(): `version` must be "0.1", "0.2", "0.3" or "1.0"; received "0.4".'],
    [
      { bindings: 'JSONRPC' },
      `checkAgentCard(): \`bindings\` must be a non-empty array such as ['JSONRPC', 'HTTP+JSON']; received "JSONRPC".`,
    ],
    [
      { bindings: [] },
      "checkAgentCard(): `bindings` must be a non-empty array such as ['JSONRPC', 'HTTP+JSON']; received [].",
    ],
  ])('%j', (options, message) => {
    const call = (): void => void checkAgentCard(card03(), options as CardOptions)
    expect(call).toThrow(message)
    expect(call).toThrow(expect.objectContaining({ name: 'A2AUsageError', code: 'BAD_OPTIONS' }))
  })
})

test('version overrides the detected version', () => {
  const report = checkAgentCard(card03(), { ...local, version: '1.0' })
  expect(report.shape).toMatchObject({ kind: 'card', version: '1.0' })
  expect(report.errors.map(({ path }) => path)).toEqual(['supportedInterfaces'])
})

test('findings are sorted by level, then by path with numbers in order', () => {
  const card = card03({
    name: '',
    provider: {},
    skills: Array.from({ length: 11 }, (_, index) => ({
      ...skill({ id: `s${index}` }),
      description: index % 9 ? 'x' : '',
    })),
  })
  const { findings, errors, warnings } = checkAgentCard(card, local)
  expect(findings.map(({ level, path }) => `${level} ${path}`)).toEqual([
    'error name',
    'error skills[0].description',
    'error skills[9].description',
    'warning provider.organization',
    'note signatures',
  ])
  expect(errors).toHaveLength(3)
  expect(warnings).toHaveLength(1)
})

test('checks a thousand cards a second on one core', () => {
  const cards = [
    card03(),
    card10(),
    card10({ supportedInterfaces: [interface10(), interface10({ url: 'https://a.example' })] }),
  ]
  // The best of some tries: on a busy machine the others say how busy it was.
  const tries = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage()
    for (let index = 0; index < 90; index++) checkAgentCard(cards[index % 3], local)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  expect(Math.min(...tries)).toBeLessThan(300)
})
