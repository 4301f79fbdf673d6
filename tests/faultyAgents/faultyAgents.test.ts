import { describe, expect, test } from 'vitest'
import { formatVerdict } from '../../src/report/format.ts'
import { checkAgent, ids, type FaultyAgent } from './faultyAgent.ts'
import { faultyAgents } from './faultyAgents.ts'

describe.each(Object.entries(faultyAgents))('%s', (_area, agents) => {
  test.each(agents.map((faulty) => [faulty.finding, faulty.name, faulty] as const))(
    '%s: an agent that %s',
    async (_id, _name, faulty) => {
      const repaired = await checkAgent(faulty, 'repaired')
      const broken = await checkAgent(faulty, 'broken')

      expect([repaired.outcome, ids(repaired)]).toEqual(['passed', faulty.known ?? []])
      expect(ids(broken).filter((id) => !ids(repaired).includes(id))).toEqual([faulty.finding])
      expect(broken.outcome).toBe(faulty.outcome ?? (faulty.level === 'error' ? 'failed' : 'passed'))
      expect(broken.findings).toContainEqual(expect.objectContaining(expectedFinding(faulty)))
      expect(formatVerdict(broken, { matcher: 'toPass' })).toContain(faulty.finding)
    },
  )
})

function expectedFinding({ finding: id, level, message, path }: FaultyAgent): Record<string, unknown> {
  return { id, level, message: expect.stringContaining(message), ...(path !== undefined && { path }) }
}
