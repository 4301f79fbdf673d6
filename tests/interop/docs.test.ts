import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const files = (folder: string): string[] =>
  readdirSync(`${root}/${folder}`).map((name) => `${folder}/${name}`)
const tests = [
  ...files('tests/interop'),
  ...files('interop')
    .filter((path) => statSync(`${root}/${path}`).isDirectory())
    .flatMap(files),
].filter((path) => path.endsWith('.test.ts') && !path.endsWith('docs.test.ts'))

/** The ids of findings in a text, each once. */
function ids(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, id = '']) => id))].sort()
}

test('docs/interop.md explains each warning and error that an agent gets, and no other', () => {
  const asserted = ids(
    tests.map((path) => readFileSync(`${root}/${path}`, 'utf8')).join('\n'),
    /['` ]((?:card|wire|http|rpc|stream|cancel|list|push|auth|conversation|cors)\/[a-z-]+)['` ]/g,
  )
  const page = readFileSync(`${root}/docs/interop.md`, 'utf8')
  expect(asserted.length).toBeGreaterThan(3)
  expect(ids(page, /^### `([a-z]+\/[a-z-]+)`$/gm)).toEqual(asserted)
})
