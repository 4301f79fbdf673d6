import { isSensitiveHeader } from '../core/redact.ts'
import { printable } from './body.ts'

/** Arguments of a matcher as a user would write them, short: `"Hello", /hi/i, { deadlineMs: 500 }`. */
export function showArgs(args: readonly unknown[]): string {
  let end = args.length
  while (end > 0 && args[end - 1] === undefined) end--
  const shown = args.slice(0, end).map((arg) => show(arg, 0))
  const whole = shown.join(', ')
  if (whole.length <= 120) return whole
  return args
    .slice(0, end)
    .map((arg, index) => outline(arg) ?? clip(shown[index] ?? '', 40))
    .join(', ')
}

/** The keys of options that are too long to be shown: `{ persona: …, goal: …, 3 more }`. */
function outline(value: unknown): string | undefined {
  if (Object.prototype.toString.call(value) !== '[object Object]') return undefined
  const keys = Object.entries(value as object).flatMap(([key, each]) => (each === undefined ? [] : [key]))
  if (keys.length < 2 || typeof (value as { asymmetricMatch?: unknown }).asymmetricMatch === 'function') {
    return undefined
  }
  const named = keys.slice(0, 6).map((key) => `${key}: …`)
  const more = keys.length - named.length
  return `{ ${[...named, ...(more > 0 ? [`${more} more`] : [])].join(', ')} }`
}

function show(value: unknown, depth: number): string {
  if (typeof value === 'string') return clip(JSON.stringify(printable(value)), 60)
  if (typeof value === 'function') return value.name === '' ? '() => …' : value.name
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return String(value)
  const tag = Object.prototype.toString.call(value).slice(8, -1)
  if (tag === 'RegExp') return String(value)
  if (Array.isArray(value)) {
    if (depth > 0 && value.length > 3) return '[…]'
    return `[${value.map((each) => show(each, depth + 1)).join(', ')}]`
  }
  if (typeof (value as { asymmetricMatch?: unknown }).asymmetricMatch === 'function') {
    return asymmetric(value)
  }
  if ('~standard' in value) return '<schema>'
  if (tag !== 'Object') return `<${tag}>`
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  if (entries.length === 0) return '{}'
  if (depth > 0) return '{ … }'
  const members = entries.map(
    ([key, each]) =>
      `${key}: ${isSensitiveHeader(key) || (key === 'credentials' && typeof each === 'string') ? '<hidden>' : show(each, depth + 1)}`,
  )
  return `{ ${members.join(', ')} }`
}

function asymmetric(value: { toAsymmetricMatcher?: () => string }): string {
  try {
    return clip(value.toAsymmetricMatcher?.() ?? '<matcher>', 60)
  } catch {
    return '<matcher>'
  }
}

function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 2)}…${text.endsWith('"') ? '"' : ''}`
}
