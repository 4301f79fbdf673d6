import type * as Jose from 'jose'
import { loadOutside } from '../../core/loadOutside.ts'

export type JoseModule = typeof Jose

let loaded: Promise<JoseModule> | undefined

/** Loads jose on first use. It is an ES module, which Jest's sandbox cannot load on Node 20. */
export function loadJose(): Promise<JoseModule> {
  loaded ??= Promise.resolve(loadOutside('jose') as JoseModule | undefined).then(
    (found) => found ?? import('jose'),
  )
  return loaded
}
