import { redact } from '../core/redact.ts'

/** What Vitest, Jest and `expect` take as a snapshot serializer. */
export interface SnapshotSerializer {
  test(value: unknown): boolean
  serialize(
    value: unknown,
    config: unknown,
    indentation: string,
    depth: number,
    refs: unknown[],
    printer: (value: unknown, config: never, indentation: string, depth: number, refs: never) => string,
  ): string
}

/** Values that are made so are ours already, so that printing them does not begin anew. */
const masked = new WeakSet<object>()

const idKeys: Record<string, string> = {
  taskId: 'task',
  contextId: 'context',
  messageId: 'message',
  artifactId: 'artifact',
}
const timeKeys = new Set(['timestamp', 'createdAt', 'updatedAt', 'lastModified', 'startedAt'])

/**
 * Prints replies, tasks, messages and verdicts in snapshots with what differs from run to run masked: ids become `<task-1>`, `<context-1>`, …
 * in the order in which they appear, times `<time>`, ports of addresses `<port>`; the exchanges are left out, and secrets hidden.
 */
export const snapshotSerializer: SnapshotSerializer = {
  test(value) {
    return typeof value === 'object' && value !== null && !masked.has(value) && isOurs(value)
  },
  serialize(value, config, indentation, depth, refs, printer) {
    return printer(maskAll(value, secretsOf(value)), config as never, indentation, depth, refs as never)
  },
}

function isOurs(value: object): boolean {
  const { isA2AReply, kind, id, status, messageId, parts, outcome, findings, expected, exchanges } =
    value as Record<string, unknown>
  return (
    isA2AReply === true ||
    (kind === 'task' && typeof id === 'string' && typeof status === 'object') ||
    (kind === 'message' && typeof messageId === 'string' && Array.isArray(parts)) ||
    (typeof outcome === 'string' &&
      typeof expected === 'string' &&
      Array.isArray(findings) &&
      Array.isArray(exchanges))
  )
}

/** What must not be printed, as replies and verdicts know it. */
function secretsOf(value: unknown): string[] {
  const { secrets } = value as { secrets?: unknown }
  return Array.isArray(secrets) ? secrets.filter((one) => typeof one === 'string') : []
}

function maskAll(root: unknown, secrets: readonly string[]): unknown {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  const nameOf = (kind: string, id: string): string => {
    const known = names.get(id)
    if (known !== undefined) return known
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    const name = `<${kind}-${count}>`
    names.set(id, name)
    return name
  }
  // Ids first: they also turn up within texts.
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(collect)
    if (typeof value !== 'object' || value === null) return
    const object = value as Record<string, unknown>
    if (object['kind'] === 'task' && isId(object['id'])) nameOf('task', object['id'])
    for (const [key, each] of Object.entries(object)) {
      if (left.has(key)) continue
      const kind = idKeys[key]
      if (kind !== undefined && isId(each)) nameOf(kind, each)
      else collect(each)
    }
  }
  collect(root)
  const ids = [...names].sort(([a], [b]) => b.length - a.length)
  const mask = (value: unknown): unknown => {
    if (typeof value === 'string') return maskText(redact(value, secrets), ids)
    if (Array.isArray(value)) return value.map(mask)
    if (typeof value !== 'object' || value === null) return value
    const copy: Record<string, unknown> = {}
    for (const [key, each] of Object.entries(value)) {
      if (left.has(key) || each === undefined) continue
      if (timeKeys.has(key) && (typeof each === 'string' || typeof each === 'number')) copy[key] = '<time>'
      else if (key === 'wait') copy[key] = '<wait>'
      else copy[key] = mask(each)
    }
    masked.add(copy)
    return copy
  }
  return mask(root)
}

const left = new Set(['exchanges', 'secrets', 'isA2AReply'])

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function maskText(text: string, ids: readonly [string, string][]): string {
  let result = text
  for (const [id, name] of ids) {
    // A short id such as "1" would be found in every number.
    if (result === id) return name
    if (id.length >= 8) result = result.replaceAll(id, name)
  }
  return result
    .replaceAll(/\b(https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\d+/g, '$1:<port>')
    .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g, '<time>')
}
