import { expect, test } from 'vitest'
import { A2AReplyError, A2AUsageError } from '../../src/core/errors.ts'
import type { Finding } from '../../src/findings/types.ts'
import { formatError, formatVerdict } from '../../src/report/format.ts'
import type { Verdict } from '../../src/checks/verdict.ts'

const call = { matcher: 'toPassSmokeCheck' }
const verdict = (received: string, ...findings: Finding[]): Verdict => ({
  outcome: 'failed',
  agent: 'Desk',
  expected: 'a reply',
  received,
  findings,
  exchanges: [],
  secrets: [],
})

test('a finding that is all that was received is not said twice: its id and its fix are enough', () => {
  const noText: Finding = {
    id: 'reply/no-text',
    level: 'error',
    message: 'no text',
    fix: 'Add a text part.',
  }
  const spelling: Finding = { id: 'wire/role', level: 'warning', message: 'role "agent"' }

  expect(formatVerdict(verdict('no text', spelling, noText), call)).toBe(
    [
      '[failed] expect(agent).toPassSmokeCheck()',
      '',
      'Agent:    Desk',
      'Expected: a reply',
      'Received: no text   reply/no-text',
      'Fix:      Add a text part.',
      '',
      '  ! role "agent"   wire/role',
    ].join('\n'),
  )
})

test('the id stands behind the first line', () => {
  const message = 'no agent card was found:\n  http://a.example/1 → 404'

  expect(formatVerdict(verdict(message, { id: 'card/found', level: 'error', message }), call)).toContain(
    'Received: no agent card was found:   card/found\n            http://a.example/1 → 404',
  )
})

test("an error that is the agent's fault has one too, any other has none", () => {
  const fault = new A2AReplyError('HTTP_STATUS', 'HTTP 500')
  const named = new A2AReplyError('BAD_REPLY', 'two ids', { finding: 'wire/rpc-id' })

  expect(formatError(fault, call)).toContain('Error: HTTP 500   http/status')
  expect(formatError(named, call)).toContain('Error: two ids   wire/rpc-id')
  expect(formatError(new A2AUsageError('BAD_USE', 'wrong'), call)).toMatch(/Error: wrong$/)
})
