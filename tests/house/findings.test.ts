import { describe, expect, test } from 'vitest'
import { rules } from '../../src/card/rules/index.ts'
import { catalogue } from '../../src/findings/catalogue.ts'
import { files, read } from './sources.ts'

const ids: readonly string[] = Object.keys(catalogue)
const ruleIds: readonly string[] = rules.map(({ id }) => id)
const areas = [...new Set(ids.map((id) => id.slice(0, id.indexOf('/'))))]
const quotedId = new RegExp(`'((?:${areas.join('|')})/[a-z\\d]+(?:-[a-z\\d]+)*)'`, 'g')
/** `{ id: 'wire/role', level: 'warning' …`, in either order. */
const literal = /\bid: '[a-z]+\/[a-z\d-]+',\s*level:|\blevel: '\w+',\s*id: '[a-z]+\/[a-z\d-]+'/
const sources = files('src', /\.ts$/).filter((path) => !path.startsWith('src/findings/'))

/** The quoted ids of a file; comments do not count. */
function quotedIds(path: string): string[] {
  const code = read(path).replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
  return [...code.matchAll(quotedId)].map(([, id = '']) => id)
}

describe('the catalogue of findings', () => {
  test('has every id that the sources name, unless it is a card rule', () => {
    const unknown = sources.flatMap((path) =>
      quotedIds(path)
        .filter((id) => !ids.includes(id) && !ruleIds.includes(id))
        .map((id) => `${path}: ${id}`),
    )
    expect(unknown).toEqual([])
  })

  test('has no id that nothing reports', () => {
    const used = new Set(sources.flatMap(quotedIds))
    expect(ids.filter((id) => !used.has(id))).toEqual([])
  })

  test('shares no id with the card rules', () => {
    expect(ids.filter((id) => ruleIds.includes(id))).toEqual([])
  })

  test('is where every finding is made: no source writes one by hand', () => {
    const byHand = sources.filter((path) => literal.test(read(path)))
    expect(byHand).toEqual([])
  })

  test.each(Object.entries(catalogue))('describes %s in sentences', (_id, { summary, fix }) => {
    for (const text of [summary, fix]) expect(text).toMatch(/^[\w`"].{8,}\.$/)
  })
})
