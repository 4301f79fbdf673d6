import { target, type Source } from './sources.ts'

/**
 * Who may import whom at run time. A layer not listed for another is out of its reach; types are free where they come from
 * a contract file (`types.ts`, `model.ts`, `codec.ts`), because the contracts stand above the layers.
 */
const allowed: Record<string, readonly string[]> = {
  // Ids and their texts only: errors and every layer that finds something name them.
  findings: ['findings'],
  leaf: ['findings', 'leaf'],
  protocol: ['findings', 'leaf', 'protocol'],
  http: ['findings', 'leaf', 'http'],
  bindings: ['findings', 'leaf', 'protocol', 'http', 'bindings'],
  card: ['findings', 'leaf', 'protocol', 'http', 'card'],
  client: ['findings', 'leaf', 'protocol', 'http', 'bindings', 'card', 'client'],
  agent: ['findings', 'leaf', 'protocol', 'http', 'bindings', 'card', 'client', 'agent'],
  // Language models know nothing of A2A, and a judge knows a conversation by its transcript alone.
  model: ['leaf', 'model'],
  transcript: ['leaf', 'protocol', 'transcript'],
  judge: ['leaf', 'model', 'transcript', 'judge'],
  simulator: ['leaf', 'model', 'transcript', 'simulator'],
  conversation: [
    'findings',
    'leaf',
    'protocol',
    'client',
    'agent',
    'model',
    'transcript',
    'judge',
    'simulator',
    'conversation',
  ],
  checks: [
    'findings',
    'leaf',
    'protocol',
    'card',
    'client',
    'agent',
    'model',
    'transcript',
    'judge',
    'conversation',
    'checks',
  ],
  report: ['leaf', 'report'],
  runners: ['leaf', 'agent', 'model', 'checks', 'report', 'runners'],
  matchers: [
    'leaf',
    'protocol',
    'card',
    'client',
    'runners',
    'transcript',
    'judge',
    'conversation',
    'checks',
    'matchers',
  ],
  testing: ['leaf', 'card', 'agent', 'testing', 'examples'],
  examples: ['examples'],
  // Entries that register the matchers with a runner.
  entry: ['leaf', 'runners', 'matchers', 'entry'],
  // The neutral entry registers nothing and so needs no matcher.
  index: [
    'findings',
    'leaf',
    'protocol',
    'card',
    'client',
    'agent',
    'model',
    'judge',
    'conversation',
    'checks',
    'report',
  ],
}

const leaves = /^src\/core\//
const entries = /^src\/(vitest|jest|expect|matchers)\.ts$/
const contracts = /^src\/(\w+\/)?(types|model|codec|verdict)\.ts$/

/** The layer of a file, by its path. */
function layerOf(path: string): string | undefined {
  if (leaves.test(path)) return 'leaf'
  if (entries.test(path)) return 'entry'
  if (path === 'src/index.ts') return 'index'
  if (path.startsWith('matchers/')) return 'matchers'
  if (path.startsWith('examples/')) return 'examples'
  return /^src\/(\w+)\//.exec(path)?.[1]
}

/** Packages that may be imported when a file loads; all others only by `import()`, or for their types. */
const light: Record<string, RegExp> = {
  'src/vitest.ts': /^(node:|vitest$)/,
  // Small, and card rules ask it while they run.
  'src/http/hosts.ts': /^(node:|ipaddr\.js$)/,
}

/** Every import that goes against the grain, one sentence each. */
export function breaches(sources: readonly Source[]): string[] {
  const found: string[] = []
  for (const source of sources) {
    const layer = layerOf(source.path)
    const reach = layer === undefined ? undefined : allowed[layer]
    if (reach === undefined) {
      found.push(`${source.path} belongs to no layer that tests/house/layers.ts knows.`)
      continue
    }
    for (const imported of source.imports) {
      const { specifier, typeOnly, lazy } = imported
      const path = target(source, imported)
      if (path === undefined) {
        const runner = /^(vitest|jest|@jest\/globals|expect|node:test)(\/|$)/.test(specifier)
        if (runner && layer !== 'entry' && layer !== 'runners') {
          found.push(`${source.path} imports "${specifier}": only src/runners and the entries know a runner.`)
        } else if (/^vitest(\/|$)/.test(specifier) && source.path !== 'src/vitest.ts') {
          found.push(`${source.path} imports "${specifier}": only src/vitest.ts may.`)
        } else if (!typeOnly && !lazy && !(light[source.path] ?? /^node:/).test(specifier)) {
          found.push(
            `${source.path} loads "${specifier}" at once: use \`await import()\` where it is needed.`,
          )
        }
        continue
      }
      if (typeOnly && contracts.test(path)) continue
      const other = layerOf(path)
      if (other === undefined || !reach.includes(other)) {
        found.push(`${source.path} imports ${path}: ${layer} may import ${reach.join(', ')} only.`)
      }
    }
  }
  return found
}

/** Folders of src that import each other, types counted, each pair written `a <-> b`. */
export function folderCircles(sources: readonly Source[]): string[] {
  const folder = (path: string): string | undefined => /^(src\/\w+|matchers)\//.exec(path)?.[1]
  const edges = new Map<string, Set<string>>()
  for (const source of sources) {
    const from = folder(source.path)
    if (from === undefined) continue
    const reach = edges.get(from) ?? new Set<string>()
    edges.set(from, reach)
    for (const imported of source.imports) {
      const path = target(source, imported)
      const to = path === undefined ? undefined : folder(path)
      if (to !== undefined && to !== from) reach.add(to)
    }
  }
  const reached = (from: string): Set<string> => {
    const seen = new Set<string>()
    const walk = (at: string): void => {
      for (const next of edges.get(at) ?? []) {
        if (seen.has(next)) continue
        seen.add(next)
        walk(next)
      }
    }
    walk(from)
    return seen
  }
  const all = new Map([...edges.keys()].map((from) => [from, reached(from)]))
  return [...all.keys()]
    .flatMap((a) =>
      [...all.keys()]
        .filter((b) => a < b && all.get(a)?.has(b) && all.get(b)?.has(a))
        .map((b) => `${a} <-> ${b}`),
    )
    .toSorted()
}

/** Rings of files that import each other when they load, each written `a -> b -> a`. */
export function cycles(sources: readonly Source[]): string[] {
  const edges = new Map(
    sources.map((source) => [
      source.path,
      source.imports
        .filter((imported) => !imported.typeOnly && !imported.lazy)
        .map((imported) => target(source, imported))
        .filter((path) => path !== undefined),
    ]),
  )
  const found: string[] = []
  const done = new Set<string>()
  const walk = (path: string, trail: string[]): void => {
    const at = trail.indexOf(path)
    if (at >= 0) found.push([...trail.slice(at), path].join(' -> '))
    if (at >= 0 || done.has(path)) return
    for (const next of edges.get(path) ?? []) walk(next, [...trail, path])
    done.add(path)
  }
  for (const path of edges.keys()) walk(path, [])
  return found
}
