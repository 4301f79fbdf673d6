import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkAgentCard } from '../../src/card/checkAgentCard.ts'
import { cardNode, type Node } from '../../src/card/fields.ts'
import type { CardReport } from '../../src/card/types.ts'
import { local } from './cards.ts'

const junk = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(undefined, null, '', 0, true, [], {}, 'text', '0.3.0', '1.0', 'JSONRPC'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('http://127.0.0.1:4100/', 'https://a.example', '/x', 'apiKey', 'header', [
      'text/plain',
    ]),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
)

/** Documents in the shape of a card, with anything at every place. */
function shaped(node: Node): fc.Arbitrary<unknown> {
  switch (node.kind) {
    case 'leaf':
      return junk
    case 'list':
      return fc.oneof(junk, fc.array(shaped(node.of), { maxLength: 3 }))
    case 'map':
      return fc.oneof(
        junk,
        fc.dictionary(fc.constantFrom('a', 'b.c', '__proto__', 'toString'), shaped(node.of), { maxKeys: 2 }),
      )
    case 'object':
      return fc.oneof(
        { weight: 1, arbitrary: junk },
        {
          weight: 5,
          arbitrary: fc.record(Object.fromEntries([...node.fields].map(([key, of]) => [key, shaped(of)])), {
            requiredKeys: [],
          }),
        },
      )
  }
}

const cards = shaped(cardNode).map((card) => JSON.parse(JSON.stringify(card ?? null)) as unknown)
const options = fc.constantFrom({}, local, { version: '0.3' as const }, { version: '1.0' as const, ...local })

function whole(report: CardReport): void {
  for (const { id, message, path } of report.findings) {
    expect(id).toMatch(/^card\/[a-z\d-]+$/)
    expect(message.trim()).not.toBe('')
    expect(message).not.toMatch(/undefined is|\[object Object\]|NaN/)
    expect(path).not.toBe('')
  }
  expect(report.scores.card).toBe(report.errors.length === 0 ? 1 : 0)
}

test('checks any JSON value without throwing', () => {
  fc.assert(fc.property(fc.jsonValue(), options, (json, given) => whole(checkAgentCard(json, given))))
})

test('checks any text without throwing', () => {
  fc.assert(fc.property(fc.string(), (text) => whole(checkAgentCard(text))))
})

test('checks anything shaped like a card without throwing', () => {
  fc.assert(
    fc.property(cards, options, (card, given) => whole(checkAgentCard(card, given))),
    { numRuns: 400 },
  )
})

test('reads members whose toString is not a function', () => {
  const odd = { toString: 1, valueOf: 1 }
  const members = 'name description version url protocolVersion preferredTransport skills provider iconUrl'
  for (const name of members.split(' ')) {
    whole(checkAgentCard({ name: 'Echo', url: 'http://127.0.0.1/a2a', skills: [], [name]: odd }))
  }
  whole(
    checkAgentCard({ name: 'Echo', skills: [], supportedInterfaces: [{ url: odd, protocolVersion: odd }] }),
  )
})

test('ignores the order of keys', () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, item]) => [key, reversed(item)]),
    )
  }
  fc.assert(
    fc.property(cards, options, (card, given) => {
      const { shape, findings, interfaces } = checkAgentCard(card, given)
      const other = checkAgentCard(reversed(card), given)
      expect({ shape: other.shape, findings: other.findings, interfaces: other.interfaces }).toEqual({
        shape,
        findings,
        interfaces,
      })
    }),
    { numRuns: 300 },
  )
})

test('does not change the card', () => {
  fc.assert(
    fc.property(cards, (card) => {
      const before = JSON.stringify(card)
      checkAgentCard(card)
      expect(JSON.stringify(card)).toBe(before)
    }),
  )
})

test('checks a document nested a hundred thousand levels deep', () => {
  const text = `{"name":"x","skills":${'['.repeat(100_000)}${']'.repeat(100_000)},"url":"https://a.example"}`
  expect(checkAgentCard(text).shape.kind).toBe('card')
})
