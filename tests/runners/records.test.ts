import { describe, expect, test } from 'vitest'
import { A2AConnectionError } from '../../src/core/errors.ts'
import type { MatcherRecord } from '../../src/runners/types.ts'
import { fakeAgent, fakeTask, self, thrown, toNod, verdict } from './fakes.ts'

const agent = fakeAgent()

describe('records', () => {
  const records = (task: { meta: Record<string, unknown> }): MatcherRecord[] =>
    task.meta['a2a'] as MatcherRecord[]

  test('are stored with the test, one per call, with its retry', async () => {
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

  test('keep only the last call of a poll', async () => {
    const task = fakeTask()
    await toNod(() => verdict()).call(self({ task }), agent)
    for (const outcome of ['failed', 'failed', 'passed'] as const) {
      await toNod(() => verdict({ outcome })).call(self({ task, poll: true }), agent)
    }
    expect(records(task).map(({ outcome }) => outcome)).toEqual(['passed', 'passed'])
  })

  test('contain no secrets', async () => {
    const task = fakeTask()
    await toNod(() => verdict({ received: 'said hunter2hunter2', secrets: ['hunter2hunter2'] })).call(
      self({ task }),
      agent,
    )
    expect(records(task)[0]?.received).toBe('said <hidden>')
  })
})
