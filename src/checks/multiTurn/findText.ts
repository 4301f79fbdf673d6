/**
 * The path at which a value contains a text, in any case: `task.artifacts[0].parts[0].data.note`; undefined if it does not. Searches member names and
 * inline files as well.
 */
export function findText(value: unknown, text: string): string | undefined {
  return search(value, text.toLowerCase(), '')
}

function search(value: unknown, text: string, path: string): string | undefined {
  if (typeof value === 'string') return value.toLowerCase().includes(text) ? path : undefined
  if (typeof value === 'number') return String(value).includes(text) ? path : undefined
  if (Array.isArray(value)) return first(value.entries(), (at) => `${path}[${at}]`, text)
  if (typeof value !== 'object' || value === null) return undefined
  const { kind, bytes } = value as { kind?: unknown; bytes?: unknown }
  if (kind === 'file' && typeof bytes === 'string') {
    if (Buffer.from(bytes, 'base64').toString('utf8').toLowerCase().includes(text))
      return below(path, 'bytes')
  }
  const name = Object.keys(value).find((key) => key.toLowerCase().includes(text))
  if (name !== undefined) return below(path, name)
  return first(Object.entries(value), (key) => below(path, String(key)), text)
}

function first(
  entries: Iterable<[string | number, unknown]>,
  pathOf: (key: string | number) => string,
  text: string,
): string | undefined {
  for (const [key, value] of entries) {
    const found = search(value, text, pathOf(key))
    if (found !== undefined) return found
  }
  return undefined
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
