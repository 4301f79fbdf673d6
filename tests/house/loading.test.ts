import { describe, expect, test } from 'vitest'
import { parse, sources, target, type Source } from './sources.ts'

const all = sources('src', 'matchers')

/** How each file that loads together with an entry comes to be loaded: the chain of imports that leads to it. */
function loadedBy(entry: string, files: readonly Source[] = all): Map<string, string> {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const chains = new Map([[entry, entry]])
  // A map goes on over what is added meanwhile.
  for (const [path, chain] of chains) {
    const source = byPath.get(path)
    for (const imported of source?.imports ?? []) {
      if (source === undefined || imported.typeOnly || imported.lazy) continue
      const next = target(source, imported)
      if (next !== undefined && !chains.has(next)) chains.set(next, `${chain} > ${next}`)
    }
  }
  return chains
}

/** Most tests run no conversation: the code for that must not slow down every test file. */
const late = [
  'src/conversation/runConversation.ts',
  'src/judge/judgeConversation.ts',
  'src/model/calls.ts',
  'src/model/limiter.ts',
]

/** A spec that judges no card does not pay for the rules. */
const cards = ['src/card/rules/index.ts', 'src/http/hosts.ts']

describe('what a conversation needs', () => {
  test.each(['src/vitest.ts', 'src/jest.ts', 'src/expect.ts', 'src/matchers.ts', 'src/index.ts'])(
    'is not loaded with %s',
    (entry) => {
      const chains = loadedBy(entry)
      expect(chains.size).toBeGreaterThan(10)
      expect(late.flatMap((path) => chains.get(path) ?? [])).toEqual([])
    },
  )

  test('is there to be loaded', () => {
    expect(all.map(({ path }) => path)).toEqual(expect.arrayContaining(late))
  })

  test.each(['src/vitest.ts', 'src/jest.ts', 'src/expect.ts', 'src/matchers.ts'])(
    'and the card rules are not loaded with %s',
    (entry) => {
      const chains = loadedBy(entry)
      expect(cards.flatMap((path) => chains.get(path) ?? [])).toEqual([])
    },
  )

  test('would be seen', () => {
    const files = [
      parse('src/vitest.ts', "import './a.ts'\nimport type { B } from './b.ts'"),
      parse('src/a.ts', "export { c } from './c.ts'\nexport const d = () => import('./d.ts')"),
    ]
    expect(Object.fromEntries(loadedBy('src/vitest.ts', files))).toEqual({
      'src/vitest.ts': 'src/vitest.ts',
      'src/a.ts': 'src/vitest.ts > src/a.ts',
      'src/c.ts': 'src/vitest.ts > src/a.ts > src/c.ts',
    })
  })
})

describe('zod', () => {
  const users = all.filter(({ imports }) =>
    imports.some(({ specifier, typeOnly }) => specifier === 'zod' && !typeOnly),
  )

  test('is loaded by the reader of documents alone, which is loaded with zod still outside', () => {
    expect(users.map(({ path }) => path)).toEqual(['src/core/document.ts'])
    expect(users.flatMap(({ imports }) => imports).filter(({ specifier }) => specifier === 'zod')).toEqual([
      expect.objectContaining({ typeOnly: true }),
      expect.objectContaining({ lazy: true }),
    ])
  })
})
