import ts from 'typescript'
import { expect, test } from 'vitest'
import { read, root } from './sources.ts'

const path = `${root}/tests/house/spec.ts`
const spec = `import { expect } from 'vitest'
import type {} from 'expect-a2a/vitest'
expect('http://127.0.0.1:4100').toReply('Hello')
`

/** What an editor knows about the file above, which exists only here. */
function languageService(): ts.LanguageService {
  const { config } = ts.readConfigFile(`${root}/tsconfig.json`, (file) => ts.sys.readFile(file))
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const text = (file: string): string | undefined => (file === path ? spec : ts.sys.readFile(file))
  return ts.createLanguageService({
    getScriptFileNames: () => [path],
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => {
      const found = text(file)
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found)
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: (file) => text(file) !== undefined,
    readFile: text,
  })
}

test('editors show the docstring, the example and the parameters of a matcher', { timeout: 60_000 }, () => {
  const info = languageService().getQuickInfoAtPosition(path, spec.indexOf('toReply'))
  expect(ts.displayPartsToString(info?.documentation)).toContain('Sends one message')
  const example = info?.tags?.find((tag) => tag.name === 'example')
  expect(ts.displayPartsToString(example?.text)).toContain("await expect(agent).toReply('Where is")
  expect(ts.displayPartsToString(info?.displayParts)).toMatch(/message: .*expected\?: .*options\?: /s)
})

test('every matcher has an example', () => {
  const types = read('src/runners/matcherTypes.ts')
  const members = [...types.matchAll(/^ {2}(to\w+)\(/gm)]
  expect(members.length).toBeGreaterThan(20)
  expect(types.match(/@example/g)).toHaveLength(members.length)
})
