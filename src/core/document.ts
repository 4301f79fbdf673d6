import type { z } from 'zod'
import { A2AUsageError, type A2AError, type A2AErrorDetail } from './errors.ts'
import { isRecord } from './guards.ts'
import { loadOutside } from './loadOutside.ts'

/** zod, as a schema receives it: a document's schema is built when the document is first read. */
export type Z = typeof z

/** A kind of document that comes from outside: a file, or the answer of a model. */
export interface DocumentDefinition<S extends z.ZodType> {
  /** In messages: `cassette`. */
  name: string
  schema: (z: Z) => S
  /**
   * The member that holds the version, and the versions that can be read; others are refused by name. `optional` for documents that
   * people also write by hand, without a version.
   */
  version?: { member: string; reads: readonly (number | string)[]; optional?: true }
  /** The error for a document that cannot be read. Default: A2AUsageError `BAD_OPTIONS`. */
  error?: (message: string, detail: A2AErrorDetail) => A2AError
}

/** Reads one kind of document. */
export interface Document<T> {
  /** Reads JSON. `file` is named in the error. */
  parseText(text: string, file: string): T
  /** Reads data. `file` is named in the error. */
  parse(value: unknown, file: string): T
  /** Like `parse`, for callers that handle the problem: a path and what is wrong there. */
  check(value: unknown): Checked<T>
  /** What a model or an editor gets. */
  readonly jsonSchema: Readonly<Record<string, unknown>>
}

/** The value as the schema describes it, or what is wrong with it. */
export type Checked<T> = { value: T } | { problem: string }

/** Defines a kind of document; the function that it returns loads zod with its first call. */
export function defineDocument<S extends z.ZodType>(
  definition: DocumentDefinition<S>,
): () => Promise<Document<z.output<S>>> {
  let document: Promise<Document<z.output<S>>> | undefined
  return () => (document ??= openDocument(definition))
}

/** A document whose schema is not known beforehand. Loads zod. */
export async function openDocument<S extends z.ZodType>(
  definition: DocumentDefinition<S>,
): Promise<Document<z.output<S>>> {
  const zod = await loadZod()
  const schema = definition.schema(zod)
  const { name, version, error = usageError } = definition
  const unreadable = (file: string, problem: string, cause?: unknown): A2AError =>
    error(`the ${name} ${file} cannot be read: ${problem}.`, cause === undefined ? {} : { cause })

  const check = (value: unknown): Checked<z.output<S>> => {
    const result = schema.safeParse(value, { reportInput: true })
    return result.success ? { value: result.data } : { problem: problemOf(result.error.issues) }
  }
  const parse = (value: unknown, file: string): z.output<S> => {
    const checked: Checked<z.output<S>> =
      version !== undefined && isOtherVersion(value, version)
        ? { problem: versionProblem(value[version.member], version) }
        : check(value)
    if ('problem' in checked) throw unreadable(file, checked.problem)
    return checked.value
  }
  const parseText = (text: string, file: string): z.output<S> => {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (cause) {
      throw unreadable(file, `it is not JSON (${(cause as Error).message})`, cause)
    }
    return parse(value, file)
  }
  return {
    parseText,
    parse,
    check,
    get jsonSchema() {
      return jsonSchemaOf(zod, schema)
    },
  }
}

/** Outside of Jest's sandbox, which would load it anew for each test file. */
async function loadZod(): Promise<Z> {
  const found = (loadOutside('zod') ?? (await import('zod'))) as { z: Z }
  return found.z
}

const usageError = (message: string, detail: A2AErrorDetail): A2AError =>
  new A2AUsageError('BAD_OPTIONS', message, detail)

type Version = NonNullable<DocumentDefinition<z.ZodType>['version']>

function isOtherVersion(
  value: unknown,
  { member, reads, optional }: Version,
): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (optional && (value as Record<string, unknown>)[member] === undefined) return false
  return !reads.some((version) => version === (value as Record<string, unknown>)[member])
}

function versionProblem(found: unknown, { member, reads }: Version): string {
  const known = listed(reads.map(String), 'and')
  return found === undefined
    ? `its ${member} is missing; this version of expect-a2a reads ${known}`
    : `its ${member} is ${show(found)}, and this version of expect-a2a reads ${known}`
}

/** Servers that take schemas know few keywords: the bounds that zod gives to every integer go. */
function jsonSchemaOf(zod: Z, schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...written } = zod.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return stable(written)
}

