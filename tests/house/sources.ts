import { readdirSync, readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** The repository's root. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** One import or re-export of a module, or an `import()`. */
export interface Import {
  /** As written: `undici`, `../finding.ts`. */
  specifier: string
  /** Nothing of it remains at run time. */
  typeOnly: boolean
  /** `import('…')` inside a function: loaded on first use. */
  lazy: boolean
}

/** A source file by its path from the root, with what it imports. */
export interface Source {
  path: string
  text: string
  imports: Import[]
}

const skipped = new Set(['node_modules', 'dist', 'coverage', '.git'])

/** Files of the repository, by path from the root; what is built or installed is left out. */
export function files(folder = '', wanted: RegExp = /./): string[] {
  const entries = readdirSync(`${root}/${folder}`, { withFileTypes: true })
  return entries
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (skipped.has(entry.name)) return []
      return entry.isDirectory() ? files(path, wanted) : wanted.test(path) ? [path] : []
    })
    .toSorted()
}

export function read(path: string): string {
  return readFileSync(`${root}/${path}`, 'utf8')
}

/** The TypeScript files of some folders. */
export function sources(...folders: string[]): Source[] {
  return folders.flatMap((folder) => files(folder, /\.ts$/)).map((path) => parse(path, read(path)))
}

export function parse(path: string, text: string): Source {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const imports: Import[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const clause = node.importClause
      const named = clause?.namedBindings
      const typeOnly =
        clause !== undefined &&
        (clause.phaseModifier === ts.SyntaxKind.TypeKeyword ||
          (clause.name === undefined &&
            named !== undefined &&
            ts.isNamedImports(named) &&
            named.elements.length > 0 &&
            named.elements.every((element) => element.isTypeOnly)))
      imports.push({ specifier: node.moduleSpecifier.text, typeOnly, lazy: false })
    } else if (
      ts.isExportDeclaration(node) &&
      node.moduleSpecifier &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      const typeOnly =
        node.isTypeOnly ||
        (node.exportClause !== undefined &&
          ts.isNamedExports(node.exportClause) &&
          node.exportClause.elements.every((element) => element.isTypeOnly))
      imports.push({ specifier: node.moduleSpecifier.text, typeOnly, lazy: false })
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments
      if (argument && ts.isStringLiteral(argument)) {
        imports.push({ specifier: argument.text, typeOnly: false, lazy: true })
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { path, text, imports }
}

/** The file that a relative import means, by path from the root; undefined for a package. */
export function target(source: Source, { specifier }: Import): string | undefined {
  return specifier.startsWith('.') ? posix.join(posix.dirname(source.path), specifier) : undefined
}
