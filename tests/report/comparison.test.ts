import { describe, expect, test } from 'vitest'
import { comparisonOf } from '../../src/report/comparison.ts'
import { verdict } from '../runners/fakes.ts'

const failed = (expected: unknown, actual: unknown): ReturnType<typeof comparisonOf> =>
  comparisonOf(
    verdict({ outcome: 'failed', comparison: { expected, actual }, secrets: ['hunter2-and-more'] }),
  )

describe('what a runner gets for its diff', () => {
  test('is nothing where the check passed, or made no comparison', () => {
    expect(comparisonOf(verdict({ outcome: 'failed' }))).toEqual({})
    expect(comparisonOf(verdict({ outcome: 'passed', comparison: { expected: 'a', actual: 'a' } }))).toEqual(
      {},
    )
  })

  test('keeps data as data, and hides secrets in it', () => {
    expect(
      failed({ id: 1 }, { id: 2, list: [{ key: 'hunter2-and-more' }], 'hunter2-and-more': null }),
    ).toEqual({
      expected: { id: 1 },
      actual: { id: 2, list: [{ key: expect.not.stringContaining('hunter2') }], [hidden()]: null },
    })
  })

  test('hides what members such as password hold, and bounds the number of members', () => {
    const { actual } = failed('', {
      user: 'ann',
      password: 'x1',
      apiKey: 'x2',
      accessToken: 'x3',
      list: Array(2000),
    })
    expect(actual).toMatchObject({
      user: 'ann',
      password: '<hidden>',
      apiKey: '<hidden>',
      accessToken: '<hidden>',
    })
    expect((actual as { list: unknown[] }).list).toHaveLength(500)
  })

  test('shows control characters, and shortens long texts and deep data', () => {
    const { actual } = failed('', `a\u001B[31m${'x'.repeat(20_000)}`)
    expect(actual).not.toContain('\u001B')
    expect(String(actual).length).toBeLessThan(10_100)
    let deep: unknown = 'end'
    for (let depth = 0; depth < 30; depth++) deep = [deep]
    expect(JSON.stringify(failed('', deep).actual)).toBe(`${'['.repeat(20)}"…"${']'.repeat(20)}`)
  })

  test('leaves what is not plain data, such as an asymmetric matcher, as it is', () => {
    const matcher = expect.stringContaining('x')
    expect(failed({ text: matcher }, 'y').expected).toEqual({ text: matcher })
    expect((failed({ text: matcher }, 'y').expected as { text: unknown }).text).toBe(matcher)
  })
})

function hidden(): string {
  return Object.keys(failed('', { 'hunter2-and-more': 1 }).actual as object)[0] ?? ''
}
