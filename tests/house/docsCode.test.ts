import ts from 'typescript'
import { expect, test } from 'vitest'
import { files, read, root } from './sources.ts'

interface Block {
  /** `docs/client.md:27`, the line on which the code starts. */
  at: string
  language: string
  code: string
}

/** The fenced blocks of a page. */
function blocksOf(path: string): Block[] {
  const found: Block[] = []
  let open: { fence: string; language: string; from: number } | undefined
  const lines = read(path).split('\n')
  for (const [index, line] of lines.entries()) {
    const fence = /^\s*(```+)(\S*)/.exec(line)
    if (open === undefined) {
      if (fence) open = { fence: fence[1] ?? '', language: fence[2] ?? '', from: index + 1 }
    } else if (line.trim() === open.fence) {
      const code = lines.slice(open.from, index).join('\n')
      found.push({ at: `${path}:${open.from + 1}`, language: open.language, code })
      open = undefined
    }
  }
  return found
}

const pages = files('', /^(docs\/.*|README|CONTRIBUTING|examples\/README|bench\/README)\.md$/)
/** Pages whose code is still to come. */
const pending = /^docs\/rules\.md/

const blocks = pages.flatMap(blocksOf)
const code = blocks.filter(
  ({ at, language }) => !pending.test(at) && ['ts', 'js', 'mjs', 'cjs'].includes(language),
)

/** Jest has its functions as globals, which no other block may rely on. */
const jestGlobals = "const { afterAll, beforeAll, expect, test } = require('@jest/globals'); "
const isJest = ({ language, code }: Block): boolean => language === 'js' && !/^import /m.test(code)

/** Blocks as files of one program: each is a module of its own, in a folder from which packages resolve. */
const virtual = new Map(
  code.map((block, index) => {
    const extension = isJest(block) ? 'cjs' : block.language === 'ts' ? 'ts' : 'mjs'
    const name = `${root}/docs/block${index}.${extension}`
    return [name, { block, text: isJest(block) ? jestGlobals + block.code : block.code }] as const
  }),
)

function problems(): string[] {
  const { config } = ts.readConfigFile(`${root}/tsconfig.json`, (path) => ts.sys.readFile(path))
  const options: ts.CompilerOptions = {
    ...ts.parseJsonConfigFileContent(config, ts.sys, root).options,
    allowJs: true,
    checkJs: true,
    moduleDetection: ts.ModuleDetectionKind.Force,
    noUnusedLocals: false,
    noUnusedParameters: false,
    verbatimModuleSyntax: false,
  }
  const host = ts.createCompilerHost(options)
  const { fileExists, getSourceFile, readFile } = host
  host.fileExists = (name) => virtual.has(name) || fileExists(name)
  host.readFile = (name) => virtual.get(name)?.text ?? readFile(name)
  host.getSourceFile = (name, languageVersion, ...rest) => {
    const text = virtual.get(name)?.text
    if (text === undefined) return getSourceFile(name, languageVersion, ...rest)
    return ts.createSourceFile(name, text, languageVersion)
  }
  const entries = [`${root}/src/vitest.ts`, `${root}/src/jest.ts`]
  const program = ts.createProgram([...virtual.keys(), ...entries], options, host)
  return [...virtual].flatMap(([name, { block }]) => {
    const file = program.getSourceFile(name)
    const [path, start] = block.at.split(':')
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ start: position = 0, messageText }) => {
        const line = (file?.getLineAndCharacterOfPosition(position).line ?? 0) + Number(start)
        return `${path}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
      },
    )
  })
}

test('code in the documentation compiles, each block with its own imports', { timeout: 60_000 }, () => {
  expect(code.length).toBeGreaterThan(20)
  expect(problems()).toEqual([])
})

test('code in the documentation leaves nothing out', () => {
  const escapes = code.filter(({ code }) => /@ts-|\/\/ ?(\.\.\.|…)|\/\* ?(\.\.\.|…)|\bas any\b/.test(code))
  expect(escapes.map(({ at }) => at)).toEqual([])
})

test('JSON in the documentation is JSON', () => {
  const broken = blocks.filter(({ language, code }) => {
    if (language !== 'json') return false
    return ts.parseConfigFileTextToJson('block.json', code).error !== undefined
  })
  expect(broken.map(({ at }) => at)).toEqual([])
})

test('every block of the documentation names its language', () => {
  expect(blocks.filter(({ language }) => language === '').map(({ at }) => at)).toEqual([])
})
