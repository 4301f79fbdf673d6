// How figures are taken and how they are printed.
import { appendFileSync } from 'node:fs'

/** The value below which a share of the values lies. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

export const median = (values) => quantile(values, 0.5)

/** The middle half of some values: how far one of them may be trusted. */
export function middleHalf(values, digits) {
  return `${quantile(values, 0.25).toFixed(digits)} to ${quantile(values, 0.75).toFixed(digits)}`
}

/** Each value of a list divided by the value of the same round in another. */
export const ratios = (values, others) => values.map((value, round) => value / others[round])

/** Each value of a list less the value of the same round in another. */
export const differences = (values, others) => values.map((value, round) => value - others[round])

/** Microseconds that this process has computed since an earlier `process.cpuUsage()`: untouched by what else the machine does. */
export function cpuSince(begun) {
  const { user, system } = process.cpuUsage(begun)
  return user + system
}

/** Prints one figure with its aim, and keeps it for the table at the end. A miss needs its reason. */
export function report(label, figures, aim, met, reason) {
  if (!met && !reason) throw new Error(`${label}: a miss needs its reason`)
  console.log(`${label}: ${figures}; aim ${aim}: ${met ? 'met' : `missed, because ${reason}`}`)
  const { BENCH_TABLE: table } = process.env
  if (table) appendFileSync(table, `${JSON.stringify({ label, aim, met })}\n`)
}
