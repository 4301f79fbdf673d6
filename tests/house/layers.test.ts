import { describe, expect, test } from 'vitest'
import { breaches, cycles, folderCircles } from './layers.ts'
import { parse, sources } from './sources.ts'

const all = sources('src', 'matchers', 'examples/agents')

describe('the tree', () => {
  test('has sources to look at', () => {
    expect(all.length).toBeGreaterThan(10)
  })

  test('imports only along the arrows', () => {
    expect(breaches(all)).toEqual([])
  })

  test('has no circle between folders, types counted', () => {
    expect(folderCircles(all.filter(({ path }) => !path.startsWith('examples/')))).toEqual([])
  })

  test('has no ring of imports', () => {
    expect(cycles(all)).toEqual([])
  })
})

describe('the guard itself', () => {
  const breach = (path: string, text: string): string[] => breaches([parse(path, text)])

  test.each([
    ['src/card/a.ts', "import { defineMatcher } from '../runners/defineMatcher.ts'"],
    ['src/checks/a.ts', "import { callRpc } from '../bindings/jsonrpc.ts'"],
    ['src/report/a.ts', "import { codecFor } from '../protocol/index.ts'"],
    ['src/client/a.ts', "export { toReply } from '../agent/handle.ts'"],
    ['matchers/a.ts', "import { createTransport } from '../src/http/transport.ts'"],
    ['src/core/clock.ts', "import { readState } from '../protocol/state.ts'"],
    ['src/index.ts', "import './runners/defineMatcher.ts'"],
  ])('sees that %s may not: %s', (path, text) => {
    expect(breach(path, text)).toEqual([expect.stringContaining(`${path} imports `)])
  })

  test('lets types of the contracts through, and no others', () => {
    expect(breach('src/report/a.ts', "import type { Exchange } from '../http/types.ts'")).toEqual([])
    expect(breach('src/report/a.ts', "import type { Sse } from '../http/sse.ts'")).toHaveLength(1)
    expect(breach('src/report/a.ts', "import { type Exchange, f } from '../http/types.ts'")).toHaveLength(1)
  })

  test('lets a heavy package in only on first use', () => {
    const at = 'src/http/a.ts'
    expect(breach(at, "import { request } from 'undici'")).toEqual([
      'src/http/a.ts loads "undici" at once: use `await import()` where it is needed.',
    ])
    expect(breach(at, "import type { Dispatcher } from 'undici'")).toEqual([])
    expect(breach(at, "const { request } = await import('undici')")).toEqual([])
  })

  test('keeps Vitest in one file and runners out of the engine', () => {
    expect(breach('src/vitest.ts', "import { expect } from 'vitest'")).toEqual([])
    expect(breach('src/jest.ts', "import type { Task } from 'vitest'")).toHaveLength(1)
    expect(breach('src/agent/a.ts', "import type { Task } from 'vitest'")).toEqual([
      'src/agent/a.ts imports "vitest": only src/runners and the entries know a runner.',
    ])
  })

  test('has a place for every file', () => {
    expect(breach('src/util.ts', '')).toEqual([expect.stringContaining('belongs to no layer')])
  })

  test('finds a circle between folders, also through types and a third one', () => {
    const file = (path: string, from: string): ReturnType<typeof parse> =>
      parse(path, `import type { A } from '${from}'`)
    const [a, b] = [file('src/card/a.ts', '../http/types.ts'), file('src/http/b.ts', '../model/types.ts')]
    expect(folderCircles([a, b])).toEqual([])
    expect(folderCircles([a, b, file('src/model/c.ts', '../card/types.ts')])).toContain(
      'src/card <-> src/http',
    )
    expect(folderCircles([a, b, file('src/http/d.ts', '../card/types.ts')])).toEqual([
      'src/card <-> src/http',
    ])
  })

  test('finds a ring, but none through types or lazy imports', () => {
    const ring = (last: string): string[] =>
      cycles([
        parse('src/card/a.ts', "import { b } from './b.ts'"),
        parse('src/card/b.ts', "export * from './c.ts'"),
        parse('src/card/c.ts', last),
      ])
    expect(ring("import { a } from './a.ts'")).toEqual([
      'src/card/a.ts -> src/card/b.ts -> src/card/c.ts -> src/card/a.ts',
    ])
    expect(ring("import type { A } from './a.ts'")).toEqual([])
    expect(ring("import { type A } from './a.ts'")).toEqual([])
    expect(ring("const a = () => import('./a.ts')")).toEqual([])
  })
})
