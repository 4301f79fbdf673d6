import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { root } from '../house/sources.ts'

const model = `${root}/src/protocol/model.ts`
/** What both programs parse. */
const parsed = new Map<string, ts.SourceFile | undefined>()

/** The places that do not compile once a word is added to a type of the model. */
function undecided(find: string, replacement: string): string[] {
  const config = ts.readConfigFile(`${root}/tsconfig.json`, (path) => ts.sys.readFile(path))
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root)
  const host = ts.createCompilerHost(options)
  const { readFile } = host
  host.readFile = (path) => {
    const text = readFile(path)
    if (path !== model) return text
    expect(text).toContain(find)
    return text?.replace(find, replacement)
  }
  const { getSourceFile } = host
  host.getSourceFile = (path, version, onError) => {
    if (path === model) return ts.createSourceFile(path, host.readFile(path) ?? '', version)
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, version, onError))
    return parsed.get(path)
  }
  const program = ts.createProgram([`${root}/src/index.ts`, `${root}/src/matchers.ts`], options, host)
  const places = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(`${root}/src/`) || fileName.startsWith(`${root}/matchers/`))
    .flatMap((file) => program.getSemanticDiagnostics(file))
    .map(({ file }) => file?.fileName.slice(root.length + 1) ?? fileURLToPath(import.meta.url))
  return [...new Set(places)].toSorted()
}

// Each list is every place that must decide something about a new word. A place that compares instead of deciding is not here.
test('a new binding does not compile until each place has decided about it', { timeout: 120_000 }, () => {
  expect(undecided("'JSONRPC' | 'HTTP+JSON'", "'JSONRPC' | 'HTTP+JSON' | 'GRPC'")).toEqual([
    'src/bindings/call.ts',
    'src/protocol/bindingNames.ts',
    'src/protocol/codecs.ts',
    'src/protocol/reading.ts',
    'src/protocol/versions/v0_1.ts',
    'src/protocol/versions/v0_3.ts',
    'src/protocol/versions/v1_0.ts',
  ])
})

test('a new version does not compile until each place has decided about it', { timeout: 120_000 }, () => {
  expect(undecided("'0.3' | '1.0'", "'0.3' | '1.0' | '1.1'")).toEqual([
    'src/card/ruleKit.ts',
    'src/client/route/fallback.ts',
    'src/protocol/codecs.ts',
    'src/protocol/errorCodes.ts',
    'src/protocol/versions/profiles.ts',
  ])
})
