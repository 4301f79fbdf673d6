import type * as Undici from 'undici'
import { loadOutside } from '../core/loadOutside.ts'

export type UndiciModule = typeof Undici

let loaded: Promise<UndiciModule> | undefined

/**
 * Loads undici on first use, outside of any sandbox. Inside of Jest's, undici would take that sandbox's timers and microtasks,
 * and a test's fake timers would hang its requests; Node's own loader knows nothing of it.
 */
export function loadUndici(): Promise<UndiciModule> {
  loaded ??= Promise.resolve(loadOutside('undici') as UndiciModule | undefined).then(
    (found) => found ?? import('undici'),
  )
  return loaded
}
