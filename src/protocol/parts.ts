import { isRecord } from '../core/guards.ts'
import type { DataPart, FilePart, Part } from './model.ts'
import { isEmpty, own, quote, type JsonObject, type Reading, type WireForm } from './reading.ts'

/** The flag with which SDKs mark a value that is no object, wrapped as `{value}` for the data part of 0.x. */
export const dataCompatFlag = 'data_part_compat'

type Kind = Part['kind']
const kinds: ReadonlySet<string> = new Set(['text', 'file', 'data'])

/** Reads a list of parts; whatever an agent put there, its content is kept. */
export function readParts(reading: Reading, value: unknown, path: string): Part[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) {
    reading.note('wire/parts-type', path, `parts is ${describe(value)} (expected an array of parts)`)
    return readParts(reading, [value], path)
  }
  const parts: Part[] = []
  value.forEach((item: unknown, index) => {
    const part = readPart(reading, item, `${path}[${index}]`)
    if (part !== undefined) parts.push(part)
  })
  return parts
}

function readPart(reading: Reading, value: unknown, path: string): Part | undefined {
  if (!isRecord(value)) {
    reading.note('wire/part-dialect', path, `a part is ${describe(value)} (expected an object)`)
    if (value === null || value === undefined) return undefined
    return typeof value === 'string' ? { kind: 'text', text: value } : { kind: 'data', data: value }
  }
  const tag = reading.string(value, 'kind', path) ?? reading.string(value, 'type', path)
  const kind = kindOf(value, tag)
  if (kind === undefined) {
    reading.note('wire/part-empty', path, `part ${quote(value)} has no content that A2A knows`)
    return { kind: 'data', data: tag === undefined ? null : value }
  }
  if (tag !== undefined && !kinds.has(tag)) {
    reading.note('wire/part-dialect', path, `part kind ${quote(tag)} is not one of A2A (text, file, data)`)
  } else {
    if (tag === undefined) noteSeveral(reading, value, path)
    noteForm(reading, value, kind, path)
  }
  return readers[kind](reading, value, path)
}

function kindOf(part: JsonObject, tag: string | undefined): Kind | undefined {
  if (tag === undefined || !kinds.has(tag)) return inferKind(part)
  // A tag without its content gives way to the content that is there.
  return tag === 'text' && typeof own(part, 'text') !== 'string' ? (inferKind(part) ?? 'text') : (tag as Kind)
}

const contentMembers: readonly [string, Kind][] = [
  ['text', 'text'],
  ['raw', 'file'],
  ['url', 'file'],
  ['data', 'data'],
]

/** 1.0 tells parts apart by their one member; a default beside it (`text: ""`) does not count. */
function inferKind(part: JsonObject): Kind | undefined {
  if (isRecord(own(part, 'file'))) return 'file'
  const present = contentMembers.filter(([name]) =>
    name === 'data' ? Object.hasOwn(part, name) : typeof own(part, name) === 'string',
  )
  return (present.find(([name]) => !isEmpty(own(part, name))) ?? present[0])?.[1]
}

function noteSeveral(reading: Reading, part: JsonObject, path: string): void {
  const filled = contentMembers.map(([name]) => name).filter((name) => !isEmpty(own(part, name)))
  if (filled.length < 2) return
  reading.note(
    'wire/part-ambiguous',
    path,
    `part has ${filled.map(quote).join(' and ')} (expected exactly one)`,
  )
}

function readText(reading: Reading, part: JsonObject, path: string): Part {
  const text = own(part, 'text')
  if (typeof text === 'string') return withExtras(reading, { kind: 'text', text }, part, path)
  reading.note('wire/part-empty', path, `text part has text ${quote(text)} (expected a string)`)
  const read = typeof text === 'number' || typeof text === 'boolean' ? String(text) : ''
  return withExtras(reading, { kind: 'text', text: read }, part, path)
}

function readFile(reading: Reading, part: JsonObject, path: string): FilePart {
  const inner = own(part, 'file')
  const file: JsonObject = isRecord(inner) ? inner : {}
  const at = `${path}.file`
  const read = (name: string): string | undefined => reading.string(file, name, at)
  const out: FilePart = { kind: 'file' }
  let bytes = read('bytes') ?? read('fileWithBytes') ?? reading.string(part, 'raw', path)
  const url = read('uri') ?? read('fileWithUri') ?? read('url') ?? reading.string(part, 'url', path)
  if (bytes === undefined && url === undefined) {
    bytes = read('data') ?? (typeof own(part, 'data') === 'string' ? String(own(part, 'data')) : undefined)
    if (bytes === undefined) reading.note('wire/part-empty', path, 'file part has neither bytes nor a uri')
    else reading.note('wire/file-data', path, 'file part keeps its bytes in "data" (expected file.bytes)')
  }
  if (bytes !== undefined) out.bytes = bytes
  if (url !== undefined) out.url = url
  const mediaType = read('mimeType') ?? read('mediaType')
  const name = read('name') ?? read('filename')
  if (mediaType !== undefined) out.mediaType = mediaType
  if (name !== undefined) out.name = name
  return withExtras(reading, out, part, path)
}

