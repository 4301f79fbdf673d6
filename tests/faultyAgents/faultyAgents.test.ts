import { describe, expect, test } from 'vitest'
import { formatVerdict } from '../../src/report/format.ts'
import { ids, visit, type Animal } from './faultyAgent.ts'
import { zoo } from './faultyAgents.ts'

describe.each(Object.entries(zoo))('%s', (_area, animals) => {
  test.each(animals.map((animal) => [animal.finding, animal.name, animal] as const))(
    '%s: an agent that %s',
    async (_id, _name, animal) => {
      const repaired = await visit(animal, 'repaired')
      const broken = await visit(animal, 'broken')

      expect([repaired.outcome, ids(repaired)]).toEqual(['passed', animal.known ?? []])
      expect(ids(broken).filter((id) => !ids(repaired).includes(id))).toEqual([animal.finding])
      expect(broken.outcome).toBe(animal.outcome ?? (animal.level === 'error' ? 'failed' : 'passed'))
      expect(broken.findings).toContainEqual(expect.objectContaining(wanted(animal)))
      expect(formatVerdict(broken, { matcher: 'toPass' })).toContain(animal.finding)
    },
  )
})

function wanted({ finding: id, level, says, path }: Animal): Record<string, unknown> {
  return { id, level, message: expect.stringContaining(says), ...(path !== undefined && { path }) }
}
