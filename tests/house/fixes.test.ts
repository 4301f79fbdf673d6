import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { read, sources } from './sources.ts'

/** The literal texts that an expression may give, with `…` for what is known only at run time. */
function texts(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isTemplateExpression(node)) {
    return [[node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…')]
  }
  if (ts.isParenthesizedExpression(node)) return texts(node.expression)
  if (ts.isConditionalExpression(node)) return [...texts(node.whenTrue), ...texts(node.whenFalse)]
  if (!ts.isBinaryExpression(node)) return []
  const [left, right] = [texts(node.left), texts(node.right)]
  if (node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return [...left, ...right]
  return left.flatMap((start) => right.map((end) => start + end))
}

/** Every text that is written for a `fix`: a member, a variable or a default of that name. */
function fixes(path: string, text: string): { at: string; fix: string }[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: { at: string; fix: string }[] = []
  const visit = (node: ts.Node): void => {
    const named = ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node) || ts.isParameter(node)
    if (named && node.initializer !== undefined && node.name.getText(file) === 'fix') {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
      for (const fix of texts(node.initializer)) found.push({ at: `${path}:${line + 1}`, fix })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** From a capital letter to a full stop; a question may stand alone. */
const sentence = /^[A-Z][^]*[.?]$/

describe('fixes', () => {
  const all = sources('src', 'matchers').flatMap(({ path }) => fixes(path, read(path)))

  test('are there to be read', () => {
    expect(all.length).toBeGreaterThan(100)
  })

  test('are sentences', () => {
    expect(all.filter(({ fix }) => !sentence.test(fix))).toEqual([])
  })

  test.each([
    ["const finding = { fix: 'add it' }", 'add it'],
    ["const fix = a ?? 'Add' + ' it'", 'Add it'],
    ["f({ fix: a ? 'Add it.' : `add ${b}.` })", 'add ….'],
    ["function f(fix = 'Add it') {}", 'Add it'],
  ])('are found where they are none: %s', (text, fix) => {
    const found = fixes('src/a.ts', text).filter((one) => !sentence.test(one.fix))
    expect(found).toEqual([{ at: 'src/a.ts:1', fix }])
  })
})
