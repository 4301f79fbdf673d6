import { expect, test } from 'vitest'
import { personaText, personaViolations } from '../../src/simulator/personas.ts'

const presets = [
  'novice',
  'expert',
  'terse',
  'rambling',
  'impatient',
  'confused',
  'evasive',
  'mind-changer',
  'non-native',
] as const

test.each(presets)(
  '%s is a short list of behaviours, each one sentence, with what would break it',
  (name) => {
    const lines = personaText(name).split('\n')
    expect(lines.length).toBeLessThanOrEqual(3)
    for (const line of lines) expect(line).toMatch(/^- [A-Z][^A-Z]*\.$/)
    expect(personaViolations(name).length).toBeGreaterThan(0)
    expect(personaText(` ${name.toUpperCase()} `)).toBe(personaText(name))
  },
)

test.each(['A novice who types fast.', 'toString', '', '__proto__'])('%j is what it says', (persona) => {
  expect(personaText(persona)).toBe(persona)
  expect(personaViolations(persona)).toEqual([])
})
