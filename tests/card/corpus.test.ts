import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkAgentCard } from '../../src/card/checkAgentCard.ts'

const folder = new URL('../fixtures/cards/', import.meta.url)
const rows = readFileSync(new URL('index.tsv', folder), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [id = '', shape = '', verdict = '', errors = ''] = line.split('\t')
    return {
      id,
      shape,
      verdict,
      errors: errors
        .split(';')
        .map((path) => path.trim())
        .filter(Boolean)
        .sort(),
    }
  })

function load(id: string): unknown {
  return JSON.parse(readFileSync(new URL(`${id}.json`, folder), 'utf8'))
}

/** Reverses the keys of every object. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reordered(item)]),
  )
}

/** Adds keys that no version knows to every object that is not a free map. */
function extended(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => extended(item, key))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, item]) => [name, extended(item, name)])
  const free = ['securitySchemes', 'security', 'schemes', 'scopes', 'params', 'metadata'].includes(key)
  const more = {
    'x-vendor': { deep: [1, null] },
    vendorNull: null,
    vendor_snake: 'x',
    $schema: 'https://a.example',
  }
  return Object.fromEntries([...entries, ...(free ? [] : Object.entries(more))])
}

function paths(card: unknown): string[] {
  return [...new Set(checkAgentCard(card).errors.map(({ path }) => path ?? ''))].sort()
}

test('there are 86 cards', () => {
  expect(rows).toHaveLength(86)
})

describe.each(rows.filter(({ verdict }) => verdict === 'valid' || verdict === 'invalid'))(
  'card $id ($shape) is $verdict',
  ({ id, shape, verdict, errors }) => {
    test('by the rules of its version, with errors at the expected paths', () => {
      const report = checkAgentCard(load(id))
      expect(report.shape.kind).toBe('card')
      const version = report.shape.kind === 'card' ? report.shape.version : ''
      expect(version === '1.0' ? '1.0' : '0.x').toBe(shape)
      expect(paths(load(id))).toEqual(errors)
      expect(report.scores.card).toBe(verdict === 'valid' ? 1 : 0)
    })

    test('with keys in another order and with unknown keys', () => {
      const report = checkAgentCard(load(id))
      expect(checkAgentCard(reordered(load(id))).findings).toEqual(report.findings)
      expect(checkAgentCard(extended(load(id))).findings).toEqual(report.findings)
    })
  },
)

describe.each(rows.filter(({ shape }) => shape === 'none'))('file $id is not an agent card', ({ id }) => {
  test('is reported in one sentence', () => {
    const report = checkAgentCard(load(id))
    expect(report.shape.kind).toBe('not-a2a')
    expect(report.findings).toHaveLength(1)
    expect(report.findings[0]).toMatchObject({ id: 'card/not-a2a', level: 'error' })
    expect(report.findings[0]?.message).toMatch(/^this is not an A2A agent card: it looks like \S.{10,}$/)
    expect(report.scores.card).toBe(0)
    expect(report.interfaces).toEqual([])
    for (const other of [reordered(load(id)), extended(load(id))]) {
      expect(checkAgentCard(other).shape.kind).toBe('not-a2a')
    }
  })
})

test('what files that are not cards look like', () => {
  const said = rows
    .filter(({ shape }) => shape === 'none')
    .map(({ id }) => {
      const { shape } = checkAgentCard(load(id))
      return `${id} ${shape.kind === 'not-a2a' ? shape.looksLike.replace(/ \(it has .*/, '') : shape.kind}`
    })
  expect(said).toMatchSnapshot()
})

describe.each(rows.filter(({ verdict }) => verdict === '?'))('card $id ($shape) has no verdict', ({ id }) => {
  test('the message says what is mixed and how to decide', () => {
    const report = checkAgentCard(load(id))
    const { shape } = report
    if (shape.kind !== 'ambiguous') throw new Error(`is ${JSON.stringify(shape)}`)
    expect(shape.signs.length).toBeGreaterThan(0)
    expect(report.findings).toHaveLength(1)
    const message = report.findings[0]?.message ?? ''
    for (const sign of shape.signs) expect(message).toContain(sign)
    expect(message).toContain("version: '0.3' | '1.0' decides")
    for (const other of [reordered(load(id)), extended(load(id))]) {
      expect(checkAgentCard(other).shape).toEqual(shape)
    }
  })

  test.each(['0.3', '1.0'] as const)('until version %s is chosen', (version) => {
    const report = checkAgentCard(load(id), { version })
    expect(report.shape).toMatchObject({ kind: 'card', version })
    expect(report.rulesApplied).toBeGreaterThan(20)
  })
})

test('what is mixed in the ambiguous cards', () => {
  const said = rows
    .filter(({ verdict }) => verdict === '?')
    .map(({ id }) => {
      const { shape } = checkAgentCard(load(id))
      return `${id} ${shape.kind === 'ambiguous' ? shape.signs.join('; ') : shape.kind}`
    })
  expect(said).toMatchSnapshot()
})

test('warnings of the corpus: empty skills and tags, missing tags before 1.0, modes such as text, localhost and http', () => {
  const warned = (id: string): string[] => checkAgentCard(load(id)).warnings.map((finding) => finding.id)
  expect(warned('055')).toEqual(expect.arrayContaining(['card/skills-empty', 'card/loopback-address']))
  expect(warned('017')).toContain('card/skill-tags')
  expect(warned('053')).toContain('card/media-types')
  expect(warned('099')).toContain('card/loopback-address')
  expect(warned('133')).not.toContain('card/null-members')
})
