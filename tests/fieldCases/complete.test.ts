import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fixture } from './scene.ts'

/** The cases that are played from a fixture. */
const cases = (
  'A01 A02 A04 A05 A06 A07 A09 A11 B01 B02 B04 B05 C01 C03 C04 C05 C06 D01 D02 D04 E01 E02 E05 ' +
  'F01 F02 F04 G01 G03 G05 G06 G07 ' +
  'H01 H02 H03 H04 H06 I01 I02 I03 I05 I06 J01 J03 J04'
).split(' ')

const here = new URL('.', import.meta.url)
const sources = readdirSync(here)
  .filter((name) => /^[A-J]\w*\.test\.ts$/.test(name))
  .map((name) => readFileSync(new URL(name, here), 'utf8'))

/** Those of judges, simulated users and runners: models are scripted there, and there is nothing to play. */
const modelCases = ['K01', 'K02', 'K03', 'K05', 'K06', 'K08', 'K10']

test.each(modelCases)('%s is described once', (id) => {
  const found = readdirSync(here)
    .filter((name) => /^K\w*\.test\.ts$/.test(name))
    .flatMap((name) => readFileSync(new URL(name, here), 'utf8').split(/^(?=describe\()/m))
    .filter((part) => part.startsWith(`describe('${id} `))
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(/\btest(\.each)?[(<]/)
})

test('there is a fixture for each case, and no other', () => {
  const files = readdirSync(new URL('fixtures/', here))
  expect(files.sort()).toEqual(cases.map((id) => `${id}.json`))
})

describe.each(cases)('%s', (id) => {
  const own = sources
    .flatMap((source) => source.split(/^(?=describe\()/m))
    .filter((part) => part.startsWith(`describe('${id} `))

  test('is described once, and there its fixture is played', () => {
    expect(own).toHaveLength(1)
    expect(own[0]).toMatch(new RegExp(`fixture\\('${id}'\\)|asSend\\('${id}'`))
    expect(own[0]).toMatch(/\btest(\.each)?[(<]/)
  })

  const values = ((fixture(id)['variants'] ?? []) as unknown[]).filter(
    // Those with blanks tell in words what to change.
    (variant) => typeof variant !== 'string' || !variant.includes(' '),
  )
  if (values.length === 0) return
  test('has a row for each variant', () => {
    const written = own[0]?.replaceAll("''", '""').replaceAll(/'([^'\n]*)'/g, '"$1"') ?? ''
    for (const variant of values) expect(written).toContain(JSON.stringify(variant))
  })
})