function readData(reading: Reading, part: JsonObject, path: string): DataPart {
  const { form } = reading
  if (!Object.hasOwn(part, 'data')) reading.note('wire/part-empty', path, 'data part has no data')
  let data = own(part, 'data') ?? null
  // Over HTTP+JSON, 0.3 writes the proto message DataPart around the object.
  const isProto = form.earlyProto && own(part, 'kind') === undefined
  if (isProto && isRecord(data) && Object.hasOwn(data, 'data')) data = own(data, 'data') ?? null
  const out: DataPart = { kind: 'data', data }
  const metadata = reading.struct(part, 'metadata', path)
  if (metadata !== undefined && own(metadata, dataCompatFlag) === true) {
    if (isRecord(data) && Object.hasOwn(data, 'value')) out.data = data['value'] ?? null
  } else if (form.version.wire.partTag === 'kind' && !form.proto && !isRecord(data)) {
    const message = `data part holds ${describe(data)} (${form.dialect} allows only an object)`
    reading.note('wire/data-type', path, message)
  }
  return withExtras(reading, out, part, path)
}

const readers: Record<Kind, (reading: Reading, part: JsonObject, path: string) => Part> = {
  text: readText,
  file: readFile,
  data: readData,
}

function withExtras<P extends Part>(reading: Reading, out: P, part: JsonObject, path: string): P {
  const mediaType = reading.string(part, 'mediaType', path) ?? reading.string(part, 'mimeType', path)
  const name = reading.string(part, 'filename', path)
  if (mediaType !== undefined) out.mediaType ??= mediaType
  if (name !== undefined) out.name ??= name
  const metadata = withoutCompatFlag(reading.struct(part, 'metadata', path))
  if (metadata !== undefined) out.metadata = metadata
  return out
}

function withoutCompatFlag(metadata: JsonObject | undefined): JsonObject | undefined {
  if (metadata === undefined || !Object.hasOwn(metadata, dataCompatFlag)) return metadata
  const rest = Object.entries(metadata).filter(([key]) => key !== dataCompatFlag)
  return rest.length === 0 ? undefined : Object.fromEntries(rest)
}

/** Notes a part that is written as another version writes it. */
function noteForm(reading: Reading, part: JsonObject, kind: Kind, path: string): void {
  const { form } = reading
  const tagName = ['kind', 'type'].find((name) => own(part, name) === kind)
  const hasFile = isRecord(own(part, 'file'))
  // `file.data` and `data` of a file part are noted where they are read.
  const isFlatFile = kind === 'file' && !hasFile && !Object.hasOwn(part, 'data')
  if (isRightForm(form, tagName, hasFile, isFlatFile)) {
    noteFileNames(reading, part, path)
    return
  }
  const member = isFlatFile
    ? (['raw', 'url'].find((name) => typeof own(part, name) === 'string') ?? 'raw')
    : kind
  const found = tagName === undefined ? `{"${member}"}` : `{"${tagName}": "${kind}"}`
  const version = isFlatFile || (tagName === undefined && !hasFile) ? '1.0' : foundVersion(tagName)
  reading.note(
    'wire/part-dialect',
    path,
    `part ${found} is the ${version} form; this interface speaks ${form.dialect} (expected ${sketch(form, kind)})`,
    { source: form.version.sources.parts },
  )
}

function isRightForm(
  form: WireForm,
  tag: string | undefined,
  hasFile: boolean,
  isFlatFile: boolean,
): boolean {
  const { partTag } = form.version.wire
  switch (partTag) {
    case 'none':
      return tag === undefined && !hasFile
    case 'type':
      // 0.1 servers of the reference code leave `type` out.
      return !isFlatFile && tag !== 'kind'
    case 'kind':
      return !isFlatFile && (tag === 'kind' || (form.proto && tag === undefined))
  }
}

function noteFileNames(reading: Reading, part: JsonObject, path: string): void {
  const file = own(part, 'file')
  if (reading.form.proto || !isRecord(file)) return
  for (const [name, expected] of [
    ['fileWithBytes', 'bytes'],
    ['fileWithUri', 'uri'],
  ] as const) {
    if (!Object.hasOwn(file, name)) continue
    const message = `"${name}" is the name of 0.3 over HTTP+JSON (expected "${expected}")`
    reading.note('wire/part-dialect', `${path}.file.${name}`, message)
  }
}

function foundVersion(tag: string | undefined): string {
  return tag === undefined ? '0.3 HTTP+JSON' : tag === 'type' ? '0.1' : '0.3'
}

function sketch(form: WireForm, kind: Kind): string {
  const { partTag } = form.version.wire
  if (partTag === 'none') return kind === 'file' ? '{"raw"} or {"url"}' : `{"${kind}"}`
  return form.proto ? `{"${kind}"}` : `{"${partTag}": "${kind}"}`
}

function describe(value: unknown): string {
  if (isRecord(value)) return 'an object'
  return typeof value === 'string' ? `the string ${quote(value)}` : quote(value)
}
