import type * as Undici from 'undici'

export type UndiciModule = typeof Undici

interface NodeModule {
  createRequire?: (file: string) => ((id: string) => unknown) & { resolve(id: string): string }
  /** Loads a file in the realm of Node itself. */
  _load?: (file: string) => unknown
}

let loaded: Promise<UndiciModule> | undefined

/**
 * Loads undici on first use, outside of any sandbox. Inside of Jest's, undici would take that sandbox's timers and microtasks,
 * and a test's fake timers would hang its requests; Node's own loader knows nothing of it.
 */
export function loadUndici(): Promise<UndiciModule> {
  loaded ??= Promise.resolve(loadOutside()).then((found) => found ?? import('undici'))
  return loaded
}

function loadOutside(): UndiciModule | undefined {
  try {
    const node = process.getBuiltinModule?.('node:module') as NodeModule | undefined
    // Not called `require`: in the CommonJS build import.meta.url needs the real one.
    const fromHere = node?.createRequire?.(import.meta.url)
    if (node === undefined || fromHere === undefined) return undefined
    // Jest 30.5 gives its own createRequire here, whose modules are the sandbox's; _load is still Node's.
    const found = node._load === undefined ? fromHere('undici') : node._load(fromHere.resolve('undici'))
    return found as UndiciModule
  } catch {
    // Bundled, or a runtime without these doors: the import below says what is missing, if anything is.
    return undefined
  }
}
