import { describe, expect, test } from 'vitest'
import { files, read } from './sources.ts'

const code = files('', /^(src|matchers|examples|bench|scripts|interop|tests)\/.*\.(ts|mjs|cjs|js)$/)
const text = files(
  '',
  /(\.(ts|mts|cts|mjs|cjs|js|json|md|yml|py|go|txt)|(^|\/)go\.(mod|sum)|^[^/]*rc|^\.ci\/run)$/,
)

/** Places on one machine, and package registries: nothing of either belongs in a repository. */
const machine = /(?:^|[^\w.\-/:])\/(?:home|root|tmp|work|Users|mnt|opt)\/[a-z]/i
const registry = /https?:\/\/registry\.|"resolved": ?"https?:/

/** Lines that a pattern matches, each as `file:line text`. */
function hits(pattern: RegExp, paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
  )
}

describe('files', () => {
  test('are there to be read', () => {
    expect(code.length).toBeGreaterThan(20)
    expect(text).toEqual(expect.arrayContaining(['README.md', '.ci/run', 'package-lock.json', '.npmrc']))
    expect(text).toEqual(
      expect.arrayContaining([
        'interop/go/go.mod',
        'interop/go/library/library.go',
        'interop/python/library_agent.py',
        'interop/python/requirements-1.txt',
      ]),
    )
  })

  test('fit on a few screens: 400 lines at most', () => {
    const long = code
      .map((path) => ({ path, lines: read(path).split('\n').length - 1 }))
      .filter(({ lines }) => lines > 400)
    expect(long).toEqual([])
  })

  test('name no place of the machine they were written on', () => {
    // Real cards from the field keep their own addresses.
    expect(
      hits(
        machine,
        text.filter((path) => !path.startsWith('tests/fixtures/')),
      ),
    ).toEqual([])
    expect(machine.test(`"${['', 'home', 'me', 'x'].join('/')}"`)).toBe(true)
    expect(machine.test('https://example.com/work/a a/tmp/x src/root/a')).toBe(false)
  })

  test('name no package registry, the lock file included', () => {
    expect(hits(registry, text)).toEqual([])
    expect(registry.test(JSON.stringify({ resolved: 'https://example.com/a.tgz' }))).toBe(true)
  })

  test('never ask for the class of a value that another realm may have made', () => {
    const realm =
      /instanceof (Error|URL|Array|Date|RegExp|Promise|Response|Request|Headers|AbortSignal|Map|Set|Buffer|\w*Error|\w*Server|\w*Array)\b/
    expect(
      hits(
        realm,
        code.filter((path) => /^(src|matchers)\//.test(path)),
      ),
    ).toEqual([])
    expect(realm.test('if (error instanceof Error) {')).toBe(true)
  })
})
