import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pack, remove, root, scratch } from '../../scripts/consumer.mjs'

interface Manifest {
  dependencies: Record<string, string>
  peerDependencies: Record<string, string>
  peerDependenciesMeta: Record<string, { optional: boolean }>
  devDependencies: Record<string, string>
  exports: Record<string, unknown>
  sideEffects: string[]
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const manifest = JSON.parse(read('package.json')) as Manifest
const folder = scratch('contents')
let packed: Awaited<ReturnType<typeof pack>>

beforeAll(async () => {
  packed = await pack(folder)
})

afterAll(() => remove(folder))

/** Every file that an `exports` map names. */
function named(part: unknown): string[] {
  if (typeof part === 'string') return [part.replace('./', '')]
  return Object.values(part as Record<string, unknown>).flatMap(named)
}

describe('the tarball', () => {
  test('has every file that the exports name, none of them empty', () => {
    const paths = named(manifest.exports)
    expect(paths.length).toBeGreaterThan(20)
    expect(paths.filter((path) => !packed.files.includes(path))).toEqual([])
    // Only the types of a set-up entry may be a bare `export {}`.
    expect(paths.filter((path) => read(path).trim().length < 10)).toEqual([])
  })

  test('has nothing but the build, the documentation and the usual papers', () => {
    const stray = packed.files.filter(
      (path) =>
        !/^(LICENSE|README\.md|CHANGELOG\.md|package\.json)$/.test(path) &&
        !/^docs\/([\w-]+\/)?[\w.-]+\.md$/.test(path) &&
        !/^dist\/[\w-]+(\.[\w-]+)*\.(js|cjs|d\.ts|d\.cts)$/.test(path),
    )
    expect(stray).toEqual([])
  })

  test('keeps to its budget', () => {
    expect(packed.size).toBeLessThan(900_000)
    expect(packed.unpackedSize).toBeLessThan(3_500_000)
  })

  test('bundles no dependency', () => {
    const inlined = packed.files
      .filter((path) => path.startsWith('dist/'))
      .filter((path) => /\/\/#region .*node_modules/.test(read(path)))
    expect(inlined).toEqual([])
  })

  test('imports only what it declares', () => {
    const declared = new Set([
      ...Object.keys(manifest.dependencies),
      ...Object.keys(manifest.peerDependencies),
      // `@jest/globals` comes with `jest`.
      '@jest/globals',
      'expect-a2a',
    ])
    const specifiers = packed.files
      .filter((path) => /^dist\/.*\.(js|cjs|ts|cts)$/.test(path))
      .flatMap((path) =>
        [...read(path).matchAll(/(?:from |import |import\(|require\()["']([^"'./$][^"']*)["']/g)].map(
          ([, specifier = '']) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier,
        ),
      )
    expect(specifiers).toContain('undici')
    const unknown = specifiers.filter(
      (name) => !name.startsWith('node:') && !builtinModules.includes(name) && !declared.has(name),
    )
    expect([...new Set(unknown)]).toEqual([])
  })

  test('imports nothing at run time in CommonJS: Jest has no `import()`', () => {
    const dynamic = packed.files
      .filter((path) => path.endsWith('.cjs'))
      .filter((path) => /(?<![\w.`'"])import\(/.test(read(path).replace(/^\s*(\*|\/\/).*$/gm, '')))
    expect(dynamic).toEqual([])
  })

  test('leaves Vitest to its own entry', () => {
    const users = packed.files
      .filter((path) => /^dist\/.*\.(js|cjs)$/.test(path))
      .filter((path) => /(from |import |require\()["']vitest["']/.test(read(path)))
    expect(users).toEqual(['dist/vitest.js'])
  })
})

describe('the manifest', () => {
  test('makes every peer optional and has it at hand for development', () => {
    const peers = Object.keys(manifest.peerDependencies)
    expect(Object.keys(manifest.peerDependenciesMeta).toSorted()).toEqual(peers.toSorted())
    expect(Object.values(manifest.peerDependenciesMeta).every(({ optional }) => optional)).toBe(true)
    expect(peers.filter((name) => !(name in manifest.devDependencies))).toEqual([])
  })

  test('protects every set-up entry from tree shaking', () => {
    expect(manifest.sideEffects).toEqual(
      expect.arrayContaining(['./dist/vitest.js', './dist/jest.*', './dist/expect.*']),
    )
  })
})
