import { describe, expect, test } from 'vitest'
import { A2AConnectionError } from '../../src/core/errors.ts'
import type { MatcherRecord } from '../../src/runners/types.ts'
import { fakeAgent, fakeTask, self, thrown, toNod, verdict } from './fakes.ts'

const agent = fakeAgent()

describe('records', () => {
  const records = (task: { meta: Record<string, unknown> }): MatcherRecord[] =>
    task.meta['a2a'] as MatcherRecord[]

  test('are left with the test, one a call, with the try it belongs to', async () => {
    const task = fakeTask({ result: { state: 'run', retryCount: 2 } })
    const finding = { id: 'a/b', level: 'error', path: 'x', message: 'long' } as const
    const matcher = toNod(() => verdict({ outcome: 'failed', findings: [finding], scores: { card: 0 } }))
    await matcher.call(self({ task }), agent)
    await thrown(() =>
      toNod(() => Promise.reject(new A2AConnectionError('TLS', 'no'))).call(
        self({ task, isNot: true }),
        agent,
      ),
    )
    expect(records(task)).toEqual([
      {
        matcher: 'toNod',
        agent: 'Fake (http://127.0.0.1:4100)',
        outcome: 'failed',
        negated: false,
        received: 'a nod',
        findings: [{ id: 'a/b', level: 'error', path: 'x' }],
        scores: { card: 0 },
        retry: 2,
        ms: expect.any(Number),
      },
      expect.objectContaining({ outcome: 'error', negated: true, received: 'no', findings: [] }),
    ])
  })

  test('of a poll keep its last call only', async () => {
    const task = fakeTask()
    await toNod(() => verdict()).call(self({ task }), agent)
    for (const outcome of ['failed', 'failed', 'passed'] as const) {
      await toNod(() => verdict({ outcome })).call(self({ task, poll: true }), agent)
    }
    expect(records(task).map(({ outcome }) => outcome)).toEqual(['passed', 'passed'])
  })

  test('hold no secret', async () => {
    const task = fakeTask()
    await toNod(() => verdict({ received: 'said hunter2hunter2', secrets: ['hunter2hunter2'] })).call(
      self({ task }),
      agent,
    )
    expect(records(task)[0]?.received).toBe('said <hidden>')
  })
})