/** One spelling and one order, whatever zod's: cassettes find a request by the text of its schema. */
function stable(schema: Record<string, unknown>): Record<string, unknown> {
  const {
    type = typesOf(schema['anyOf']),
    anyOf,
    additionalProperties,
    required,
    properties,
    items,
    ...rest
  } = schema
  return {
    ...(type !== undefined && { type }),
    ...(type === undefined && Array.isArray(anyOf) && { anyOf: anyOf.map(stable) }),
    ...(additionalProperties !== undefined && { additionalProperties }),
    ...(required !== undefined && { required }),
    ...(isRecord(properties) && { properties: mapValues(properties, stableOf) }),
    ...(items !== undefined && { items: stableOf(items) }),
    ...rest,
  }
}

const stableOf = (value: unknown): unknown => (isRecord(value) ? stable(value) : value)

/** `["integer", "null"]` for alternatives that differ in nothing but their type. */
function typesOf(alternatives: unknown): unknown[] | undefined {
  if (!Array.isArray(alternatives)) return undefined
  const plain = alternatives.every((each) => isRecord(each) && Object.keys(each).join() === 'type')
  return plain ? alternatives.map((each: { type: unknown }) => each.type) : undefined
}

function mapValues(
  record: Record<string, unknown>,
  change: (value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}

type Issue = z.core.$ZodIssue

const shownIssues = 3

function problemOf(issues: readonly Issue[]): string {
  const all = issues.flatMap((issue) => innermost(issue))
  const shown = all.slice(0, shownIssues).map((issue) => {
    const path = pathOf(issue.path)
    return path === '' ? wordsOf(issue) : `${path}: ${wordsOf(issue)}`
  })
  const more = all.length - shown.length
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

/** What is wrong in the alternative of a union that was most likely meant: the one that fits furthest. */
function innermost(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const depth = (issues: readonly Issue[]): number => Math.max(...issues.map(({ path }) => path.length))
  const [best] = issue.errors
    .map((nested) => nested.flatMap((each) => innermost(each)))
    .filter((nested) => nested.length > 0 && depth(nested) > 0)
    .toSorted((a, b) => depth(b) - depth(a) || a.length - b.length)
  return best === undefined ? [issue] : best.map((each) => ({ ...each, path: [...issue.path, ...each.path] }))
}

/** `entries[3].request.model`. */
function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`
      const name = String(key)
      if (!/^[\w$-]+$/.test(name)) return `[${JSON.stringify(name)}]`
      return index === 0 ? name : `.${name}`
    })
    .join('')
}

/** In words of ours: zod's depend on a language that anybody may set, and on its version. */
function wordsOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return expectedType(issue.expected, issue.input)
    case 'invalid_value':
      return expectedValue(issue.values, issue.input)
    case 'unrecognized_keys':
      return `${issue.keys.length === 1 ? 'unknown member' : 'unknown members'} ${listed(issue.keys.map(show), 'and')}`
    case 'invalid_union':
      return 'options' in issue && issue.options !== undefined
        ? expectedValue(issue.options, memberOf(issue.input, issue.path.at(-1)))
        : expectedType(expectedByAny(issue.errors), issue.input)
    default:
      return issue.message.replace(/^(Invalid input: )?./, (start) => start.at(-1)?.toLowerCase() ?? '')
  }
}

const typeNames: Readonly<Record<string, string>> = { int: 'integer', record: 'object' }

function expectedType(expected: string, input: unknown): string {
  const name = typeNames[expected] ?? expected
  return input === undefined ? `missing, expected ${name}` : `expected ${name}, received ${typeName(input)}`
}

function expectedValue(values: readonly unknown[], input: unknown): string {
  const expected = `expected ${listed(values.map(show), 'or')}`
  return input === undefined ? `missing, ${expected}` : `${expected}, received ${show(input)}`
}

function expectedByAny(alternatives: readonly (readonly Issue[])[]): string {
  const names = alternatives.flatMap(([issue]) => {
    if (issue?.code === 'invalid_type') return [typeNames[issue.expected] ?? issue.expected]
    return issue?.code === 'invalid_value' ? issue.values.map(show) : []
  })
  return listed([...new Set(names)], 'or')
}

function memberOf(input: unknown, key: PropertyKey | undefined): unknown {
  return typeof input === 'object' && input !== null && key !== undefined
    ? (input as Record<PropertyKey, unknown>)[key]
    : input
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && !Number.isInteger(value) ? String(value) : typeof value
}

const longest = 40

function show(value: unknown): string {
  if (typeof value === 'object' && value !== null) return typeName(value)
  const text = typeof value === 'string' ? value : String(value)
  const short = text.length > longest ? `${text.slice(0, longest)}…` : text
  return typeof value === 'string' ? JSON.stringify(short) : short
}

function listed(items: readonly string[], word: 'and' | 'or'): string {
  return items.length < 2
    ? (items[0] ?? 'another value')
    : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`
}
