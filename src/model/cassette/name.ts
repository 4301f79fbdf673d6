import { createHash } from 'node:crypto'

const longest = 80
const plain = /^[a-z0-9]+( [a-z0-9]+)*$/
// Names that Windows does not allow.
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/

/** The file of a test: its name in lower case, with a short hash if that alone may not be unique. */
export function cassetteFile(name: string, nth: number): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  const unique = plain.test(name) && slug.length <= longest && !reserved.test(slug)
  const cut = slug.slice(0, longest).replace(/-+$/, '')
  const base = unique ? slug : [cut, shortHash(name).slice(0, 8)].filter((part) => part !== '').join('-')
  return nth === 1 ? `${base}.json` : `${base}.${nth}.json`
}

/** Twelve hexadecimal digits that identify a text. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
