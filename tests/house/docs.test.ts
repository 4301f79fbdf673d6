import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import * as matchers from '../../matchers/index.ts'
import { rules } from '../../src/card/rules/index.ts'
import * as errors from '../../src/core/errors.ts'
import * as neutral from '../../src/index.ts'
import { asyncMatcherNames } from '../support/asyncMatcherNames.ts'
import { files, read, root } from './sources.ts'

const names = Object.keys(matchers)
const manifest = JSON.parse(read('package.json')) as { version: string; exports: Record<string, unknown> }
const pages = files('', /^(docs\/.*|[A-Z]+|examples\/.*)\.md$/)

/** What the cells of a table's row say; links count by their text. */
function cells(line: string): string[] {
  if (!line.startsWith('|')) return []
  return line.split('|').map((cell) => cell.trim().replaceAll(/\]\([^)]*\)/g, ']'))
}

/** The anchors that headings make, as GitHub writes them. */
function anchors(page: string): string[] {
  return [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .replaceAll(/\]\([^)]*\)/g, '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** The part of a page under one heading. */
function section(page: string, heading: string): string {
  const [, body = ''] = page.split(new RegExp(`^#+ ${heading}.*$`, 'im'))
  return (body.split(/^#+ /m)[0] ?? '').trim()
}

describe('every matcher', () => {
  test('is counted', () => {
    expect(names).toEqual(expect.arrayContaining(['toHaveValidAgentCard', 'toPassSmokeCheck']))
    expect(names).toEqual(expect.arrayContaining([...asyncMatcherNames]))
  })

  test.each(names)('%s has a page: one sentence, signature, example, then two sections', (name) => {
    const path = `docs/matchers/${name}.md`
    expect(existsSync(`${root}/${path}`), `${path} is missing`).toBe(true)
    const page = read(path)
    const async = asyncMatcherNames.includes(name)
    expect(page).toMatch(
      new RegExp(
        String.raw`^# ${name}\n\n[A-Z][^\n]*\.\n\n\`${async ? 'await ' : ''}expect\(\w+\)\.${name}\(.*\)\`\n\n\`\`\`ts\n`,
      ),
    )
    expect(section(page, 'Passes and fails')).toContain('(../outcomes.md)')
    expect(section(page, 'Passes and fails')).toContain('(../findings.md)')
    expect(section(page, 'What it sends')).not.toBe('')
  })

  test.each(names)('%s has short cells, and names findings that exist', (name) => {
    const page = read(`docs/matchers/${name}.md`)
    const long = page.split('\n').flatMap((line) => cells(line).filter((cell) => cell.length > 130))
    expect(long).toEqual([])
    const known = read('docs/findings.md') + read('docs/rules.md')
    const ids = [...page.matchAll(/`((?:\w+)\/[a-z][a-z0-9-]*[a-z0-9])`/g)].map(([, id = '']) => id)
    const notIds = new Set(['tasks/resubscribe', 'application/json', 'text/csv', 'text/event-stream'])
    expect(ids.filter((id) => !notIds.has(id) && !known.includes(`\`${id}\``))).toEqual([])
  })

  test.each(names)('%s is in the README and in the changelog', (name) => {
    expect(read('README.md')).toContain(`docs/matchers/${name}.md`)
    expect(read('CHANGELOG.md')).toContain(`\`${name}\``)
  })

  test.each(['.oxlintrc.json', 'docs/runners.md'])(
    'that is awaited is in the list for linters of %s',
    (path) => {
      const [, list = ''] = /"asyncMatchers": \[([^\]]*)\]/.exec(read(path)) ?? []
      const listed = [...list.matchAll(/"(to\w+)"/g)].map(([, name = '']) => name)
      // The rule's own defaults, which the option replaces.
      const defaults = ['toResolve', 'toReject']
      expect(listed.filter((name) => !defaults.includes(name)).toSorted()).toEqual(
        [...asyncMatcherNames].toSorted(),
      )
    },
  )
})

describe('pages', () => {
  test('have no page for a matcher that is gone', () => {
    const stale = files('docs/matchers', /\.md$/).map((path) => posix.basename(path, '.md'))
    expect(stale.filter((name) => name !== 'README' && !names.includes(name))).toEqual([])
  })

  test('link to files that exist', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)]
        .map(([, link = '']) => posix.join(posix.dirname(page), link))
        .filter((path) => !existsSync(`${root}/${path}`))
        .map((path) => `${page} -> ${path}`),
    )
    expect(broken).toEqual([])
  })

  test('name files and folders that exist', () => {
    const named = /`((?:src|matchers|tests|docs|examples|bench|scripts|interop)\/[\w./-]+)`/g
    const stale = pages
      .filter((page) => page !== 'docs/interop.md')
      .flatMap((page) => [...read(page).matchAll(named)].map(([, path = '']) => ({ page, path })))
      .filter(({ path }) => !existsSync(`${root}/${path}`))
      .map(({ page, path }) => `${page} -> ${path}`)
    expect(stale).toEqual([])
  })

  test('link to headings that exist', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)]
        .map(([, link = '', anchor = '']) => ({
          path: link === '' ? page : posix.join(posix.dirname(page), link),
          anchor,
        }))
        .filter(({ path }) => path.endsWith('.md') && existsSync(`${root}/${path}`))
        .filter(({ path, anchor }) => !anchors(read(path)).includes(anchor))
        .map(({ path, anchor }) => `${page} -> ${path}#${anchor}`),
    )
    expect(broken).toEqual([])
  })

  test('list every card rule', () => {
    const page = read('docs/rules.md')
    expect(rules.length).toBeGreaterThan(10)
    expect(rules.map((rule) => rule.id).filter((id) => !page.includes(`\`${id}\``))).toEqual([])
  })
})

