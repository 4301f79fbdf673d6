import { describe, expect, test } from 'vitest'
import { cassetteFile } from '../../src/model/cassette/name.ts'

describe('the file of a cassette', () => {
  test.each([
    ['books a table', 'books-a-table.json'],
    ['turn 2', 'turn-2.json'],
  ])('is the name if nothing is lost: %s', (name, file) => {
    expect(cassetteFile(name, 1)).toBe(file)
  })

  test.each([
    ['Books a table', /^books-a-table-[0-9a-f]{8}\.json$/],
    ['books-a-table', /^books-a-table-[0-9a-f]{8}\.json$/],
    ['helpdesk > books: "4" / ../..', /^helpdesk-books-4-[0-9a-f]{8}\.json$/],
    ['grüße', /^gru-e-[0-9a-f]{8}\.json$/],
    ['予約', /^[0-9a-f]{8}\.json$/],
    ['', /^[0-9a-f]{8}\.json$/],
    ['con', /^con-[0-9a-f]{8}\.json$/],
    ['a'.repeat(300), /^a{80}-[0-9a-f]{8}\.json$/],
  ])('has a hash if it may not be unique: %s', (name, file) => {
    expect(cassetteFile(name, 1)).toMatch(file)
  })

  test('differs for different names', () => {
    const names = ['a b', 'a-b', 'A b', 'a  b', 'a b!', `${'x '.repeat(60)}1`, `${'x '.repeat(60)}2`]
    expect(new Set(names.map((name) => cassetteFile(name, 1))).size).toBe(names.length)
  })

  test('counts the conversations of a test', () => {
    expect([1, 2, 3].map((nth) => cassetteFile('a b', nth))).toEqual(['a-b.json', 'a-b.2.json', 'a-b.3.json'])
  })
})
