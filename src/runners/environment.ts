import { A2AUsageError } from '../core/errors.ts'
import { shared } from './state.ts'

/** Refuses to run in a simulated browser, whose timers, signals and sockets are not Node's. Throws A2AUsageError `BAD_USE`. */
export function refuseSimulatedBrowser(): void {
  const { window, happyDOM } = globalThis as {
    window?: { navigator?: { userAgent?: string }; happyDOM?: unknown }
    happyDOM?: unknown
  }
  const agent = window?.navigator?.userAgent ?? ''
  const name = /jsdom/i.test(agent)
    ? 'jsdom'
    : /happy/i.test(agent) || happyDOM !== undefined || window?.happyDOM !== undefined
      ? 'happy-dom'
      : undefined
  if (name === undefined) return
  const docblocks = { jest: '/** @jest-environment node */', vitest: '// @vitest-environment node' }
  const wanted =
    shared.runner === 'jest' || shared.runner === 'vitest'
      ? docblocks[shared.runner]
      : `${docblocks.vitest} (Vitest) or ${docblocks.jest} (Jest)`
  throw new A2AUsageError(
    'BAD_USE',
    `an agent is called over real sockets, which the test environment ${name} does not have: put ${wanted} on the first line of this file.`,
  )
}