describe('the neutral entry', () => {
  const guide = ['README.md', ...files('docs', /^docs\/[^/]*\.md$/)].map(read).join('\n')
  const values = Object.keys(neutral)

  test('has values to look for', () => {
    expect(values).toEqual(expect.arrayContaining(['a2aAgent', 'checkAgentCard', 'A2AError']))
  })

  test.each(values)('exports %s, which the guide names in code', (name) => {
    expect(guide).toMatch(new RegExp(`\`[^\`\\n]*\\b${name}\\b[^\`\\n]*\``))
  })

  test('has a row for each of its error classes, with the codes of its docstring', () => {
    const rows = section(read('docs/api.md'), 'Errors').split('\n')
    const documented = [
      ...read('src/core/errors.ts').matchAll(
        /\/\*\*((?:(?!\*\/).)*)\*\/\nexport class (\w+) extends A2AError/gs,
      ),
    ]
    expect(documented.length).toBe(Object.keys(errors).filter((name) => /^A2A\w+Error$/.test(name)).length)
    for (const [, docstring = '', name = ''] of documented) {
      const row = rows.find((line) => line.startsWith(`| \`${name}\``)) ?? ''
      expect(codes(row)).toEqual(codes(docstring))
    }
  })
})

/** The error codes in a text, sorted. */
function codes(text: string): string[] {
  return [...text.matchAll(/`([A-Z]{2,}(?:_[A-Z]+)*)`/g)].map(([, code = '']) => code).toSorted()
}

test('the version of the package has an entry in the changelog', () => {
  const heading = `\n## [${manifest.version}]`
  expect(read('CHANGELOG.md')).toContain(heading)
  expect(section(read('CHANGELOG.md'), 'Added').length).toBeGreaterThan(100)
})

test('every export of every entry says what it is for', () => {
  const program = ts.createProgram(
    files('src', /^src\/(index|matchers|jest|expect|vitest|testing\/index)\.ts$/).map(
      (path) => `${root}/${path}`,
    ),
    { ...options(), noEmit: true },
  )
  const checker = program.getTypeChecker()
  const silent: string[] = []
  let seen = 0
  for (const name of program.getRootFileNames()) {
    const file = program.getSourceFile(name)
    const module = file && checker.getSymbolAtLocation(file)
    // A file without exports, such as a set-up entry, is not a module with members.
    for (const member of module ? checker.getExportsOfModule(module) : []) {
      const symbol = member.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(member) : member
      seen++
      if (symbol.getDocumentationComment(checker).length === 0) {
        silent.push(`${posix.relative(root, name)}: ${member.name}`)
      }
    }
  }
  expect(silent).toEqual([])
  expect(seen).toBeGreaterThan(20)
})

function options(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(`${root}/tsconfig.json`, (path) => ts.sys.readFile(path))
  return ts.parseJsonConfigFileContent(config, ts.sys, root).options
}
