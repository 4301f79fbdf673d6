/** How one writer puts JSON into a single form: what it does with texts, numbers and the order of names. */
interface Style {
  text(value: string): string
  number(value: number): string
  order(a: string, b: string): number
}

/** RFC 8785 is what ECMAScript does, with names in the order of UTF-16 code units and only valid Unicode. */
const jcs: Style = {
  text(value) {
    if (/\p{Surrogate}/u.test(value))
      throw new TypeError('a text with half a surrogate pair has no canonical form')
    return JSON.stringify(value)
  },
  number(value) {
    if (!Number.isFinite(value)) throw new TypeError(`${value} has no canonical form`)
    return JSON.stringify(value)
  },
  order: (a, b) => (a < b ? -1 : 1),
}

/**
 * The canonical form of a JSON value. Throws TypeError for what has none: a number that is not finite, half a surrogate pair.
 * Source: RFC 8785.
 */
export function canonicalJson(value: unknown): string {
  return write(value, jcs)
}

/** How Python numbers that are whole are written: as they stand, or as a float. */
export interface PythonNumbers {
  floats: boolean
}

/** What `json.dumps(value, sort_keys=True, separators=(',', ':'))` of Python writes: names by code point, everything in ASCII. */
export function pythonJson(value: unknown, { floats }: PythonNumbers): string {
  return write(value, {
    text: (text) => JSON.stringify(text).replaceAll(/[\u007f-\uffff]/g, escaped),
    number: (number) =>
      Number.isInteger(number) && !floats ? BigInt(number).toString() : pythonFloat(number),
    order: byCodePoint,
  })
}

function write(value: unknown, style: Style): string {
  if (typeof value === 'string') return style.text(value)
  if (typeof value === 'number') return style.number(value)
  if (typeof value === 'boolean' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map((item) => write(item ?? null, style)).join(',')}]`
  if (typeof value !== 'object') throw new TypeError(`a ${typeof value} has no canonical form`)
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => style.order(a, b))
    .map(([name, item]) => `${style.text(name)}:${write(item, style)}`)
  return `{${members.join(',')}}`
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function byCodePoint(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)]
  const at = left.findIndex((point, index) => point !== right[index])
  if (at < 0) return left.length - right.length
  return (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? -1)
}

/** `repr()` of a Python float: exponents have two digits, and begin at other sizes than in ECMAScript. */
function pythonFloat(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} has no canonical form`)
  if (Object.is(value, -0)) return '-0.0'
  const [digits = '', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power < -4 || power >= 16) {
    return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
  }
  return Number.isInteger(value) ? `${value}.0` : String(value)
}
